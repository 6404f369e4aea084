import { useRef, useState } from 'react'

import { refresh } from '#api/cache.ts'

import type { Part } from './csv.ts'
import { kinds, sendRows, type Target } from './kinds.ts'
import { added, type Counts, noCounts } from './rehearse.ts'

export interface Import {
  readonly phase: 'ready' | 'doing' | 'ended'
  /** How many parts are done. */
  readonly done: number
  readonly counts: Counts
  /** Why it ended before its end; null when nothing went wrong. */
  readonly error: unknown
  readonly isStopping: boolean
  /** Does the parts that are not done yet. */
  readonly run: () => Promise<void>
  /** Ends it after the part that is being done. */
  readonly stop: () => void
}

const ready = { phase: 'ready', done: 0, counts: noCounts, error: null } as const
type State = Pick<Import, 'phase' | 'done' | 'counts' | 'error'>

/**
 * Does part after part. Each has a key of its own for as long as the file is shown, so going on
 * after an answer was lost does nothing twice.
 */
export function useImport(target: Target, parts: readonly Part[]): Import {
  const [state, setState] = useState<State>(ready)
  const [isStopping, setStopping] = useState(false)
  const [batch] = useState(() => crypto.randomUUID())
  const isStopped = useRef(false)
  const run = async () => {
    let { done, counts } = state
    isStopped.current = false
    setStopping(false)
    setState({ phase: 'doing', done, counts, error: null })
    try {
      for (const { csv } of parts.slice(done)) {
        if (isStopped.current) break
        const answer = await sendRows(target, { csv }, { idempotencyKey: `${batch}-${done}` })
        done += 1
        counts = added(counts, answer)
        setState({ phase: 'doing', done, counts, error: null })
      }
      setState({ phase: 'ended', done, counts, error: null })
    } catch (error) {
      setState({ phase: 'ended', done, counts, error })
    }
    await refresh(...kinds[target.kind].touches)
  }
  const stop = () => {
    isStopped.current = true
    setStopping(true)
  }
  return { ...state, isStopping, run, stop }
}

import { useRef, useState } from 'react'

import { invalidate } from '#data/query-client.ts'

import {
  addCounts,
  type ImportCounts,
  type ImportJob,
  noCounts,
  type Results,
  resultsOf,
} from './dry-run.ts'
import { kinds, sendBatch } from './kinds.ts'

export interface ImportRun {
  readonly phase: 'ready' | 'running' | 'ended'
  /** The number of batches imported. */
  readonly done: number
  readonly counts: ImportCounts
  /** The results of the imported rows. */
  readonly results: Results
  /** Why the import stopped; null if there was no error. */
  readonly error: unknown
  readonly isStopping: boolean
  /** Starts the import, or resumes it after the last imported batch. */
  readonly start: () => Promise<void>
  /** Stops the import after the current batch. */
  readonly stop: () => void
}

type State = Pick<ImportRun, 'phase' | 'done' | 'counts' | 'results' | 'error'>
const ready: State = { phase: 'ready', done: 0, counts: noCounts, results: new Map(), error: null }

/**
 * Imports batch by batch. Each batch keeps its idempotency key while the file is shown, so resuming
 * after a lost response creates no duplicates.
 */
export function useImport({ target, batches }: ImportJob): ImportRun {
  const [state, setState] = useState(ready)
  const [isStopping, setStopping] = useState(false)
  const [importId] = useState(() => crypto.randomUUID())
  const isStopped = useRef(false)
  const start = async () => {
    let { done, counts, results } = state
    isStopped.current = false
    setStopping(false)
    setState({ phase: 'running', done, counts, results, error: null })
    try {
      for (const batch of batches.slice(done)) {
        if (isStopped.current) break
        const options = { idempotencyKey: `${importId}-${done}` }
        const response = await sendBatch(target, { csv: batch.csv }, options)
        done += 1
        counts = addCounts(counts, response)
        results = new Map([...results, ...resultsOf(batch, response)])
        setState({ phase: 'running', done, counts, results, error: null })
      }
      setState({ phase: 'ended', done, counts, results, error: null })
    } catch (error) {
      setState({ phase: 'ended', done, counts, results, error })
    }
    await invalidate(...kinds[target.kind].invalidates)
  }
  const stop = () => {
    isStopped.current = true
    setStopping(true)
  }
  return { ...state, isStopping, start, stop }
}

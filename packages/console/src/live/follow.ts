import type { LiveChanges, Ending } from './read-stream.ts'

/** What followers hear: changes, or that some may be missing. */
export type Message = LiveChanges & { readonly isReset: boolean }

interface Source {
  /** The position where to begin; null for the present one, after which everything is read again. */
  readonly position: string | null
  readonly signal: AbortSignal
  /** Reads one stream after a position until it ends. */
  readonly read: (after: string, onChanges: (changes: LiveChanges) => void) => Promise<Ending>
  /** Waits, or stops to wait when the signal is aborted. */
  readonly wait: (ms: number) => Promise<void>
  /** Resolves when the service answers this session again. */
  readonly untilAnswered: () => Promise<void>
  readonly onMessage: (message: Message) => void
}

const byeMsMax = 3000

/** Follows all changes until the signal is aborted or the service turns out to have no stream. */
export async function follow(source: Source): Promise<void> {
  const { signal, read, wait, untilAnswered, onMessage } = source
  let { position } = source
  let failures = 0
  while (!signal.aborted) {
    const ending = await read(position ?? 'now', (changes) => {
      failures = 0
      onMessage({ ...changes, isReset: position === null })
      position = changes.position
    })
    if (ending === 'unsupported' || signal.aborted) return
    if (ending === 'lost') position = null
    if (ending === 'refused') await untilAnswered()
    else await wait(ending === 'bye' ? Math.random() * byeMsMax : retryMs(failures++))
  }
}

/** From 1 s to 30 s, with jitter. */
const retryMs = (failures: number) => Math.min(15_000, 1000 * 2 ** failures) * (1 + Math.random())

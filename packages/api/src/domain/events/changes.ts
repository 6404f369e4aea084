import { type LastNumber, selectChanged } from '#storage/numbers/changed-workspaces'
import type { Database } from '#storage/transaction/database'

/** How often the database is asked while there is a waiting request. */
const everyMs = 100

interface Wait {
  /** The last number that the waiting request knows. */
  readonly after: number
  readonly forMs: number
  /** Ends the wait early. */
  readonly signal: AbortSignal
}

interface Waiter {
  readonly after: number
  readonly end: () => void
}

/** No workspace has this number, so the database always returns the one that it has. */
const noNumber = -1

/**
 * Requests that wait for the next change of their workspace. One statement asks for all of them
 * whose number changed, whichever process wrote it. So a waiting request needs no connection.
 */
export class WorkspaceChanges {
  readonly #database: Pick<Database, 'ask'>
  readonly #waiters = new Map<string, Set<Waiter>>()
  #isAsking = false

  constructor(database: Pick<Database, 'ask'>) {
    this.#database = database
  }

  /** Resolves after a change, after the time, or after the signal, and says whether by a change. */
  next(workspaceId: string, { after, forMs, signal }: Wait): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false)
    const waiters = this.#waiters.get(workspaceId) ?? new Set()
    this.#waiters.set(workspaceId, waiters)
    return new Promise((resolve) => {
      const endWith = (isChanged: boolean) => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
        waiters.delete(waiter)
        if (waiters.size === 0) this.#waiters.delete(workspaceId)
        resolve(isChanged)
      }
      const onAbort = () => endWith(false)
      const waiter = { after, end: () => endWith(true) }
      const timer = setTimeout(onAbort, forMs)
      signal.addEventListener('abort', onAbort)
      waiters.add(waiter)
      this.#askLater()
    })
  }

  #askLater(): void {
    if (this.#isAsking || this.#waiters.size === 0) return
    this.#isAsking = true
    setTimeout(() => void this.#ask(), everyMs)
  }

  #endOthers({ id, seq }: LastNumber): void {
    for (const { after, end } of this.#waiters.get(id) ?? []) if (after !== seq) end()
  }

  /** Without the database, the requests wait on: their next authentication fails. */
  async #ask(): Promise<void> {
    const known = [...this.#waiters].map(([id, waiters]) => ({ id, seq: commonNumber(waiters) }))
    try {
      const changed = await this.#database.ask((db) => selectChanged(db, known))
      for (const last of changed) this.#endOthers(last)
    } catch {
      // The next one asks again.
    }
    this.#isAsking = false
    this.#askLater()
  }
}

/** The number that all of them know. */
function commonNumber(waiters: ReadonlySet<Waiter>): number {
  const [number = noNumber, ...others] = new Set(Array.from(waiters, ({ after }) => after))
  return others.length === 0 ? number : noNumber
}

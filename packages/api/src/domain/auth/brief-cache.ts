/** How long an answer is used again. A change shows after this time, in every process. */
const ageMsMax = 2000
const entriesMax = 1000

interface Entry<T> {
  readonly answer: Promise<T | null>
  until: number
}

/**
 * Answers of the last 2 s, for requests that anyone may send. Concurrent requests for an id share
 * one read, so a flood costs one read of each id in 2 s. A null answer is not kept: unknown ids
 * must not displace others. The oldest of more than 1000 entries is dropped.
 */
export class BriefCache<T> {
  readonly #entries = new Map<string, Entry<T>>()

  get(id: string, read: () => Promise<T | null>): Promise<T | null> {
    const kept = this.#entries.get(id)
    if (kept !== undefined && kept.until > performance.now()) return kept.answer
    const entry = { answer: read(), until: Infinity }
    this.#keep(id, entry)
    const settle = (found: T | null) => {
      entry.until = performance.now() + ageMsMax
      if (found === null && this.#entries.get(id) === entry) this.#entries.delete(id)
    }
    entry.answer.then(settle, () => settle(null))
    return entry.answer
  }

  #keep(id: string, entry: Entry<T>): void {
    this.#entries.delete(id)
    this.#entries.set(id, entry)
    if (this.#entries.size <= entriesMax) return
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined) this.#entries.delete(oldest)
  }
}

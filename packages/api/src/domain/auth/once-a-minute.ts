const windowMs = 60_000
const idsMax = 10_000

/** Finds the first use of an id within a minute, in this process. */
export class OnceAMinute {
  readonly #until = new Map<string, number>()

  /** A bounded cache: an id that was dropped is first again. */
  isFirst(id: string): boolean {
    const now = performance.now()
    if ((this.#until.get(id) ?? -Infinity) > now) return false
    if (this.#until.size >= idsMax) this.#until.clear()
    this.#until.set(id, now + windowMs)
    return true
  }

  /** The next use is first again. */
  forget(id: string): void {
    this.#until.delete(id)
  }
}

const [countMax, ageMsMax] = [10_000, 5 * 60_000]

/** LRU cache of the hashes of credentials that authenticated within the last five minutes. */
export class RecentCredentials {
  readonly #until = new Map<string, number>()

  add(id: string): void {
    this.#until.delete(id)
    this.#until.set(id, performance.now() + ageMsMax)
    if (this.#until.size <= countMax) return
    const [oldest] = this.#until.keys()
    if (oldest !== undefined) this.#until.delete(oldest)
  }

  has(id: string): boolean {
    return (this.#until.get(id) ?? -Infinity) > performance.now()
  }

  delete(id: string): void {
    this.#until.delete(id)
  }
}

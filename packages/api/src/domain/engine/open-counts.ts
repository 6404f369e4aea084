/** How many of something are open for each id, such as the streams of a key. */
export class OpenCounts {
  readonly #counts = new Map<string, number>()

  of(id: string): number {
    return this.#counts.get(id) ?? 0
  }

  /** Counts one more. Call the result once, when it ends. */
  open(id: string): () => void {
    this.#counts.set(id, this.of(id) + 1)
    return () => {
      const left = this.of(id) - 1
      if (left === 0) this.#counts.delete(id)
      else this.#counts.set(id, left)
    }
  }
}

const countMax = 10_000
/** Assumed for an operation that no page is known of. */
const bytesDefault = 1024
/** What is left of an earlier, larger size after another page: one small page does not hide it. */
const memory = 0.9

/** The bytes of a row in recent pages of a list, by workspace and operation. An LRU cache. */
export class RowSizes {
  readonly #bytes = new Map<string, number>()

  record(workspaceId: string, operation: string, page: { bytes: number; rows: number }): void {
    if (page.rows === 0) return
    const id = `${workspaceId} ${operation}`
    const before = this.#bytes.get(id) ?? 0
    this.#bytes.delete(id)
    this.#bytes.set(id, Math.max(page.bytes / page.rows, before * memory))
    if (this.#bytes.size <= countMax) return
    const [oldest] = this.#bytes.keys()
    if (oldest !== undefined) this.#bytes.delete(oldest)
  }

  bytesOf(workspaceId: string | null, operation: string): number {
    return this.#bytes.get(`${workspaceId} ${operation}`) ?? bytesDefault
  }
}

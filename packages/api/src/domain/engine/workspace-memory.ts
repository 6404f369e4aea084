interface Entry {
  value: unknown
  readonly bytes: number
  usedAt: number
}

/** The values of one workspace, the least recently used first. */
interface Shelf {
  readonly entries: Map<string, Entry>
  bytes: number
}

/** What a value takes besides its own bytes and its name. */
const overheadBytes = 512
/** An entry that was used within this time keeps its place in the order. */
const touchMs = 1000
/** Together less than ten minutes. */
const [unusedMsMax, sweepMs] = [9 * 60_000, 30_000]

/**
 * Values in memory, by workspace and name, within one bound. Each workspace can evict the values of
 * those that hold more than it, and its own, but no others. A value that is not used for ten
 * minutes is dropped, so that erased data does not stay in a process without requests.
 */
export class WorkspaceMemory {
  readonly #bytesMax: number
  readonly #now: () => number
  readonly #shelves = new Map<string, Shelf>()
  #bytes = 0
  #isSweepScheduled = false

  constructor(bytesMax: number, now = () => performance.now()) {
    this.#bytesMax = bytesMax
    this.#now = now
  }

  get bytes(): number {
    return this.#bytes
  }

  get isOff(): boolean {
    return this.#bytesMax === 0
  }

  get(workspaceId: string, name: string): unknown {
    const shelf = this.#shelves.get(workspaceId)
    const entry = shelf?.entries.get(name)
    if (!shelf || !entry) return undefined
    const now = this.#now()
    if (now - entry.usedAt >= touchMs) {
      entry.usedAt = now
      shelf.entries.delete(name)
      shelf.entries.set(name, entry)
    }
    return entry.value
  }

  set(workspaceId: string, name: string, { value, size }: { value: unknown; size: number }): void {
    this.delete(workspaceId, name)
    const bytes = size + 2 * name.length + overheadBytes
    if (bytes > this.#bytesMax) return
    const shelf = this.#shelves.get(workspaceId) ?? { entries: new Map(), bytes: 0 }
    this.#shelves.set(workspaceId, shelf)
    shelf.entries.set(name, { value, bytes, usedAt: this.#now() })
    this.#count(shelf, bytes)
    while (this.#bytes > this.#bytesMax) this.#evict()
    if (!this.#isSweepScheduled) this.#scheduleSweep()
  }

  delete(workspaceId: string, name: string): void {
    const shelf = this.#shelves.get(workspaceId)
    const entry = shelf?.entries.get(name)
    if (!shelf || !entry) return
    shelf.entries.delete(name)
    this.#count(shelf, -entry.bytes)
    if (shelf.entries.size === 0) this.#shelves.delete(workspaceId)
  }

  #count(shelf: Shelf, bytes: number): void {
    shelf.bytes += bytes
    this.#bytes += bytes
  }

  /** Deletes the least recently used value of the workspace that holds the most. */
  #evict(): void {
    let largest: [string, Shelf] | null = null
    for (const entry of this.#shelves) {
      if (largest === null || entry[1].bytes > largest[1].bytes) largest = entry
    }
    const [workspaceId, shelf] = largest ?? []
    const [oldest] = shelf?.entries.keys() ?? []
    if (workspaceId !== undefined && oldest !== undefined) this.delete(workspaceId, oldest)
  }

  /** Drops what was not used for long. */
  #sweep(): void {
    const before = this.#now() - unusedMsMax
    for (const [workspaceId, { entries }] of this.#shelves) {
      for (const [name, { usedAt }] of entries) {
        if (usedAt > before) break
        this.delete(workspaceId, name)
      }
    }
  }

  #scheduleSweep(): void {
    this.#isSweepScheduled = true
    const sweep = () => {
      this.#isSweepScheduled = false
      this.#sweep()
      if (this.#shelves.size > 0) this.#scheduleSweep()
    }
    setTimeout(sweep, sweepMs).unref()
  }
}

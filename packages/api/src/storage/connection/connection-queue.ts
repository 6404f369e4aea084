/** A unit of work that waits for a connection. */
interface Waiting {
  readonly start: () => void
  isGivenUp: boolean
}

/** Work outside of any workspace, such as authentication. */
export const ofService = ''

/**
 * The order in which work gets the connections of the pool. One workspace may have all but one.
 * While work waits, the next connection goes to the workspace that holds the fewest. Authentication
 * comes first and can have the last connection: it is short, and all other work needs it.
 */
export class ConnectionQueue {
  readonly #max: number
  readonly #held = new Map<string, number>()
  readonly #waiting = new Map<string, Waiting[]>()
  #running = 0

  constructor(connectionsMax: number) {
    this.#max = connectionsMax
  }

  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, line) => sum + line.length, 0)
  }

  /** Takes a place if one is free. */
  tryEnter(workspaceId: string): boolean {
    if (!this.#hasCapacityFor(workspaceId)) return false
    this.#take(workspaceId)
    return true
  }

  /** Calls `start` with the next place for the workspace. The returned function gives up. */
  wait(workspaceId: string, start: () => void): () => void {
    const waiting = { start, isGivenUp: false }
    const line = this.#waiting.get(workspaceId)
    if (line) line.push(waiting)
    else this.#waiting.set(workspaceId, [waiting])
    return () => {
      waiting.isGivenUp = true
    }
  }

  leave(workspaceId: string): void {
    this.#running -= 1
    const held = (this.#held.get(workspaceId) ?? 1) - 1
    if (held > 0) this.#held.set(workspaceId, held)
    else this.#held.delete(workspaceId)
    if (this.#waiting.size > 0) this.#startNext()
  }

  #hasCapacityFor(workspaceId: string): boolean {
    return this.#running < (workspaceId === ofService ? this.#max : Math.max(1, this.#max - 1))
  }

  #take(workspaceId: string): void {
    this.#running += 1
    this.#held.set(workspaceId, (this.#held.get(workspaceId) ?? 0) + 1)
  }

  #startNext(): void {
    for (;;) {
      const workspaceId = this.#nextLine()
      if (workspaceId === null) return
      const line = this.#waiting.get(workspaceId) ?? []
      const next = line.shift()
      // The last in order, so that workspaces that hold equally many take turns.
      this.#waiting.delete(workspaceId)
      if (line.length > 0) this.#waiting.set(workspaceId, line)
      if (!next || next.isGivenUp) continue
      this.#take(workspaceId)
      next.start()
    }
  }

  /** The workspace that holds the fewest connections, of those that wait; null without a place. */
  #nextLine(): string | null {
    let fewest: string | null = null
    for (const workspaceId of this.#waiting.keys()) {
      if (!this.#hasCapacityFor(workspaceId)) continue
      if (fewest === null || this.#rank(workspaceId) < this.#rank(fewest)) fewest = workspaceId
    }
    return fewest
  }

  #rank(workspaceId: string): number {
    return workspaceId === ofService ? -1 : (this.#held.get(workspaceId) ?? 0)
  }
}

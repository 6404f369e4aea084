const [countMax, ageMsMax] = [10_000, 5 * 60_000]

/**
 * LRU cache of the credentials that authenticated within the last five minutes, by their hash, with
 * the workspace of each. When it is full, the workspace with the most credentials loses its oldest
 * one, so no workspace can displace those of others.
 */
export class RecentCredentials {
  /** When each credential of a workspace is forgotten, the oldest first. */
  readonly #byWorkspace = new Map<string, Map<string, number>>()
  readonly #workspaces = new Map<string, string>()

  add(id: string, workspaceId: string): void {
    const credentials = this.#byWorkspace.get(workspaceId) ?? new Map<string, number>()
    credentials.delete(id)
    credentials.set(id, performance.now() + ageMsMax)
    this.#byWorkspace.set(workspaceId, credentials)
    this.#workspaces.set(id, workspaceId)
    if (this.#workspaces.size > countMax) this.#evict()
  }

  has(id: string): boolean {
    return this.workspaceOf(id) !== null
  }

  /** The workspace of a credential; null if it did not authenticate recently. */
  workspaceOf(id: string): string | null {
    const workspaceId = this.#workspaces.get(id)
    if (workspaceId === undefined) return null
    const until = this.#byWorkspace.get(workspaceId)?.get(id) ?? -Infinity
    return until > performance.now() ? workspaceId : null
  }

  delete(id: string): void {
    const workspaceId = this.#workspaces.get(id)
    if (workspaceId === undefined) return
    this.#workspaces.delete(id)
    const credentials = this.#byWorkspace.get(workspaceId)
    credentials?.delete(id)
    if (credentials?.size === 0) this.#byWorkspace.delete(workspaceId)
  }

  #evict(): void {
    let largest = new Map<string, number>()
    for (const credentials of this.#byWorkspace.values()) {
      if (credentials.size > largest.size) largest = credentials
    }
    const [oldest] = largest.keys()
    if (oldest !== undefined) this.delete(oldest)
  }
}

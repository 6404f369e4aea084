import assert from 'node:assert/strict'

import { type NamedProject, selectProjectNames } from '#storage/nouns/projects'
import type { Snapshot } from '#storage/statements/access'
import type { Database } from '#storage/transaction/database'

interface CachedNames {
  /** Server and sequence number of the projects. The names are valid while the label is equal. */
  readonly label: string
  readonly byId: ReadonlyMap<string, NamedProject>
}

const chunkRows = 1000
const namesMax = 200_000

/**
 * Returns a lookup of project names for the items of a roll-up. Every row of a page can be in
 * another project, and joining the names costs more than the page. So the names of a workspace are
 * cached. Any project change increments the sequence number, which is read in the same snapshot,
 * and so invalidates the entry.
 */
export async function projectNames(database: Database, snapshot: Snapshot) {
  const { server, projects_seq: number } = await snapshot.counters
  const label = `${server}.${number}`
  const cache = caches.get(database) ?? new NameCache()
  caches.set(database, cache)
  const cached = cache.get(snapshot.workspaceId)
  const names = cached?.label === label ? cached : { label, byId: await readNames(snapshot) }
  cache.set(snapshot.workspaceId, names)
  return (projectId: string): NamedProject => {
    const project = names.byId.get(projectId)
    assert(project, 'a risk and an issue have a project in the same snapshot')
    return project
  }
}

async function readNames(snapshot: Snapshot): Promise<Map<string, NamedProject>> {
  const byId = new Map<string, NamedProject>()
  let after: string | null = null
  let rows: NamedProject[]
  do {
    rows = await selectProjectNames(snapshot, after, chunkRows)
    for (const project of rows) byId.set(project.id, project)
    after = rows.at(-1)?.id ?? null
  } while (rows.length === chunkRows)
  return byId
}

/** LRU cache. The limit is the total number of names, not of workspaces. */
class NameCache {
  readonly #entries = new Map<string, CachedNames>()
  #size = 0

  get(workspaceId: string): CachedNames | undefined {
    return this.#entries.get(workspaceId)
  }

  set(workspaceId: string, names: CachedNames): void {
    this.#delete(workspaceId)
    this.#entries.set(workspaceId, names)
    this.#size += names.byId.size + 1
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= namesMax || oldest === workspaceId) return
      this.#delete(oldest)
    }
  }

  #delete(workspaceId: string): void {
    const names = this.#entries.get(workspaceId)
    if (names && this.#entries.delete(workspaceId)) this.#size -= names.byId.size + 1
  }
}

const caches = new WeakMap<Database, NameCache>()

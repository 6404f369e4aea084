import assert from 'node:assert/strict'

import type { Caller } from '#domain/engine/caller'
import { type NamedProject, selectProjectNames } from '#storage/nouns/projects'
import type { Counters, Snapshot } from '#storage/statements/access'
import type { Database } from '#storage/transaction/database'
import { uuidOf } from '#storage/values/id'

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
  const label = labelOf(await snapshot.counters)
  const cache = caches.get(database) ?? new NameCache()
  caches.set(database, cache)
  const cached = cache.get(snapshot.workspaceId)
  const names = cached?.label === label ? cached : { label, byId: await readNames(snapshot) }
  cache.set(snapshot.workspaceId, names)
  return lookupIn(names)
}

/** The same lookup if the names of these counters are cached; else null. */
export function knownProjectNames({ database, workspaceId }: Caller<never>, counters: Counters) {
  const cache = caches.get(database)
  const cached = cache?.get(uuidOf(workspaceId))
  if (!cache || cached?.label !== labelOf(counters)) return null
  cache.set(uuidOf(workspaceId), cached)
  return lookupIn(cached)
}

const labelOf = ({ server, projects_seq: number }: Counters) => `${server}.${number}`

const lookupIn =
  ({ byId }: CachedNames) =>
  (projectId: string): NamedProject => {
    const project = byId.get(projectId)
    assert(project, 'a risk and an issue have a project in the same snapshot')
    return project
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

import assert from 'node:assert/strict'

import type { Database, Snapshot } from '#storage/database'
import { type NamedProject, selectProjectNames } from '#storage/projects'

interface Names {
  /** Epoch and sequence number of the projects: names under the same label are the same. */
  readonly label: string
  readonly byId: ReadonlyMap<string, NamedProject>
}

const chunkRows = 1000
const namesMax = 200_000

/**
 * What every item of a roll-up shows of its project. A page of risks can be of as many projects as
 * it has rows, and looking each of them up would cost more than the page itself. So the names of a
 * workspace are kept, under the number that any change of a project moves, read in the same
 * snapshot.
 */
export async function projectNames(database: Database, snapshot: Snapshot) {
  const { epoch, projects_seq: number } = await snapshot.counters
  const label = `${epoch}.${number}`
  const cache = caches.get(database) ?? new NameCache()
  caches.set(database, cache)
  const kept = cache.get(snapshot.workspaceId)
  const names = kept?.label === label ? kept : { label, byId: await readNames(snapshot) }
  cache.keep(snapshot.workspaceId, names)
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

/** Bounded by names, not by workspaces. The workspace that was asked for longest ago makes room. */
class NameCache {
  readonly #kept = new Map<string, Names>()
  #size = 0

  get(workspaceId: string): Names | undefined {
    return this.#kept.get(workspaceId)
  }

  keep(workspaceId: string, names: Names): void {
    this.#drop(workspaceId)
    this.#kept.set(workspaceId, names)
    this.#size += names.byId.size + 1
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= namesMax || oldest === workspaceId) return
      this.#drop(oldest)
    }
  }

  #drop(workspaceId: string): void {
    const names = this.#kept.get(workspaceId)
    if (names && this.#kept.delete(workspaceId)) this.#size -= names.byId.size + 1
  }
}

const caches = new WeakMap<Database, NameCache>()

import { limits } from '@muster/contract'

import { Failure } from '#domain/engine/failure'
import { hasCounters } from '#storage/nouns/removal'
import {
  insertWorkspace,
  lockWorkspaceNames,
  newWorkspaceId,
  selectOwnName,
  selectWorkspaceIds,
  selectWorkspaces,
} from '#storage/nouns/workspaces'
import { selectCounters } from '#storage/numbers/counters'
import type { Database } from '#storage/transaction/database'
import { decodeId } from '#storage/values/id'

import { refuseUnusableSlug } from './slugs.ts'

/** Creates a workspace, or returns the existing one of this name. */
export async function createWorkspace(
  database: Database,
  name: string,
  slug: string | null = null,
) {
  const time = database.givenTime
  const id = await database.ask((db) => newWorkspaceId(db, time))
  return database.writeUnnumbered({ workspaceId: id }, async (read) => {
    await lockWorkspaceNames(read)
    const [existing] = await selectWorkspaceIds(read.db, name)
    if (existing !== undefined) return { id: existing, isNew: false }
    if (slug !== null) await refuseUnusableSlug(read, slug)
    await insertWorkspace(read, {
      id,
      name,
      time_zone: 'UTC',
      slug,
      sessionDays: limits.sessionDays,
      quota: limits.quota,
      time,
    })
    return { id, isNew: true }
  })
}

/** Resolves a name or an id. Without one, returns the only workspace. An id is not looked up. */
export async function findWorkspace(database: Database, nameOrId?: string): Promise<string> {
  if (nameOrId !== undefined && decodeId(nameOrId)?.prefix === 'wsp') return nameOrId
  const name = nameOrId ?? null
  const [id, another] = await database.ask((db) => selectWorkspaceIds(db, name))
  const named = name === null ? '' : ` named ${name}`
  if (id === undefined) throw new Failure('not_found', `There is no workspace${named}.`)
  if (another !== undefined) {
    const detail = `There are several workspaces${named}. Specify one by name or id.`
    throw new Failure('not_found', detail)
  }
  return id
}

/** Like `findWorkspace`, but returns id and name, and fails for an unknown id. */
export async function pickWorkspace(database: Database, nameOrId: string) {
  const workspaceId = await findWorkspace(database, nameOrId)
  const row = await database.read({ workspaceId }, selectOwnName)
  if (row === null) throw new Failure('not_found', `There is no workspace ${nameOrId}.`)
  return row
}

/** Lists all workspaces. `people` and `keys` are null for a partly deleted one. */
export async function everyWorkspace(database: Database) {
  const found = await database.ask(selectWorkspaces)
  const listed = []
  for (const workspace of found) {
    const counters = await database.read({ workspaceId: workspace.id }, async (read) =>
      (await hasCounters(read)) ? selectCounters(read) : null,
    )
    const { people, keys } = counters ?? { people: null, keys: null }
    const status = counters === null ? 'deleting' : workspace.status
    listed.push({ ...workspace, status, people, keys })
  }
  return listed
}

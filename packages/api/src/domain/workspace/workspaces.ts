import { limits } from '@muster/contract'

import { Failure } from '#domain/failure'
import { selectCounters } from '#storage/counters'
import type { Database } from '#storage/database'
import { decodeId } from '#storage/id'
import { hasCounters } from '#storage/removal'
import {
  insertWorkspace,
  lockWorkspaceNames,
  newWorkspaceId,
  selectOwnName,
  selectWorkspaceIds,
  selectWorkspaces,
} from '#storage/workspaces'

/** Makes the workspace, unless there is one of this name already. */
export async function foundWorkspace(database: Database, name: string) {
  const id = await database.ask(newWorkspaceId)
  return database.aside({ workspaceId: id }, async (read) => {
    await lockWorkspaceNames(read)
    const [existing] = await selectWorkspaceIds(read.db, name)
    if (existing !== undefined) return { id: existing, isNew: false }
    await insertWorkspace(read, {
      id,
      name,
      time_zone: 'UTC',
      sessionDays: limits.sessionDays,
      quota: limits.quota,
    })
    return { id, isNew: true }
  })
}

/** The workspace that an administrator means by a name or an id, or the only one there is. */
export async function findWorkspace(database: Database, nameOrId?: string): Promise<string> {
  if (nameOrId !== undefined && decodeId(nameOrId)?.prefix === 'wsp') return nameOrId
  const name = nameOrId ?? null
  const [id, another] = await database.ask((db) => selectWorkspaceIds(db, name))
  const named = name === null ? '' : ` named ${name}`
  if (id === undefined) throw new Failure('not_found', `There is no workspace${named}.`)
  if (another !== undefined) {
    const detail = `There are several workspaces${named}. Say which by its name or id.`
    throw new Failure('not_found', detail)
  }
  return id
}

/** The same, with its name; and it must be there. */
export async function pickWorkspace(database: Database, nameOrId: string) {
  const workspaceId = await findWorkspace(database, nameOrId)
  const row = await database.read({ workspaceId }, selectOwnName)
  if (row === null) throw new Failure('not_found', `There is no workspace ${nameOrId}.`)
  return row
}

/** All workspaces; what is half deleted has neither people nor keys to tell of. */
export async function everyWorkspace(database: Database) {
  const found = await database.ask(selectWorkspaces)
  const told = []
  for (const workspace of found) {
    const counters = await database.read({ workspaceId: workspace.id }, async (read) =>
      (await hasCounters(read)) ? selectCounters(read) : null,
    )
    const { people, keys } = counters ?? { people: null, keys: null }
    const status = counters === null ? 'deleting' : workspace.status
    told.push({ ...workspace, status, people, keys })
  }
  return told
}

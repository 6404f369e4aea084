import type { Caller } from '#domain/caller'
import { refuseStale, save, type Saving } from '#domain/change'
import { Failure } from '#domain/failure'
import type { Read, Write } from '#storage/database'
import { lockGroups, selectGroup, type StoredGroup, storeGroup } from '#storage/groups'

export async function findGroup(read: Read, id: string): Promise<StoredGroup> {
  return theGroup(await selectGroup(read, id), id)
}

function theGroup(group: StoredGroup | null | undefined, id: string): StoredGroup {
  if (group) return group
  throw new Failure('not_found', `There is no group ${id}.`)
}

/** The group as it is now, of the version that the caller means. People are locked before it. */
export async function lockGroup(
  write: Write,
  caller: Caller<never>,
  id: string,
): Promise<StoredGroup> {
  const group = theGroup((await lockGroups(write, [id]))[0], id)
  refuseStale(caller, group)
  return group
}

export const saveGroup = (write: Write, saving: Saving<StoredGroup>) =>
  save(write, saving, storeGroup)

export function refuseArchived({ id, status }: StoredGroup): void {
  if (status !== 'archived') return
  throw new Failure('group_archived', `The group ${id} is archived. Restore it first.`)
}

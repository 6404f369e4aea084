import type { Caller } from '#domain/engine/caller'
import { refuseStale, save, type SaveInput } from '#domain/engine/change'
import { Failure } from '#domain/engine/failure'
import { lockGroups, selectGroup, type StoredGroup, upsertGroup } from '#storage/nouns/groups'
import type { Read, Write } from '#storage/statements/access'

export async function findGroup(read: Read, id: string): Promise<StoredGroup> {
  return requireGroup(await selectGroup(read, id), id)
}

function requireGroup(group: StoredGroup | null | undefined, id: string): StoredGroup {
  if (group) return group
  throw new Failure('not_found', `There is no group ${id}.`)
}

/** Locks the group and checks `If-Match`. To avoid deadlocks, lock people before groups. */
export async function lockGroup(
  write: Write,
  caller: Caller<never>,
  id: string,
): Promise<StoredGroup> {
  const group = requireGroup((await lockGroups(write, [id]))[0], id)
  refuseStale(caller, group)
  return group
}

export const saveGroup = (write: Write, saving: SaveInput<StoredGroup>) =>
  save(write, saving, upsertGroup)

export function refuseArchived({ id, status }: StoredGroup): void {
  if (status !== 'archived') return
  throw new Failure('group_archived', `The group ${id} is archived. Restore it first.`)
}

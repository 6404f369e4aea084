import type { Selectable } from 'kysely'

import type { List, ListQuery } from '#storage/lists/index-ranges'
import type { DB } from '#storage/schema/tables'
import type { Read } from '#storage/statements/access'
import { isOneOf } from '#storage/statements/keyset'
import { encodeId, uuidOf } from '#storage/values/id'

const columns = ['user_id', 'joined_at'] as const satisfies (keyof DB['memberships'])[]

const membersQuery = (groupId: string): ListQuery => ({
  table: 'memberships',
  columns,
  order: [{ name: 'user_id', type: 'uuid' }],
  keys: [{ column: 'group_id', type: 'uuid', values: [uuidOf(groupId)] }],
  where: [],
})

/** The members of a group, by the creation of the people. */
export const membersList = (groupId: string): List<StoredMember> => ({
  query: membersQuery(groupId),
  present: presentMember,
})

type StoredMember = ReturnType<typeof presentMember>

/** Returns those of the user ids that are members of the group. */
export async function selectMemberIds(
  read: Read,
  groupId: string,
  userIds: readonly string[],
): Promise<Set<string>> {
  const rows = await read.db
    .selectFrom('memberships')
    .select('user_id')
    .where('workspace_id', '=', read.workspaceId)
    .where('group_id', '=', uuidOf(groupId))
    .where(isOneOf('user_id', userIds.map(uuidOf)))
    .execute()
  return new Set(rows.map(({ user_id }) => encodeId('usr', user_id)))
}

const presentMember = (row: Pick<Selectable<DB['memberships']>, (typeof columns)[number]>) => ({
  user_id: encodeId('usr', row.user_id),
  joined_at: row.joined_at,
})

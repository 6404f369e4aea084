import type { Selectable } from 'kysely'

import type { Read } from './database.ts'
import { encodeId, uuidOf } from './id.ts'
import { isOneOf, type Page } from './keyset.ts'
import { countLanes, type LaneQuery, selectLanes } from './lanes.ts'
import type { DB } from './tables.ts'

const columns = ['user_id', 'joined_at'] as const satisfies (keyof DB['memberships'])[]

const membersQuery = (groupId: string): LaneQuery => ({
  table: 'memberships',
  columns,
  order: [{ name: 'user_id', type: 'uuid' }],
  keys: [{ column: 'group_id', type: 'uuid', values: [uuidOf(groupId)] }],
  where: [],
})

/** The members of a group, in the order they came to the roster. */
export function selectMembers(read: Read, groupId: string, page: Page) {
  return selectLanes(read, membersQuery(groupId), { page, present: presentMember })
}

export function countMembers(read: Read, groupId: string, max: number) {
  return countLanes(read, membersQuery(groupId), max)
}

/** Those of these people who are in the group. */
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

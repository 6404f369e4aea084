import type { Selectable } from 'kysely'

import type { Read, RowWrite, Write } from '#storage/engine/access'
import { encodeId, uuidOf } from '#storage/engine/id'
import type { DB } from '#storage/engine/tables'
import { containsText } from '#storage/lists/conditions'
import { anyOrder, type DirectoryOrder, sortedBy } from '#storage/lists/directory'
import { fold, sortName } from '#storage/lists/fold'
import { type List, type ListQuery } from '#storage/lists/index-ranges'
import { isOneOf } from '#storage/lists/keyset'

export interface GroupsFilter {
  readonly statuses: readonly DB['groups']['status'][]
  readonly q: string | null
}

const columns = [
  'id',
  'name',
  'sort_name',
  'description',
  'external_id',
  'status',
  'member_count',
  'lead_user_ids',
  'metadata',
  'members_changed_at',
  'version',
  'created_at',
  'updated_at',
] as const satisfies (keyof DB['groups'])[]

function groupsQuery({ statuses, q }: GroupsFilter, order: DirectoryOrder): ListQuery {
  return {
    table: 'groups',
    columns,
    ...sortedBy(order),
    keys: [{ column: 'status', type: 'text', values: statuses }],
    search: q,
    where: [containsText(q)],
  }
}

export const groupsList = (filter: GroupsFilter, order: DirectoryOrder): List<StoredGroup> => ({
  query: groupsQuery(filter, order),
  countQuery: groupsQuery(filter, anyOrder),
  present: presentGroup,
})

type Row = Pick<Selectable<DB['groups']>, (typeof columns)[number]>
export type StoredGroup = ReturnType<typeof presentGroup>

function presentGroup(row: Row) {
  return {
    id: encodeId('grp', row.id),
    name: row.name,
    description: row.description,
    external_id: row.external_id,
    status: row.status,
    member_count: row.member_count,
    lead_user_ids: row.lead_user_ids.map((lead) => encodeId('usr', lead)),
    metadata: row.metadata,
    members_changed_at: row.members_changed_at,
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

/** Case-insensitive, among active groups. */
export async function selectGroupIdByName(read: Read, name: string): Promise<string | null> {
  const row = await read.db
    .selectFrom('groups')
    .select('id')
    .where('workspace_id', '=', read.workspaceId)
    .where('name_key', '=', nameKey(name))
    .where((eb) => eb.ref('is_active'))
    .executeTakeFirst()
  return row ? encodeId('grp', row.id) : null
}

export async function selectGroup(read: Read, id: string): Promise<StoredGroup | null> {
  const row = await read.db
    .selectFrom('groups')
    .select(columns)
    .where('workspace_id', '=', read.workspaceId)
    .where('id', '=', uuidOf(id))
    .executeTakeFirst()
  return row ? presentGroup(row) : null
}

/** Locks the groups until the write ends, in id order to avoid deadlocks. */
export async function lockGroups(write: Write, ids: readonly string[]): Promise<StoredGroup[]> {
  const rows = await write.db
    .selectFrom('groups')
    .select(columns)
    .where('workspace_id', '=', write.workspaceId)
    .where(isOneOf('id', ids.map(uuidOf)))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(presentGroup)
}

/** Writes a group, its history and the counters. `before` is null for a new one. */
export function upsertGroup(write: RowWrite, before: StoredGroup | null, after: StoredGroup): void {
  const { version: _, created_at, ...rest } = after
  const row = {
    ...rest,
    id: uuidOf(after.id),
    name_key: nameKey(after.name),
    sort_name: sortName(after.name),
    search_text: fold(after.name),
    lead_user_ids: after.lead_user_ids.map(uuidOf),
  }
  if (before === null) write.insert('groups', { ...row, created_at })
  else write.update('groups', row)
  write.count('groups', isActive(after) - (before === null ? 0 : isActive(before)))
  write.touch('groups')
  write.keep({ noun: 'group', before, after })
}

const isActive = ({ status }: StoredGroup) => Number(status === 'active')

const nameKey = (name: string) => name.toLowerCase()

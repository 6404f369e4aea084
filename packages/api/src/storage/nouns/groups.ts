import { type Group, groupFields } from '@muster/contract'

import { containsText, isAmong } from '#storage/lists/conditions'
import { anyOrder, type DirectoryOrder, sortedBy } from '#storage/lists/directory'
import { leadingKeys, type List, type ListQuery } from '#storage/lists/index-ranges'
import type { DB } from '#storage/schema/tables'
import type { Read, RowWrite } from '#storage/statements/access'
import { isOneOf } from '#storage/statements/keyset'
import { fold, sortName } from '#storage/values/fold'
import { encodeId, uuidOf } from '#storage/values/id'

import { storedFields } from './stored-fields.ts'

export interface GroupsFilter {
  readonly statuses: readonly DB['groups']['status'][]
  readonly externalIds?: readonly string[] | undefined
  readonly names?: readonly string[] | undefined
  readonly q: string | null
}

export type StoredGroup = Group

const stored = storedFields<'groups', StoredGroup, 'name_key' | 'sort_name' | 'search_text'>(
  groupFields,
  {
    also: ['sort_name'],
    fixed: ['created_at'],
    computed: ['version'],
    forms: {},
  },
)

const { columns, present: presentGroup } = stored

function groupsQuery(filter: GroupsFilter, order: DirectoryOrder): ListQuery {
  const { statuses, externalIds = null, q } = filter
  const names = filter.names?.map(nameKey) ?? null
  const isFiltered = externalIds !== null || names !== null
  return {
    table: 'groups',
    columns,
    ...sortedBy(order),
    keys: leadingKeys([
      { column: 'external_id', type: 'text', values: externalIds },
      { column: 'name_key', type: 'text', values: names },
      { column: 'status', type: 'text', values: statuses },
    ]),
    search: isFiltered ? null : q,
    where: [
      isAmong('status', statuses, 'text'),
      isAmong('external_id', externalIds, 'text'),
      isAmong('name_key', names, 'text'),
      containsText(q),
    ],
  }
}

export const groupsList = (filter: GroupsFilter, order: DirectoryOrder): List<StoredGroup> => ({
  query: groupsQuery(filter, order),
  countQuery: groupsQuery(filter, anyOrder),
  present: presentGroup,
})

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
export async function lockGroups(read: Read, ids: readonly string[]): Promise<StoredGroup[]> {
  const rows = await read.db
    .selectFrom('groups')
    .select(columns)
    .where('workspace_id', '=', read.workspaceId)
    .where(isOneOf('id', ids.map(uuidOf)))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(presentGroup)
}

/** Writes a group, its history and the counters. `before` is null for a new one. */
export function upsertGroup(write: RowWrite, before: StoredGroup | null, after: StoredGroup): void {
  const { name } = after
  const keys = { name_key: nameKey(name), sort_name: sortName(name), search_text: fold(name) }
  if (before === null) write.insert('groups', stored.newRow(after, keys))
  else write.update('groups', stored.changedRow(after, keys))
  write.count('groups', isActive(after) - (before === null ? 0 : isActive(before)))
  write.touch('groups')
  write.keep({ noun: 'group', before, after })
}

const isActive = ({ status }: StoredGroup) => Number(status === 'active')

const nameKey = (name: string) => name.toLowerCase()

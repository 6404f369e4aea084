import type { Selectable } from 'kysely'

import type { Read, Write } from './database.ts'
import { anyOrder, type DirectoryOrder, sortedBy } from './directory.ts'
import { fold, sortName } from './fold.ts'
import { encodeId, uuidOf } from './id.ts'
import type { Page } from './keyset.ts'
import { containsText, countLanes, type LaneQuery, selectLanes } from './lanes.ts'
import type { DB } from './tables.ts'

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

function groupsQuery({ statuses, q }: GroupsFilter, order: DirectoryOrder): LaneQuery {
  return {
    table: 'groups',
    columns,
    ...sortedBy(order),
    keys: [{ column: 'status', type: 'text', values: statuses }],
    where: [containsText(q)],
  }
}

export function selectGroups(
  read: Read,
  { filter, order, page }: { filter: GroupsFilter; order: DirectoryOrder; page: Page },
) {
  return selectLanes(read, groupsQuery(filter, order), { page, present: presentGroup })
}

/** How many there are, counted no further than `max` + 1. */
export function countGroups(read: Read, filter: GroupsFilter, max: number) {
  return countLanes(read, groupsQuery(filter, anyOrder), max)
}

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

/** Which active group already has this name, whatever its letter case. */
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

export function insertGroup(write: Write, group: StoredGroup): void {
  write.add(
    write.db.insertInto('groups').values({
      ...group,
      workspace_id: write.workspaceId,
      id: uuidOf(group.id),
      name_key: nameKey(group.name),
      sort_name: sortName(group.name),
      search_text: fold(group.name),
      lead_user_ids: group.lead_user_ids.map(uuidOf),
      version: write.version,
    }),
  )
  write.touch('groups')
  write.count('groups', 1)
  write.keep({ noun: 'group', id: group.id, data: group, isNew: true })
}

export interface StoredMembership {
  readonly group_id: string
  readonly user_id: string
  readonly is_lead: boolean
  readonly joined_at: string
}

export function insertMembership(write: Write, membership: StoredMembership): void {
  write.add(
    write.db.insertInto('memberships').values({
      workspace_id: write.workspaceId,
      group_id: uuidOf(membership.group_id),
      user_id: uuidOf(membership.user_id),
      is_lead: membership.is_lead,
      joined_at: membership.joined_at,
    }),
  )
}

const nameKey = (name: string) => name.toLowerCase()

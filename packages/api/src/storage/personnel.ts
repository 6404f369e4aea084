import { type Selectable, sql } from 'kysely'

import type { Read, Write } from './database.ts'
import { anyOrder, type DirectoryOrder, sortedBy } from './directory.ts'
import { fold, sortName } from './fold.ts'
import { encodeId, encodeOptional, uuidOf, uuidOfOptional } from './id.ts'
import { isOneOf, type Page } from './keyset.ts'
import { containsText, countLanes, type LaneQuery, selectLanes } from './lanes.ts'
import type { DB } from './tables.ts'

export interface PersonnelFilter {
  /** Null: those on the roster. */
  readonly statuses: readonly DB['people']['status'][] | null
  readonly q: string | null
}

const columns = [
  'id',
  'name',
  'sort_name',
  'email',
  'phone',
  'title',
  'department',
  'external_id',
  'manager_user_id',
  'time_zone',
  'status',
  'status_reason',
  'status_changed_at',
  'start_on',
  'end_on',
  'group_ids',
  'metadata',
  'version',
  'created_at',
  'updated_at',
] as const satisfies (keyof DB['people'])[]

type Row = Pick<Selectable<DB['people']>, (typeof columns)[number]>

/** The roster as a whole, or a lane for each status that is named instead. */
function personnelQuery({ statuses, q }: PersonnelFilter, order: DirectoryOrder): LaneQuery {
  return {
    table: 'people',
    columns,
    ...sortedBy(order),
    keys: statuses ? [{ column: 'status', type: 'text', values: statuses }] : [],
    where: [...(statuses ? [] : [sql`item.on_roster`]), containsText(q)],
  }
}

export function selectPersonnel(
  read: Read,
  { filter, order, page }: { filter: PersonnelFilter; order: DirectoryOrder; page: Page },
) {
  const query = personnelQuery(filter, order)
  return selectLanes(read, query, { page, present: presentPerson })
}

/** How many there are, counted no further than `max` + 1. */
export function countPersonnel(read: Read, filter: PersonnelFilter, max: number) {
  return countLanes(read, personnelQuery(filter, anyOrder), max)
}

export type StoredPerson = ReturnType<typeof presentPerson>

function presentPerson(row: Row) {
  const id = encodeId('usr', row.id)
  return {
    id,
    user_id: id,
    name: row.name,
    email: row.email,
    phone: row.phone,
    title: row.title,
    department: row.department,
    external_id: row.external_id,
    manager_user_id: encodeOptional('usr', row.manager_user_id),
    time_zone: row.time_zone,
    start_on: row.start_on,
    end_on: row.end_on,
    status: row.status,
    status_reason: row.status_reason,
    status_changed_at: row.status_changed_at,
    assignable: row.status === 'active',
    group_ids: row.group_ids.map((group) => encodeId('grp', group)),
    metadata: row.metadata,
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

export async function selectPerson(read: Read, userId: string): Promise<StoredPerson | null> {
  const row = await read.db
    .selectFrom('people')
    .select(columns)
    .where('workspace_id', '=', read.workspaceId)
    .where('id', '=', uuidOf(userId))
    .executeTakeFirst()
  return row ? presentPerson(row) : null
}

/** Who on the roster already has this email, whatever its letter case. */
export async function selectUserIdByEmail(read: Read, email: string): Promise<string | null> {
  const row = await read.db
    .selectFrom('people')
    .select('id')
    .where('workspace_id', '=', read.workspaceId)
    .where('email_key', '=', emailKey(email))
    .where((eb) => eb.ref('on_roster'))
    .executeTakeFirst()
  return row ? encodeId('usr', row.id) : null
}

export async function selectUserIdByExternalId(read: Read, externalId: string) {
  const row = await read.db
    .selectFrom('people')
    .select('id')
    .where('workspace_id', '=', read.workspaceId)
    .where('external_id', '=', externalId)
    .where((eb) => eb.ref('on_roster'))
    .executeTakeFirst()
  return row ? encodeId('usr', row.id) : null
}

/** These people as they are now, who cannot change until the write ends. Many can hold them. */
export async function holdPeople(
  write: Write,
  userIds: readonly string[],
): Promise<StoredPerson[]> {
  const rows = await write.db
    .selectFrom('people')
    .select(columns)
    .where('workspace_id', '=', write.workspaceId)
    .where(isOneOf('id', userIds.map(uuidOf)))
    .orderBy('id')
    .forShare()
    .execute()
  return rows.map(presentPerson)
}

/** What these people are called. */
export async function selectPersonNames(read: Read, userIds: readonly string[]) {
  const rows = await read.db
    .selectFrom('people')
    .select(['id', 'name'])
    .where('workspace_id', '=', read.workspaceId)
    .where(isOneOf('id', userIds.map(uuidOf)))
    .execute()
  return rows.map(({ id, name }) => ({ user_id: encodeId('usr', id), name }))
}

/** These people as they are now, held until the write ends. */
export async function lockPeople(
  write: Write,
  userIds: readonly string[],
): Promise<StoredPerson[]> {
  const rows = await write.db
    .selectFrom('people')
    .select(columns)
    .where('workspace_id', '=', write.workspaceId)
    .where(isOneOf('id', userIds.map(uuidOf)))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(presentPerson)
}

export function insertPerson(write: Write, person: StoredPerson): void {
  write.add(
    write.db.insertInto('people').values({
      workspace_id: write.workspaceId,
      id: uuidOf(person.id),
      created_at: person.created_at,
      ...changing(write, person),
    }),
  )
  write.count('people', 1)
  consequences(write, person, { isNew: true })
}

export function updatePerson(write: Write, person: StoredPerson): void {
  write.add(
    write.db
      .updateTable('people')
      .set(changing(write, person))
      .where('workspace_id', '=', write.workspaceId)
      .where('id', '=', uuidOf(person.id)),
  )
  consequences(write, person, { isNew: false })
}

function consequences(write: Write, person: StoredPerson, { isNew }: { isNew: boolean }): void {
  write.touch('personnel')
  write.keep({ noun: 'person', id: person.id, data: person, isNew })
}

/** Everything of a person that a write can change. */
function changing(write: Write, person: StoredPerson) {
  return {
    name: person.name,
    sort_name: sortName(person.name),
    search_text: fold(`${person.name} ${person.email ?? ''}`),
    email: person.email,
    email_key: person.email === null ? null : emailKey(person.email),
    phone: person.phone,
    title: person.title,
    department: person.department,
    external_id: person.external_id,
    manager_user_id: uuidOfOptional(person.manager_user_id),
    time_zone: person.time_zone,
    status: person.status,
    status_reason: person.status_reason,
    status_changed_at: person.status_changed_at,
    start_on: person.start_on,
    end_on: person.end_on,
    group_ids: person.group_ids.map(uuidOf),
    metadata: person.metadata,
    version: write.version,
    updated_at: person.updated_at,
  }
}

const emailKey = (email: string) => email.toLowerCase()

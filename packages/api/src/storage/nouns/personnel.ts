import assert from 'node:assert/strict'

import { type Person, personFields } from '@muster/contract'
import { sql } from 'kysely'

import type { Read, RowWrite, Write } from '#storage/statements/access'
import { isOneOf, isOwn } from '#storage/statements/keyset'
import { fold, sortName } from '#storage/values/fold'
import { encodeId, encodeOptional, uuidOf } from '#storage/values/id'

import { storedFields } from './stored-fields.ts'

export type StoredPerson = Person

const stored = storedFields<'people', StoredPerson, keyof ReturnType<typeof keysOf>>(personFields, {
  also: ['sort_name'],
  fixed: ['created_at'],
  computed: ['version'],
  forms: {
    user_id: { columns: ['id'], present: ({ id }) => encodeId('usr', id) },
    assignable: { columns: ['status'], present: ({ status }) => status === 'active' },
  },
})

export const { columns: personColumns, present: presentPerson } = stored

export async function selectPerson(read: Read, userId: string): Promise<StoredPerson | null> {
  const row = await read.db
    .selectFrom('people')
    .select(personColumns)
    .where('workspace_id', '=', read.workspaceId)
    .where('id', '=', uuidOf(userId))
    .executeTakeFirst()
  return row ? presentPerson(row) : null
}

/** The people on the roster who have an email (case-insensitive) or an external id. */
export interface UniqueOwners {
  /** The user id by `emailKey`. */
  readonly emails: Map<string, string>
  readonly externalIds: Map<string, string>
}

export async function selectUniqueOwners(
  read: Read,
  { emails, externalIds }: { emails: readonly string[]; externalIds: readonly string[] },
): Promise<UniqueOwners> {
  const [byEmail, byExternalId] = await Promise.all([
    selectUserIdsBy(read, 'email_key', emails.map(emailKey)),
    selectUserIdsBy(read, 'external_id', externalIds),
  ])
  return { emails: byEmail, externalIds: byExternalId }
}

async function selectUserIdsBy(
  read: Read,
  column: 'email_key' | 'external_id',
  values: readonly string[],
) {
  if (values.length === 0) return new Map<string, string>()
  const { rows } = await sql<{ id: string; value: string }>`
    select id, ${sql.ref(column)} as value from people
    where ${isOwn(read, 'people')} and ${sql.ref(column)} = any(${values}::text[]) and on_roster
    `.execute(read.db)
  return new Map(rows.map(({ id, value }) => [value, encodeId('usr', id)]))
}

/** A person who has an email or an external id. */
export interface PersonMatch {
  readonly id: string
  readonly way: 'email' | 'external_id'
  /** Emails as `emailKey`. */
  readonly key: string
  readonly isOnRoster: boolean
}

/**
 * Everyone who has one of these emails or external ids: first those on the roster, then those who
 * left last.
 */
export async function selectNamedPeople(
  read: Read,
  { emails, externalIds }: { emails: readonly string[]; externalIds: readonly string[] },
): Promise<PersonMatch[]> {
  const named = await Promise.all([
    selectPeopleNamedBy(read, { way: 'email', column: 'email_key' }, emails.map(emailKey)),
    selectPeopleNamedBy(read, { way: 'external_id', column: 'external_id' }, externalIds),
  ])
  return named.flat()
}

async function selectPeopleNamedBy(
  read: Read,
  { way, column }: Pick<PersonMatch, 'way'> & { column: 'email_key' | 'external_id' },
  keys: readonly string[],
): Promise<PersonMatch[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<{ id: string; key: string; on_roster: boolean }>`
    select id, ${sql.ref(column)} as key, on_roster from people
    where ${isOwn(read, 'people')} and ${sql.ref(column)} = any(${[...new Set(keys)]}::text[])
      and ${sql.ref(column)} is not null
    order by on_roster desc, status_changed_at desc, id desc`.execute(read.db)
  return rows.map(({ id, key, on_roster }) => ({
    id: encodeId('usr', id),
    way,
    key,
    isOnRoster: on_roster,
  }))
}

interface Others {
  /** How their external ids begin. */
  readonly prefix: string
  /** Those who do not count. */
  readonly present: readonly string[]
  readonly limit: number
}

/** People on the roster with an external id, without those who are present. */
export async function selectPeopleWithout(read: Read, { prefix, present, limit }: Others) {
  const rows = await read.db
    .selectFrom('people')
    .select(personColumns)
    .where('workspace_id', '=', read.workspaceId)
    .where((eb) => eb.ref('on_roster'))
    .where('external_id', 'is not', null)
    .where(sql<boolean>`starts_with(external_id, ${prefix})`)
    .where(sql<boolean>`not (id = any(${present.map(uuidOf)}::uuid[]))`)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(presentPerson)
}

const peopleQuery = ({ db, workspaceId }: Read, userIds: readonly string[]) =>
  db
    .selectFrom('people')
    .select(personColumns)
    .where('workspace_id', '=', workspaceId)
    .where(isOneOf('id', userIds.map(uuidOf)))
    .orderBy('id')

export async function selectPeople(read: Read, userIds: readonly string[]) {
  if (userIds.length === 0) return []
  return (await peopleQuery(read, userIds).execute()).map(presentPerson)
}

/** Takes share locks: the people cannot change until the write ends. */
export async function shareLockPeople(read: Read, userIds: readonly string[]) {
  return (await peopleQuery(read, userIds).forShare().execute()).map(presentPerson)
}

/** Takes exclusive row locks until the write ends. */
export async function lockPeople(read: Read, userIds: readonly string[]) {
  return (await peopleQuery(read, userIds).forNoKeyUpdate().execute()).map(presentPerson)
}

/** Locks the person until the transaction ends, and returns whether they are active. */
export async function lockActivePerson(read: Read, userId: string): Promise<boolean> {
  const row = await read.db
    .selectFrom('people')
    .select('status')
    .where('workspace_id', '=', read.workspaceId)
    .where('id', '=', uuidOf(userId))
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row?.status === 'active'
}

export async function selectPersonNames(read: Read, userIds: readonly string[]) {
  const rows = await read.db
    .selectFrom('people')
    .select(['id', 'name'])
    .where('workspace_id', '=', read.workspaceId)
    .where(isOneOf('id', userIds.map(uuidOf)))
    .execute()
  return rows.map(({ id, name }) => ({ user_id: encodeId('usr', id), name }))
}

/** Advisory lock on all reporting lines: two concurrent changes could form a cycle. */
export async function lockManagers({ db, workspaceId }: Write): Promise<void> {
  const name = `managers of ${workspaceId}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db)
}

/** Selects the people and their managers, recursively: user id to manager id. */
export async function selectManagers(
  read: Read,
  userIds: readonly string[],
): Promise<Map<string, string | null>> {
  const { rows } = await sql<{ id: string; manager: string | null }>`
    with recursive chain as (
      select id, manager_user_id from people
      where ${isOwn(read, 'people')} and ${isOneOf('id', userIds.map(uuidOf))}
      union
      select above.id, above.manager_user_id from chain
      join people as above on ${isOwn(read, 'above')} and above.id = chain.manager_user_id
    )
    select id, manager_user_id as manager from chain`.execute(read.db)
  return new Map(
    rows.map(({ id, manager }) => [encodeId('usr', id), encodeOptional('usr', manager)]),
  )
}

/** Writes a person, memberships, history and counters. `before` is null for a new one. */
export function upsertPerson(
  write: RowWrite,
  before: StoredPerson | null,
  after: StoredPerson,
): void {
  const keys = keysOf(after)
  if (before === null) write.insert('people', stored.newRow(after, keys))
  else write.update('people', stored.changedRow(after, keys))
  writeMemberships(write, before?.group_ids ?? [], after)
  write.count('people', onRoster(after) - (before === null ? 0 : onRoster(before)))
  write.touch('personnel')
  write.keep({ noun: 'person', before, after })
}

const onRoster = ({ status }: StoredPerson) => Number(status !== 'departed')

/** What lists and unique indexes compare. */
const keysOf = ({ name, email, title, department }: StoredPerson) => ({
  sort_name: sortName(name),
  search_text: fold(`${name} ${email ?? ''}`),
  email_key: email === null ? null : emailKey(email),
  title_key: textKey(title),
  department_key: textKey(department),
})

export const emailKey = (email: string) => email.toLowerCase()

/** A title or department in the form that filters compare; empty for null. */
export const textKey = (text: string | null) => (text === null ? '' : fold(text) || text)

/** Memberships repeat status and sort name, so that member lists use the order of the roster. */
function writeMemberships(write: RowWrite, before: readonly string[], after: StoredPerson): void {
  const user_id = uuidOf(after.id)
  const { status, created_at } = after
  const sort_name = sortName(after.name)
  const [previous, current] = [new Set(before), new Set(after.group_ids)]
  for (const group of previous.difference(current)) {
    write.delete('memberships', { group_id: uuidOf(group), user_id })
  }
  for (const group of current) {
    assert(status !== 'departed', 'a departed person is in no group')
    const row = { group_id: uuidOf(group), user_id, status, sort_name }
    if (previous.has(group)) write.update('memberships', row)
    else write.insert('memberships', { ...row, created_at, joined_at: write.now })
  }
}

import type { RoleName } from '@muster/contract'
import { sql } from 'kysely'

import type { Read, Write } from '#storage/statements/access'
import { isOneOf, isOwn } from '#storage/statements/keyset'
import { encodeId, encodeOptional, uuidOf } from '#storage/values/id'

/** A role of a person or a group. */
export interface StoredAccessEntry {
  readonly role: RoleName
  readonly user_id: string | null
  readonly group_id: string | null
  readonly is_granting: boolean
}

const entries = (read: Read) =>
  read.db
    .selectFrom('access_entries')
    .select(['role', 'user_id', 'group_id', 'is_granting'])
    .where('workspace_id', '=', read.workspaceId)

type Row = StoredAccessEntry

const presentEntry = ({ role, user_id, group_id, is_granting }: Row): StoredAccessEntry => ({
  role,
  user_id: encodeOptional('usr', user_id),
  group_id: encodeOptional('grp', group_id),
  is_granting,
})

/** All entries, in order of creation. */
export async function selectAccessEntries(read: Read): Promise<StoredAccessEntry[]> {
  const rows = await entries(read).orderBy('created_at').orderBy('subject_id').execute()
  return rows.map(presentEntry)
}

/** Advisory lock on who has which role: two changes could remove the last administrator. */
export async function lockAccess({ db, workspaceId }: Read): Promise<void> {
  const name = `access of ${workspaceId}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db)
}

/** For changes that depend on the roles and do not change them. */
export async function shareLockAccess({ db, workspaceId }: Read): Promise<void> {
  const name = `access of ${workspaceId}`
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`.execute(db)
}

/** The roles of these people and groups, by id, also those of archived groups. */
export async function selectRolesOf(
  read: Read,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RoleName>> {
  const found = await selectEntriesOf(read, ids)
  return new Map(found.map((entry) => [entry.user_id ?? entry.group_id ?? '', entry.role]))
}

/** The entries of these people and groups. */
export async function selectEntriesOf(
  read: Read,
  ids: readonly string[],
): Promise<StoredAccessEntry[]> {
  if (ids.length === 0) return []
  const rows = await entries(read)
    .where(isOneOf('subject_id', ids.map(uuidOf)))
    .execute()
  return rows.map(presentEntry)
}

export function insertAccessEntry(write: Write, entry: StoredAccessEntry): void {
  const subject = uuidOf(entry.user_id ?? entry.group_id ?? '')
  write.add(
    write.db.insertInto('access_entries').values({
      workspace_id: write.workspaceId,
      subject_id: subject,
      user_id: entry.user_id === null ? null : subject,
      group_id: entry.group_id === null ? null : subject,
      role: entry.role,
      is_granting: entry.is_granting,
      version: write.version,
      created_at: write.now,
    }),
  )
  write.touch('access')
}

/** Changes the role, or whether the entry gives it. */
export function updateAccessEntry(
  write: Write,
  id: string,
  change: Partial<Pick<StoredAccessEntry, 'role' | 'is_granting'>>,
): void {
  write.add(
    write.db
      .updateTable('access_entries')
      .set({ ...change, version: write.version })
      .where('workspace_id', '=', write.workspaceId)
      .where('subject_id', '=', uuidOf(id)),
  )
  write.touch('access')
}

export function deleteAccessEntries(write: Write, ids: readonly string[]): void {
  if (ids.length === 0) return
  write.add(
    write.db
      .deleteFrom('access_entries')
      .where('workspace_id', '=', write.workspaceId)
      .where(isOneOf('subject_id', ids.map(uuidOf))),
  )
  write.touch('access')
}

/** An active administrator, and the group that makes them one; null for their own entry. */
export interface AdministratorPath {
  readonly userId: string
  readonly groupId: string | null
}

/** At most 1001: one request changes at most 1000 people. */
export async function selectAdministrators(
  read: Read,
  { userIds, groupIds }: { userIds: readonly string[]; groupIds: readonly string[] },
): Promise<AdministratorPath[]> {
  const { rows } = await sql<{ user_id: string; group_id: string | null }>`
    select id as user_id, null::uuid as group_id from people
    where ${isOwn(read, 'people')} and status = 'active' and ${isOneOf('id', userIds.map(uuidOf))}
    union all
    select user_id, group_id from memberships
    where ${isOwn(read, 'memberships')} and status = 'active'
      and ${isOneOf('group_id', groupIds.map(uuidOf))}
    limit 1001`.execute(read.db)
  return rows.map(({ user_id, group_id }) => ({
    userId: encodeId('usr', user_id),
    groupId: encodeOptional('grp', group_id),
  }))
}

/** Whether a live service key has this scope for at least 24 hours more. */
export async function hasKeyWith(read: Read, scope: string): Promise<boolean> {
  const { rows } = await sql`
    select from api_keys
    where ${isOwn(read, 'api_keys')} and life = 'live' and user_id is null
      and ${scope} = any (scopes)
      and (expires_at is null or expires_at > now() + interval '24 hours')
    limit 1`.execute(read.db)
  return rows.length > 0
}

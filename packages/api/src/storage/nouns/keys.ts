import type { KeyStatus } from '@muster/contract'
import { type Selectable, sql } from 'kysely'

import type { Condition } from '#storage/lists/conditions'
import type { List, ListQuery } from '#storage/lists/index-ranges'
import type { DB } from '#storage/schema/tables'
import type { Read, Write } from '#storage/statements/access'
import { isOneOf } from '#storage/statements/keyset'
import { encodeActor, encodeId, encodeOptional, uuidOf, uuidOfOptional } from '#storage/values/id'

/** The columns of a key. */
export const keyColumns = [
  'id',
  'lineage',
  'name',
  'scopes',
  'project_ids',
  'hint',
  'allowed_cidrs',
  'created_by_type',
  'created_by_id',
  'created_by_user_id',
  'user_id',
  'responsible_user_id',
  'expires_at',
  'revoked_at',
  'replaces',
  'replaced_by',
  'rotated_at',
  'is_expiry_notified',
  'last_used_at',
  'last_used_from',
  'refused_at',
  'version',
  'created_at',
  'updated_at',
] as const satisfies (keyof DB['api_keys'])[]

export type KeyRow = Pick<Selectable<DB['api_keys']>, (typeof keyColumns)[number]>

export type StoredKey = ReturnType<typeof presentKey>

export function presentKey({ created_by_type, created_by_id, created_by_user_id, ...row }: KeyRow) {
  return {
    ...row,
    id: encodeId('key', row.id),
    lineage: encodeId('key', row.lineage),
    project_ids: row.project_ids?.map((uuid) => encodeId('prj', uuid)) ?? null,
    user_id: encodeOptional('usr', row.user_id),
    responsible_user_id: encodeOptional('usr', row.responsible_user_id),
    created_by: encodeActor(created_by_type, created_by_id, created_by_user_id),
    replaces: encodeOptional('key', row.replaces),
    replaced_by: encodeOptional('key', row.replaced_by),
  }
}

/** The clock of the database decides whether a key has expired, as in authentication. */
const hasStatus = (statuses: readonly KeyStatus[]): Condition => ({
  name: 'status',
  value: statuses,
  test: (given) => sql`array_position(${given}::text[], case
    when item.revoked_at is not null then 'revoked'
    when item.expires_at <= now() then 'expired'
    else 'active' end) is not null`,
})

function keysQuery(statuses: readonly KeyStatus[]): ListQuery {
  const lives = new Set(statuses.map((status) => (status === 'revoked' ? 'past' : 'live')))
  return {
    table: 'api_keys',
    columns: keyColumns,
    keys: [{ column: 'life', type: 'text', values: [...lives] }],
    order: [{ name: 'id', type: 'uuid' }],
    where: [hasStatus(statuses)],
  }
}

/** The keys with one of these statuses, by creation. */
export const keysList = (statuses: readonly KeyStatus[]): List<StoredKey> => ({
  query: keysQuery(statuses),
  present: presentKey,
})

const keyById = (read: Read, id: string) =>
  read.db
    .selectFrom('api_keys')
    .select(keyColumns)
    .where('workspace_id', '=', read.workspaceId)
    .where('id', '=', uuidOf(id))

export async function selectKey(read: Read, id: string): Promise<StoredKey | null> {
  const row = await keyById(read, id).executeTakeFirst()
  return row ? presentKey(row) : null
}

/** The names of these keys, by id. */
export async function selectKeyNames(
  read: Read,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await read.db
    .selectFrom('api_keys')
    .select(['id', 'name'])
    .where('workspace_id', '=', read.workspaceId)
    .where(isOneOf('id', ids.map(uuidOf)))
    .execute()
  return new Map(rows.map(({ id, name }) => [encodeId('key', id), name]))
}

/** Locks the key until the transaction ends. */
export async function lockKey(read: Read, id: string): Promise<StoredKey | null> {
  const row = await keyById(read, id).forNoKeyUpdate().executeTakeFirst()
  return row ? presentKey(row) : null
}

/** Locks all keys that are not revoked, by id. */
export async function lockLiveKeys(write: Write): Promise<StoredKey[]> {
  const rows = await write.db
    .selectFrom('api_keys')
    .select(keyColumns)
    .where('workspace_id', '=', write.workspaceId)
    .where('life', '=', 'live')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(presentKey)
}

/** From now until `before`. */
interface Span {
  readonly now: string
  readonly before: string
}

/** Live keys that expire within the span and have not been announced as expiring. */
const expiringKeys = (read: Read, { now, before }: Span) =>
  read.db
    .selectFrom('api_keys')
    .where('workspace_id', '=', read.workspaceId)
    .where('life', '=', 'live')
    .where('is_expiry_notified', '=', false)
    .where('replaced_by', 'is', null)
    .where('expires_at', '<', before)
    .where('expires_at', '>', now)

export async function hasExpiringKeys(read: Read, span: Span): Promise<boolean> {
  const row = await expiringKeys(read, span).select('id').limit(1).executeTakeFirst()
  return row !== undefined
}

/** Ordered by id. */
export async function lockExpiringKeys(write: Write, before: string): Promise<StoredKey[]> {
  const rows = await expiringKeys(write, { now: write.now, before })
    .select(keyColumns)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(presentKey)
}

export function insertKey(write: Write, key: StoredKey, hash: Buffer): void {
  const { created_by, version: _, ...row } = key
  write.add(
    write.db.insertInto('api_keys').values({
      ...row,
      workspace_id: write.workspaceId,
      id: uuidOf(key.id),
      lineage: uuidOf(key.lineage),
      project_ids: key.project_ids?.map(uuidOf) ?? null,
      hash,
      created_by_type: created_by.type,
      created_by_id: uuidOfOptional(created_by.id),
      created_by_user_id: uuidOfOptional(created_by.user_id),
      user_id: uuidOfOptional(key.user_id),
      responsible_user_id: uuidOfOptional(key.responsible_user_id),
      replaces: uuidOfOptional(key.replaces),
      replaced_by: uuidOfOptional(key.replaced_by),
      version: write.version,
    }),
  )
  write.count('keys', 1)
  write.touch('keys')
}

/** Columns without a sequence number, such as the last use, are not written. */
export function updateKey(write: Write, before: StoredKey, after: StoredKey): void {
  write.add(
    write.db
      .updateTable('api_keys')
      .set({
        name: after.name,
        responsible_user_id: uuidOfOptional(after.responsible_user_id),
        allowed_cidrs: after.allowed_cidrs,
        project_ids: after.project_ids?.map(uuidOf) ?? null,
        expires_at: after.expires_at,
        revoked_at: after.revoked_at,
        replaced_by: uuidOfOptional(after.replaced_by),
        rotated_at: after.rotated_at,
        is_expiry_notified: after.is_expiry_notified,
        refused_at: after.refused_at,
        updated_at: after.updated_at,
        version: write.version,
      })
      .where('workspace_id', '=', write.workspaceId)
      .where('id', '=', uuidOf(after.id)),
  )
  if (before.revoked_at === null && after.revoked_at !== null) write.count('keys', -1)
  write.touch('keys')
}

interface KeyUse {
  readonly network: string | null
  /** Null for the time of the database. */
  readonly time: Date | null
}

/** At most one write a minute for each key, with any number of processes. */
export async function updateLastUse(
  read: Read,
  id: string,
  { network, time }: KeyUse,
): Promise<void> {
  const now = sql<string>`coalesce(${time?.toISOString() ?? null}::timestamptz, now())`
  await read.db
    .updateTable('api_keys')
    .set({ last_used_at: now, last_used_from: network })
    .where('workspace_id', '=', read.workspaceId)
    .where('id', '=', uuidOf(id))
    .where((eb) =>
      eb.or([
        eb('last_used_at', 'is', null),
        eb('last_used_at', '<', sql<string>`${now} - interval '1 minute'`),
      ]),
    )
    .execute()
}

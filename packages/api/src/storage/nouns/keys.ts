import { type Kysely, type Selectable, sql } from 'kysely'

import type { Read, Write } from './database.ts'
import { epochOf } from './epoch.ts'
import { encodeId, encodeOptional, uuidOf, uuidOfOptional } from './id.ts'
import type { Page } from './keyset.ts'
import { countLanes, type LaneQuery, selectLanes } from './lanes.ts'
import type { DB } from './tables.ts'

/** What someone presents at the door: a workspace, and the hash of a key or session of it. */
export interface Knock {
  readonly workspaceId: string
  readonly hash: Buffer
}

interface DoorRow {
  place: number
  key_id: string
  lineage: string
  scopes: string[]
  status: KeyStatus
  allowed_cidrs: string[]
  expires_at: string | null
  rotated_at: string | null
  is_use_due: boolean
  is_refusal_due: boolean
  is_suspended: boolean
  life: string
  personnel_seq: number
  groups_seq: number
  projects_seq: number
  risks_seq: number
  issues_seq: number
  tasks_seq: number
  keys_seq: number
}

type KeyStatus = 'active' | 'expired' | 'revoked'

export type Visitor = ReturnType<typeof presentVisitor>

/**
 * The one query that opens every request, for all that are waiting: each knock's visitor, or null.
 */
export async function selectVisitors(
  db: Kysely<DB>,
  knocks: readonly Knock[],
): Promise<(Visitor | null)[]> {
  const workspaces = knocks.map(({ workspaceId }) => uuidOf(workspaceId))
  const hashes = knocks.map(({ hash }) => hash)
  const { rows } = await sql<DoorRow>`
    select place, key_id, lineage, scopes, status, allowed_cidrs, expires_at, rotated_at,
      is_use_due, is_refusal_due, is_suspended, life,
      personnel_seq, groups_seq, projects_seq, risks_seq, issues_seq, tasks_seq, keys_seq
    from open_door(${workspaces}, ${hashes})`.execute(db)
  const byPlace = new Map(rows.map((row) => [row.place, row]))
  return workspaces.map((workspaceId, index) => {
    const row = byPlace.get(index + 1)
    return row ? presentVisitor(row, workspaceId) : null
  })
}

function presentVisitor(row: DoorRow, workspaceId: string) {
  return {
    keyId: encodeId('key', row.key_id),
    lineage: encodeId('key', row.lineage),
    scopes: row.scopes,
    status: row.status,
    allowedCidrs: row.allowed_cidrs,
    expiresAt: row.expires_at,
    rotatedAt: row.rotated_at,
    isUseDue: row.is_use_due,
    isRefusalDue: row.is_refusal_due,
    isSuspended: row.is_suspended,
    epoch: epochOf(row.life, workspaceId),
    numbers: {
      personnel: row.personnel_seq,
      groups: row.groups_seq,
      projects: row.projects_seq,
      risks: row.risks_seq,
      issues: row.issues_seq,
      tasks: row.tasks_seq,
      keys: row.keys_seq,
    },
  }
}

const columns = [
  'id',
  'lineage',
  'name',
  'scopes',
  'hint',
  'allowed_cidrs',
  'created_by_type',
  'created_by_id',
  'expires_at',
  'revoked_at',
  'replaces',
  'replaced_by',
  'rotated_at',
  'is_expiry_told',
  'last_used_at',
  'last_used_from',
  'refused_at',
  'version',
  'created_at',
  'updated_at',
] as const satisfies (keyof DB['api_keys'])[]

type Row = Pick<Selectable<DB['api_keys']>, (typeof columns)[number]>

export type StoredKey = ReturnType<typeof presentKey>

function presentKey({ created_by_type, created_by_id, ...row }: Row) {
  return {
    ...row,
    id: encodeId('key', row.id),
    lineage: encodeId('key', row.lineage),
    created_by: { type: created_by_type, id: encodeOptional('key', created_by_id) },
    replaces: encodeOptional('key', row.replaces),
    replaced_by: encodeOptional('key', row.replaced_by),
  }
}

/** Whether a key has ended follows the clock of the database, as it does at the door. */
function keysQuery(statuses: readonly KeyStatus[]): LaneQuery {
  const lives = new Set(statuses.map((status) => (status === 'revoked' ? 'past' : 'live')))
  const given = sql`${statuses}::text[]`
  const status = sql`case
    when item.revoked_at is not null then 'revoked'
    when item.expires_at <= now() then 'expired'
    else 'active' end`
  return {
    table: 'api_keys',
    columns,
    keys: [{ column: 'life', type: 'text', values: [...lives] }],
    order: [{ name: 'id', type: 'uuid' }],
    where: [sql`array_position(${given}, ${status}) is not null`],
  }
}

export const selectKeys = (read: Read, statuses: readonly KeyStatus[], page: Page) =>
  selectLanes(read, keysQuery(statuses), { page, present: presentKey })

/** How many there are, counted no further than `max` + 1. */
export const countKeys = (read: Read, statuses: readonly KeyStatus[], max: number) =>
  countLanes(read, keysQuery(statuses), max)

const keyById = (read: Read, id: string) =>
  read.db
    .selectFrom('api_keys')
    .select(columns)
    .where('workspace_id', '=', read.workspaceId)
    .where('id', '=', uuidOf(id))

export async function selectKey(read: Read, id: string): Promise<StoredKey | null> {
  const row = await keyById(read, id).executeTakeFirst()
  return row ? presentKey(row) : null
}

/** The key as it is now, held until the transaction ends. */
export async function lockKey(read: Read, id: string): Promise<StoredKey | null> {
  const row = await keyById(read, id).forNoKeyUpdate().executeTakeFirst()
  return row ? presentKey(row) : null
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
    .where('is_expiry_told', '=', false)
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
    .select(columns)
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
      hash,
      created_by_type: created_by.type,
      created_by_id: uuidOfOptional(created_by.id),
      replaces: uuidOfOptional(key.replaces),
      replaced_by: uuidOfOptional(key.replaced_by),
      version: write.version,
    }),
  )
  write.count('keys', 1)
  write.touch('keys')
}

/** What is noted beside the sequence, such as its last use, is left as it is. */
export function updateKey(write: Write, before: StoredKey, after: StoredKey): void {
  write.add(
    write.db
      .updateTable('api_keys')
      .set({
        name: after.name,
        allowed_cidrs: after.allowed_cidrs,
        expires_at: after.expires_at,
        revoked_at: after.revoked_at,
        replaced_by: uuidOfOptional(after.replaced_by),
        rotated_at: after.rotated_at,
        is_expiry_told: after.is_expiry_told,
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

/** At most one write a minute for each key, however many processes serve it. */
export async function updateLastUse(read: Read, id: string, network: string | null): Promise<void> {
  await read.db
    .updateTable('api_keys')
    .set({ last_used_at: sql`now()`, last_used_from: network })
    .where('workspace_id', '=', read.workspaceId)
    .where('id', '=', uuidOf(id))
    .where((eb) =>
      eb.or([
        eb('last_used_at', 'is', null),
        eb('last_used_at', '<', sql<string>`now() - interval '1 minute'`),
      ]),
    )
    .execute()
}

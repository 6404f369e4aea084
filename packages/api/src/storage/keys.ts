import { type Kysely, sql } from 'kysely'

import type { Read, Write } from './database.ts'
import { epochOf } from './epoch.ts'
import { encodeId, uuidOf } from './id.ts'
import type { DB } from './tables.ts'

/** What someone presents at the door: a workspace, and the hash of a key that should be of it. */
export interface Knock {
  readonly workspaceId: string
  readonly hash: Buffer
}

interface DoorRow {
  place: number
  key_id: string
  lineage: string
  scopes: string[]
  status: 'active' | 'expired' | 'revoked'
  is_use_due: boolean
  life: string
  personnel_seq: number
  groups_seq: number
  projects_seq: number
  risks_seq: number
  issues_seq: number
  tasks_seq: number
}

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
    select place, key_id, lineage, scopes, status, is_use_due, life,
      personnel_seq, groups_seq, projects_seq, risks_seq, issues_seq, tasks_seq
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
    isUseDue: row.is_use_due,
    epoch: epochOf(row.life, workspaceId),
    numbers: {
      personnel: row.personnel_seq,
      groups: row.groups_seq,
      projects: row.projects_seq,
      risks: row.risks_seq,
      issues: row.issues_seq,
      tasks: row.tasks_seq,
    },
  }
}

const columns = [
  'id',
  'name',
  'scopes',
  'hint',
  'created_at',
  'expires_at',
  'revoked_at',
  'last_used_at',
] as const satisfies (keyof DB['api_keys'])[]

/** Whether it can be used follows the clock of the database, as it does at the door. */
const status = sql<'active' | 'expired' | 'revoked'>`case
  when revoked_at is not null then 'revoked'
  when expires_at <= now() then 'expired'
  else 'active' end`

export type StoredKey = Awaited<ReturnType<typeof selectKeys>>[number]

export async function selectKeys(read: Read) {
  const rows = await read.db
    .selectFrom('api_keys')
    .select(columns)
    .select(status.as('status'))
    .where('workspace_id', '=', read.workspaceId)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, id: encodeId('key', row.id) }))
}

export async function selectKey(read: Read, id: string): Promise<StoredKey | null> {
  const row = await read.db
    .selectFrom('api_keys')
    .select(columns)
    .select(status.as('status'))
    .where('workspace_id', '=', read.workspaceId)
    .where('id', '=', uuidOf(id))
    .executeTakeFirst()
  return row ? { ...row, id: encodeId('key', row.id) } : null
}

export async function selectKeyIdByHash(read: Read, hash: Buffer): Promise<string | null> {
  const row = await read.db
    .selectFrom('api_keys')
    .select('id')
    .where('workspace_id', '=', read.workspaceId)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return row ? encodeId('key', row.id) : null
}

export interface NewKey {
  readonly id: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly hash: Buffer
  readonly hint: string
  readonly expires_at: string | null
}

export function insertKey(write: Write, key: NewKey): void {
  write.add(
    write.db.insertInto('api_keys').values({
      workspace_id: write.workspaceId,
      id: uuidOf(key.id),
      lineage: uuidOf(key.id),
      hash: key.hash,
      hint: key.hint,
      name: key.name,
      scopes: [...key.scopes],
      version: write.version,
      created_at: write.now,
      expires_at: key.expires_at,
    }),
  )
  write.count('keys', 1)
}

/** The key as it is now, held until the write ends. */
export async function lockKey(write: Write, id: string) {
  const row = await write.db
    .selectFrom('api_keys')
    .select(['revoked_at'])
    .where('workspace_id', '=', write.workspaceId)
    .where('id', '=', uuidOf(id))
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ?? null
}

export function revokeKey(write: Write, id: string): void {
  write.add(
    write.db
      .updateTable('api_keys')
      .set({ revoked_at: write.now, version: write.version })
      .where('workspace_id', '=', write.workspaceId)
      .where('id', '=', uuidOf(id)),
  )
  write.count('keys', -1)
}

/** At most one write a minute for each key, however many processes serve it. */
export async function updateLastUse(read: Read, id: string): Promise<void> {
  await read.db
    .updateTable('api_keys')
    .set({ last_used_at: sql`now()` })
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

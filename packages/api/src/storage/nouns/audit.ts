import type { AuditType } from '@muster/contract'
import { type Compilable, type Selectable, sql } from 'kysely'

import { isAmong } from '#storage/lists/conditions'
import { leadingKeys, type List } from '#storage/lists/index-ranges'
import type { DB } from '#storage/schema/tables'
import type { Actor, Read, Write } from '#storage/statements/access'
import { isOwn } from '#storage/statements/keyset'
import {
  encodeActor,
  encodeId,
  encodeOptional,
  uuidAt,
  uuidOf,
  uuidOfOptional,
} from '#storage/values/id'

export const auditColumns = [
  'id',
  'type',
  'actor_type',
  'actor_id',
  'actor_user_id',
  'user_id',
  'subject_id',
  'reason',
  'network',
  'user_agent',
  'count',
  'occurred_at',
  'is_imported',
] as const satisfies (keyof DB['audit_entries'])[]

export type AuditRow = Pick<Selectable<DB['audit_entries']>, (typeof auditColumns)[number]>

export type StoredAuditEntry = ReturnType<typeof presentEntry>

export function presentEntry({ actor_type, actor_id, actor_user_id, ...row }: AuditRow) {
  return {
    ...row,
    id: encodeId('aud', row.id),
    actor: encodeActor(actor_type, actor_id, actor_user_id),
    user_id: encodeOptional('usr', row.user_id),
  }
}

/** Null for no filter. */
interface AuditFilter {
  readonly types: readonly string[] | null
  readonly userIds: readonly string[] | null
}

/** The audit log, newest first. A filter by person chooses the index, so it needs no condition. */
export const auditList = ({ types, userIds }: AuditFilter): List<StoredAuditEntry> => ({
  query: {
    table: 'audit_entries',
    columns: auditColumns,
    keys: leadingKeys([
      { column: 'user_id', type: 'uuid', values: userIds?.map(uuidOf) ?? null },
      { column: 'type', type: 'text', values: types },
    ]),
    order: [
      { name: 'occurred_at', type: 'timestamptz' },
      { name: 'id', type: 'uuid' },
    ],
    isDescending: true,
    where: [isAmong('type', types, 'text')],
  },
  present: presentEntry,
})

/** An entry to add to the audit log. */
export interface NewAuditEntry {
  readonly type: AuditType
  readonly actor: Actor
  /** The person that the entry is about. */
  readonly userId?: string | null
  /** The id of the key, passkey, session or group that the entry is about. */
  readonly subjectId?: string | null
  readonly reason?: string | null
  /** How many times it happened; 1 unless given. */
  readonly count?: number
  readonly network: string | null
  readonly userAgent: string | null
}

const rowOf = (entry: NewAuditEntry) => ({
  type: entry.type,
  actor_type: entry.actor.type,
  actor_id: uuidOfOptional(entry.actor.id),
  actor_user_id: uuidOfOptional(entry.actor.user_id),
  user_id: uuidOfOptional(entry.userId ?? null),
  subject_id: entry.subjectId ?? null,
  reason: entry.reason ?? null,
  count: entry.count ?? 1,
  network: entry.network,
  user_agent: entry.userAgent,
})

/** Adds an entry in a transaction without a sequence number. Its time is the database's. */
export function insertAuditEntry(read: Read, entry: NewAuditEntry): Compilable & Executable {
  return read.db.insertInto('audit_entries').values({
    workspace_id: read.workspaceId,
    id: uuidAt(Date.now() * 1000),
    ...rowOf(entry),
    occurred_at: sql`now()`,
  })
}

interface Executable {
  execute(): Promise<unknown>
}

/** Adds an entry in the transaction of the change that it is about. */
export function addAuditEntry(write: Write, entry: NewAuditEntry): void {
  const id = uuidOf(write.newId('aud'))
  write.insert('audit_entries', { id, ...rowOf(entry), occurred_at: write.now })
}

/** A refusal to record. */
export interface NewRefusal extends NewAuditEntry {
  readonly count: number
  /** How long ago it happened, or began to happen. */
  readonly ageSeconds: number
  readonly isAnonymous: boolean
}

/**
 * Inserts refusals and returns their number. An unknown workspace, or one that is being removed,
 * gets no entry. An erased person is not named, nor their credential.
 */
export async function insertRefusals(read: Read, refusals: readonly NewRefusal[]): Promise<number> {
  const rows = refusals.map(({ count, ageSeconds, isAnonymous, ...entry }) => ({
    ...rowOf(entry),
    id: uuidAt(Date.now() * 1000),
    count,
    age: ageSeconds,
    is_anonymous: isAnonymous,
  }))
  const { numAffectedRows } = await sql`
    insert into audit_entries (workspace_id, id, type, actor_type, actor_id, actor_user_id,
      user_id, subject_id, reason, network, user_agent, count, is_anonymous, occurred_at)
    select workspace_counters.workspace_id, r.id, r.type,
      case when is_named then r.actor_type else 'system' end,
      case when is_named then r.actor_id end, case when is_named then r.actor_user_id end,
      people.id, case when is_named then r.subject_id end,
      r.reason, r.network, r.user_agent, r.count, r.is_anonymous,
      now() - make_interval(secs => r.age)
    from workspace_counters
    cross join json_to_recordset(${JSON.stringify(rows)}::json) as r (id uuid, type text,
      actor_type text, actor_id uuid, actor_user_id uuid, user_id uuid, subject_id text,
      reason text, network text, user_agent text, count integer, is_anonymous boolean,
      age double precision)
    left join people
      on ${isOwn(read, 'people')} and people.id = r.user_id and people.erased_at is null
    cross join lateral (select r.user_id is null or people.id is not null as is_named) as naming
    where ${isOwn(read, 'workspace_counters')}`.execute(read.db)
  return Number(numAffectedRows ?? 0)
}

/** The most refusals that one call deletes. */
const refusalsPerDelete = 100

interface KeptRefusals {
  readonly isAnonymous: boolean
  readonly keptMax: number
}

/** Deletes the oldest refusals above `keptMax`. Skips rows that a concurrent call deletes. */
export async function deleteOldestRefusals(
  read: Read,
  { isAnonymous, keptMax }: KeptRefusals,
): Promise<void> {
  await sql`
    delete from audit_entries where ${isOwn(read, 'audit_entries')} and id = any(array(
      select id from audit_entries
      where ${isOwn(read, 'audit_entries')} and is_anonymous = ${isAnonymous}
        and type in ('sign_in.failed', 'request.refused')
      order by occurred_at desc, id desc offset ${keptMax} limit ${refusalsPerDelete}
      for update skip locked
    ))`.execute(read.db)
}

const isOld = (before: string) => sql<boolean>`occurred_at < ${before}::timestamptz`

/** Whether the workspace has entries from before this time. */
export async function hasOldEntries(read: Read, before: string): Promise<boolean> {
  const row = await read.db
    .selectFrom('audit_entries')
    .select('id')
    .where('workspace_id', '=', read.workspaceId)
    .where(isOld(before))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes entries from before this time, the oldest first. Returns their number. */
export async function deleteOldEntries(
  read: Read,
  before: string,
  atMost: number,
): Promise<number> {
  const { numDeletedRows } = await read.db
    .deleteFrom('audit_entries')
    .where('workspace_id', '=', read.workspaceId)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('audit_entries')
        .select('id')
        .where('workspace_id', '=', read.workspaceId)
        .where(isOld(before))
        .orderBy('occurred_at')
        .orderBy('id')
        .limit(atMost)
        .forUpdate()
        .skipLocked(),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/**
 * Removes network and client from the entries about a person and by a person. In entries of the
 * previous release, the key of a failure contains the network, too.
 */
export function eraseAuditEntries(write: Write, userId: string): void {
  for (const column of ['user_id', 'actor_user_id'] as const) {
    write.add(
      write.db
        .updateTable('audit_entries')
        .set({ network: null, user_agent: null, failure_key: null })
        .where('workspace_id', '=', write.workspaceId)
        .where(column, '=', uuidOf(userId)),
    )
  }
}

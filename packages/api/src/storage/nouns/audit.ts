import type { AuditType } from '@muster/contract'
import { type Compilable, type Selectable, sql } from 'kysely'

import type { Actor, Read, Write } from '#storage/engine/access'
import {
  encodeActor,
  encodeId,
  encodeOptional,
  uuidAt,
  uuidOf,
  uuidOfOptional,
} from '#storage/engine/id'
import type { DB } from '#storage/engine/tables'
import { isAmong } from '#storage/lists/conditions'
import { leadingKeys, type List } from '#storage/lists/index-ranges'
import { isOwn } from '#storage/lists/keyset'

const columns = [
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
] as const satisfies (keyof DB['audit_entries'])[]

type Row = Pick<Selectable<DB['audit_entries']>, (typeof columns)[number]>

export type StoredAuditEntry = ReturnType<typeof presentEntry>

function presentEntry({ actor_type, actor_id, actor_user_id, ...row }: Row) {
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
    columns,
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

/** A failure to record. */
export interface NewFailure extends Pick<
  NewAuditEntry,
  'userId' | 'subjectId' | 'network' | 'userAgent'
> {
  readonly reason: string
  /** Null for the time of the database. */
  readonly time: Date | null
}

/**
 * Counts a failure in the row of its network and minute. A detail in which the failures of a row
 * differ becomes null. Returns whether the row is new. An unknown workspace, or one that is being
 * removed, gets no row. An erased person is not named, nor their credential.
 */
export async function upsertFailure(read: Read, failure: NewFailure): Promise<boolean> {
  const { time, network, userAgent, reason } = failure
  const userId = uuidOfOptional(failure.userId ?? null)
  const now = sql`coalesce(${time?.toISOString() ?? null}::timestamptz, now())`
  const common = (column: string) => {
    const [kept, given] = [sql.ref(`kept.${column}`), sql.ref(`excluded.${column}`)]
    return sql`${sql.ref(column)} = case when ${kept} = ${given} then ${kept} end`
  }
  const { rows } = await sql<{ is_new: boolean }>`
    insert into audit_entries as kept (workspace_id, id, type, actor_type, user_id, subject_id,
      reason, network, user_agent, failure_key, occurred_at)
    select workspace_counters.workspace_id, ${uuidAt(Date.now() * 1000)}::uuid, 'sign_in.failed',
      'system', people.id,
      case when ${userId}::uuid is null or people.id is not null
        then ${failure.subjectId ?? null}::text end,
      ${reason}::text, ${network}::text, ${userAgent}::text,
      concat(${network}::text, ' ', floor(extract(epoch from ${now}) / 60)), ${now}
    from workspace_counters left join people
      on ${isOwn(read, 'people')} and people.id = ${userId}::uuid and people.erased_at is null
    where ${isOwn(read, 'workspace_counters')}
    on conflict (workspace_id, failure_key) where failure_key is not null do update set
      count = kept.count + 1,
      ${sql.join(['user_id', 'subject_id', 'reason', 'user_agent'].map(common))}
    returning xmax = 0 as is_new`.execute(read.db)
  return rows[0]?.is_new ?? false
}

/** The most failures that one call deletes. */
const failuresPerDelete = 100

/** Deletes the oldest failures above `keptMax`. Skips rows that a concurrent call deletes. */
export async function deleteOldestFailures(read: Read, keptMax: number): Promise<void> {
  await sql`
    delete from audit_entries where ${isOwn(read, 'audit_entries')} and id = any(array(
      select id from audit_entries
      where ${isOwn(read, 'audit_entries')} and type = 'sign_in.failed'
      order by occurred_at desc, id desc offset ${keptMax} limit ${failuresPerDelete}
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
 * Removes network and client from the entries about a person and by a person. The key of a failure
 * contains the network, too.
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

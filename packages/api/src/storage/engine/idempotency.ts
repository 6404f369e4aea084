import { sql } from 'kysely'

import type { Read, Write } from './database.ts'
import { isOwn } from './keyset.ts'
import { StorageError } from './storage-error.ts'

/** One request that may come again. */
export interface Repeatable {
  /** Of who asks for what under which Idempotency-Key. */
  readonly digest: Buffer
  /** Of the body. */
  readonly fingerprint: Buffer
  /** Set when the answer is that of an earlier request. */
  isReplay: boolean
}

/** A request waits here for its twin, up to `lock_timeout`. The lock ends with the transaction. */
export async function waitForTwin(read: Read, { digest }: Repeatable): Promise<void> {
  const lock = sql`select pg_advisory_xact_lock(${digest.readBigInt64BE().toString()}::bigint)`
  try {
    await lock.execute(read.db)
  } catch (error) {
    const isTimeout = error instanceof StorageError && error.code === '55P03'
    throw isTimeout ? new StorageError('twin_running', { cause: error }) : error
  }
}

export async function selectRecord(read: Read, { digest }: Repeatable) {
  const record = await read.db
    .selectFrom('idempotency_records')
    .select(['fingerprint', 'seq', 'result'])
    .where('workspace_id', '=', read.workspaceId)
    .where('digest', '=', digest)
    .executeTakeFirst()
  return record ?? null
}

export interface Answer {
  readonly repeatable: Repeatable
  readonly result: unknown
  /** Whether it may hold something of a person. */
  readonly isPersonal: boolean
  readonly now: string
}

export function insertRecord(read: Read, { repeatable, result, isPersonal, now }: Answer) {
  return read.db.insertInto('idempotency_records').values((eb) => ({
    workspace_id: read.workspaceId,
    digest: repeatable.digest,
    fingerprint: repeatable.fingerprint,
    seq: eb
      .selectFrom('workspace_counters')
      .select('seq')
      .where('workspace_id', '=', read.workspaceId)
      .$asScalar()
      .$castTo<number>(),
    // Text, so that the answer comes back to the byte.
    result: JSON.stringify(result),
    is_personal: isPersonal,
    created_at: now,
  }))
}

const keptHours = 24

const isExpired = sql<boolean>`created_at < now() - make_interval(hours => ${keptHours})`

/** Whether the workspace has records that no request can be answered from any more. */
export async function hasOldRecords(read: Read): Promise<boolean> {
  const row = await read.db
    .selectFrom('idempotency_records')
    .select('digest')
    .where('workspace_id', '=', read.workspaceId)
    .where(isExpired)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Deletes expired records, the oldest first. Each keyed write deletes a few, and the daily sweep
 * deletes the rest: a record exists for at most two days, also in a workspace without writes.
 */
export function deleteOldRecords(read: Read, atMost: number) {
  return read.db
    .deleteFrom('idempotency_records')
    .where('workspace_id', '=', read.workspaceId)
    .where('digest', 'in', (eb) =>
      eb
        .selectFrom('idempotency_records')
        .select('digest')
        .where('workspace_id', '=', read.workspaceId)
        .where(isExpired)
        .orderBy('created_at')
        .limit(atMost)
        .forUpdate()
        .skipLocked(),
    )
}

/** Rewrites what is kept of answers in which a person is named. */
export async function rewriteRecords(
  write: Write,
  userId: string,
  rewrite: (result: unknown) => unknown,
): Promise<void> {
  const { rows } = await sql<{ digest: Buffer; result: unknown }>`
    select digest, result from idempotency_records
    where ${isOwn(write, 'idempotency_records')} and is_personal
      and strpos(result::text, ${userId}) > 0
    order by digest for update`.execute(write.db)
  for (const { digest, result } of rows) {
    write.add(
      write.db
        .updateTable('idempotency_records')
        .set({ result: JSON.stringify(rewrite(result)) })
        .where('workspace_id', '=', write.workspaceId)
        .where('digest', '=', digest),
    )
  }
}

import { limits } from '@muster/contract'
import { sql } from 'kysely'

import { isOwn } from '#storage/lists/keyset'

import type { IdempotentRequest, Read, Write } from './access.ts'
import { StorageError } from './storage-error.ts'

/**
 * Waits for a request with the same Idempotency-Key, up to `lock_timeout`. The advisory lock ends
 * with the transaction.
 */
export async function waitForDuplicate(read: Read, { digest }: IdempotentRequest): Promise<void> {
  const lock = sql`select pg_advisory_xact_lock(${digest.readBigInt64BE().toString()}::bigint)`
  try {
    await lock.execute(read.db)
  } catch (error) {
    const isTimeout = error instanceof StorageError && error.code === '55P03'
    throw isTimeout ? new StorageError('duplicate_running', { cause: error }) : error
  }
}

export async function selectIdempotencyRecord(read: Read, { digest }: IdempotentRequest) {
  const record = await read.db
    .selectFrom('idempotency_records')
    .select(['fingerprint', 'seq', 'result'])
    .where('workspace_id', '=', read.workspaceId)
    .where('digest', '=', digest)
    .executeTakeFirst()
  return record ?? null
}

export interface RecordedResult {
  readonly idempotentRequest: IdempotentRequest
  readonly result: unknown
  /** Whether it may contain personal data. */
  readonly isPersonal: boolean
  readonly now: string
}

export function insertIdempotencyRecord(
  read: Read,
  { idempotentRequest, result, isPersonal, now }: RecordedResult,
) {
  return read.db.insertInto('idempotency_records').values((eb) => ({
    workspace_id: read.workspaceId,
    digest: idempotentRequest.digest,
    fingerprint: idempotentRequest.fingerprint,
    seq: eb
      .selectFrom('workspace_counters')
      .select('seq')
      .where('workspace_id', '=', read.workspaceId)
      .$asScalar()
      .$castTo<number>(),
    // Text, so that a replay has the same bytes.
    result: JSON.stringify(result),
    is_personal: isPersonal,
    created_at: now,
  }))
}

const isExpired = sql<boolean>`created_at
  < now() - make_interval(hours => ${limits.idempotencyKeptHours})`

/** Whether the workspace has expired records. */
export async function hasExpiredRecords(read: Read): Promise<boolean> {
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
export function deleteExpiredRecords(read: Read, atMost: number) {
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

/** Rewrites the recorded results that name a person. */
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

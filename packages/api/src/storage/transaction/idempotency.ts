import { limits } from '@muster/contract'
import { type CompiledQuery, sql } from 'kysely'

import type { IdempotentRequest, Read, Write } from '#storage/statements/access'
import { isOwn } from '#storage/statements/keyset'
import { currentNumber } from '#storage/statements/rows'
import { template } from '#storage/statements/template'
import { StorageError } from '#storage/values/storage-error'

const lock = template<{ key: string }>(
  (given) => sql`select pg_advisory_xact_lock(${given.key}::bigint)`,
)

/**
 * Waits for a request with the same Idempotency-Key, up to `lock_timeout`. The advisory lock ends
 * with the transaction.
 */
export async function waitForDuplicate(read: Read, { digest }: IdempotentRequest): Promise<void> {
  try {
    await lock.execute(read, { key: digest.readBigInt64BE().toString() })
  } catch (error) {
    const isTimeout = error instanceof StorageError && error.code === '55P03'
    throw isTimeout ? new StorageError('duplicate_running', { cause: error }) : error
  }
}

interface RecordKey extends Pick<Read, 'workspaceId'> {
  readonly digest: Buffer
}

interface StoredResult {
  readonly fingerprint: Buffer
  readonly seq: number
  readonly result: unknown
  /** The UUIDs of the projects that the result is about. */
  readonly project_ids: readonly string[] | null
}

const record = template<RecordKey, StoredResult>((given, db) =>
  db
    .selectFrom('idempotency_records')
    .select(['fingerprint', 'seq', 'result', 'project_ids'])
    .where('workspace_id', '=', given.workspaceId)
    .where('digest', '=', given.digest)
    .forUpdate(),
)

/**
 * The lock is written to the WAL. The COMMIT of a replay therefore waits for the synchronous
 * standby, which then also has the record: its own COMMIT may have ended without that wait.
 */
export async function selectIdempotencyRecord(read: Read, { digest }: IdempotentRequest) {
  const [row] = await record.execute(read, { workspaceId: read.workspaceId, digest })
  return row ?? null
}

export interface RecordedResult {
  readonly idempotentRequest: IdempotentRequest
  readonly result: unknown
  /** Whether it may contain personal data. */
  readonly isPersonal: boolean
  /** The UUIDs of the projects that it is about. */
  readonly projects: string[]
  readonly now: string
}

interface NewRecord extends RecordKey {
  readonly fingerprint: Buffer
  readonly result: string
  readonly isPersonal: boolean
  readonly projects: string[] | null
  readonly now: string
}

const newRecord = template<NewRecord>((given, db) =>
  db.insertInto('idempotency_records').values({
    workspace_id: given.workspaceId,
    digest: given.digest,
    fingerprint: given.fingerprint,
    seq: currentNumber(given),
    result: given.result,
    is_personal: given.isPersonal,
    project_ids: given.projects,
    created_at: given.now,
  }),
)

export function insertIdempotencyRecord(
  read: Read,
  { idempotentRequest, result, isPersonal, projects, now }: RecordedResult,
): CompiledQuery {
  const { digest, fingerprint } = idempotentRequest
  // Text, so that a replay has the same bytes.
  const text = JSON.stringify(result)
  const { workspaceId } = read
  return newRecord.compile(read, {
    workspaceId,
    digest,
    fingerprint,
    result: text,
    isPersonal,
    projects: projects.length > 0 ? projects : null,
    now,
  })
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

const expired = template<{ workspaceId: string; atMost: number }>((given, db) =>
  db
    .deleteFrom('idempotency_records')
    .where('workspace_id', '=', given.workspaceId)
    .where('digest', 'in', (eb) =>
      eb
        .selectFrom('idempotency_records')
        .select('digest')
        .where('workspace_id', '=', given.workspaceId)
        .where(isExpired)
        .orderBy('created_at')
        .limit(given.atMost)
        .forUpdate()
        .skipLocked(),
    ),
)

/**
 * Deletes expired records, the oldest first. Each keyed write deletes a few, and the daily sweep
 * deletes the rest: a record exists for at most two days, also in a workspace without writes.
 */
export const deleteExpiredRecords = (read: Read, atMost: number): CompiledQuery =>
  expired.compile(read, { workspaceId: read.workspaceId, atMost })

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

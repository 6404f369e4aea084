import type { CompiledQuery } from 'kysely'

import { type Connection, inOrder } from '#storage/connection/connection'
import type { IdempotentRequest } from '#storage/statements/access'
import { StorageError } from '#storage/values/storage-error'
import { TimeSlice } from '#storage/values/time-slice'

import { deleteExpiredRecords, insertIdempotencyRecord } from './idempotency.ts'
import type { PendingWrite } from './write.ts'

/** The number of expired idempotency records that a keyed write deletes at most. */
const recordsPerWrite = 20

interface Outcome {
  readonly idempotentRequest: IdempotentRequest | null
  readonly result: unknown
  readonly timeoutMs: number
}

/**
 * Sends all statements and COMMIT in one pipeline and returns the sequence number. If the server
 * refuses a statement, COMMIT fails too. If the connection is lost, the outcome is unknown.
 *
 * The first statement locks the workspace. So all are compiled before, in time slices.
 */
export async function flush(
  connection: Connection,
  write: PendingWrite,
  outcome: Outcome,
): Promise<number> {
  const { timeoutMs } = outcome
  const statements: CompiledQuery[] = []
  const slice = new TimeSlice()
  for (const statement of statementsOf(write, outcome)) {
    statements.push(statement)
    await slice.step()
  }
  const sent = statements.map((statement) => connection.send(statement, timeoutMs))
  const committed = commit(connection, timeoutMs)
  committed.catch(() => {})
  try {
    const [bumped] = await inOrder(sent)
    await committed
    return bumped?.rows[0].seq
  } catch (error) {
    const isRefused = error instanceof StorageError && error.code !== null
    throw isRefused ? error : new StorageError('in_doubt', { cause: error })
  }
}

function* statementsOf(
  write: PendingWrite,
  { idempotentRequest, result }: Outcome,
): Generator<CompiledQuery> {
  const { now, isPersonal, projects } = write
  yield* write.statements()
  if (idempotentRequest === null) return
  yield insertIdempotencyRecord(write, { idempotentRequest, result, isPersonal, projects, now })
  yield deleteExpiredRecords(write, recordsPerWrite)
}

/**
 * Succeeds only if the server confirms COMMIT. COMMIT is never cancelled: while it waits for a
 * standby, the cancel request would be answered with success. After any error the change may have
 * been made.
 */
export async function commit(connection: Connection, timeoutMs?: number): Promise<void> {
  let isDoubted = false
  connection.onDoubt(() => (isDoubted = true))
  try {
    const { command } = await connection.send('commit', timeoutMs)
    if (command === 'COMMIT' && !isDoubted) return
  } catch (cause) {
    throw new StorageError('in_doubt', { cause })
  }
  throw new StorageError('in_doubt')
}

/** Transactions. Each one enters one workspace, and row level security hides all others. */

import type { CompiledQuery, Kysely, KyselyPlugin } from 'kysely'
import type { Pool, PoolClient } from 'pg'

import {
  Connection,
  createQueryBuilder,
  inOrder,
  type QueryBuilder,
} from '#storage/connection/connection'
import { SafeClient } from '#storage/connection/pool'
import type { TextRow } from '#storage/connection/statement-group'
import { databaseTimeouts } from '#storage/connection/timeouts'
import type { DatabaseWatchdog } from '#storage/connection/watchdog'
import { selectCounters } from '#storage/numbers/counters'
import { instantOf, selectMoment, selectOpening } from '#storage/numbers/moment'
import type { DB } from '#storage/schema/tables'
import type {
  Author,
  IdempotentRequest,
  Read,
  Snapshot,
  Tenant,
  Write,
} from '#storage/statements/access'
import { View } from '#storage/statements/view'
import { encodeId, uuidOf } from '#storage/values/id'
import { StorageError } from '#storage/values/storage-error'

import { commit, flush } from './commit.ts'
import {
  insertIdempotencyRecord,
  selectIdempotencyRecord,
  waitForDuplicate,
} from './idempotency.ts'
import { retrying } from './retry.ts'
import { PendingWrite, stamp } from './write.ts'

/** The current time instead of the database's; null for the database's. */
type Clock = () => Date | null

export interface DatabaseOptions {
  /** Circuit breaker; without one, requests wait for their own time-outs. */
  readonly watchdog?: DatabaseWatchdog | null
  readonly plugins?: KyselyPlugin[]
  readonly clock?: Clock
  /** For all statements of a write together. */
  readonly flushMs?: number
  /** The connections of authentication, which all other work needs; those of `pool` without. */
  readonly authenticationPool?: Pool
}

/** The workspace of a write without a sequence number, and the request that it came with. */
type UnnumberedAuthor = Tenant & Partial<Pick<Author, 'idempotentRequest'>>

/** What a write does first in its transaction. */
type Prepare = (read: Read) => Promise<void>

/**
 * The only access to the data of a tenant: transactions, tenancy, row level security and the event
 * log.
 */
export class Database {
  readonly #pool: Pool
  readonly #authenticationPool: Pool
  readonly #plugins: KyselyPlugin[]
  readonly #queryBuilder: QueryBuilder
  readonly #clock: Clock
  readonly #watchdog: DatabaseWatchdog | null
  readonly #flushMs: number

  constructor(pool: Pool, options: DatabaseOptions = {}) {
    const { plugins = [], clock = () => null, watchdog = null } = options
    this.#flushMs = options.flushMs ?? databaseTimeouts.flushMs
    this.#pool = pool
    this.#authenticationPool = options.authenticationPool ?? pool
    this.#watchdog = watchdog
    this.#plugins = plugins
    this.#queryBuilder = createQueryBuilder(plugins)
    this.#clock = clock
  }

  /** The same database with another clock, over the same connections. */
  withClock(clock: Clock): Database {
    const [plugins, watchdog, flushMs] = [this.#plugins, this.#watchdog, this.#flushMs]
    const authenticationPool = this.#authenticationPool
    return new Database(this.#pool, { plugins, watchdog, flushMs, clock, authenticationPool })
  }

  /** The time that replaces the database's; null except in tests and for demo data. */
  get givenTime(): Date | null {
    return this.#clock()
  }

  read<T>(tenant: Tenant, work: (read: Read) => Promise<T>): Promise<T> {
    return this.#reading(this.#pool, async (connection) => {
      const read = readOf(connection, tenant)
      const begun = connection.begin(read.workspaceId, 'begin read only')
      return reading(connection, [begun], async () => work(read))
    })
  }

  /**
   * A read whose response states a sequence number: the number and the data are of one snapshot.
   */
  snapshot<T>(tenant: Tenant, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    return this.#reading(this.#pool, async (connection) => {
      const read = readOf(connection, tenant)
      const { workspaceId } = read
      const begun = connection.begin(workspaceId, 'begin isolation level repeatable read read only')
      const counters = selectCounters(read)
      return reading(connection, [begun, counters], async () => work({ ...read, counters }))
    })
  }

  /**
   * A read of one statement, which is a snapshot by itself: it needs no transaction around it. The
   * values of its rows are texts.
   */
  readAtOnce(tenant: Tenant, compile: (read: Read) => CompiledQuery): Promise<readonly TextRow[]> {
    return this.#reading(this.#pool, (connection) => {
      const workspaceId = uuidOf(tenant.workspaceId)
      return connection.sendTogether(workspaceId, compile(readOf(connection, tenant)))
    })
  }

  /**
   * A dry run reads and locks like a write, so it is refused like one. It flushes nothing and does
   * not lock the counters. `prepare` comes first in the transaction: an import inserts the
   * workspace and its rows there.
   */
  write<T>(author: Author, work: (write: Write) => Promise<T>, prepare?: Prepare): Promise<T> {
    return retrying(() =>
      this.#connection(this.#pool, async (connection) => {
        const { write, replayed } = await open(connection, author, {
          time: this.#clock(),
          prepare,
        })
        if (replayed) {
          await commit(connection, this.#flushMs)
          return replayed.result as T
        }
        const result = await work(write)
        if (write.isEmpty) {
          await connection.send('rollback')
          return result
        }
        if (author.isDryRun) {
          await connection.send('rollback')
          return stamp(result, write.counters.seq + 1)
        }
        const outcome = { ...author, result, timeoutMs: this.#flushMs }
        return stamp(result, await flush(connection, write, outcome))
      }),
    )
  }

  /**
   * A write that takes no sequence number: for what is part of no collection, such as sessions and
   * the last use of a key, and for creating a workspace. A request that is repeated with its
   * Idempotency-Key gets the first result.
   */
  writeUnnumbered<T>(
    { idempotentRequest = null, ...tenant }: UnnumberedAuthor,
    work: (read: Read) => Promise<T>,
  ): Promise<T> {
    return retrying(() =>
      this.#connection(this.#pool, async (connection) => {
        const read = readOf(connection, tenant)
        await connection.begin(read.workspaceId)
        const replayed = idempotentRequest && (await findReplay(read, idempotentRequest))
        if (replayed) {
          await commit(connection)
          return replayed.result as T
        }
        const result = await work(read)
        if (idempotentRequest) {
          const now = instantOf(await selectMoment(read, this.#clock()))
          const outcome = { idempotentRequest, result, isPersonal: true, projects: [], now }
          await connection.send(insertIdempotencyRecord(read, outcome))
        }
        await commit(connection)
        return result
      }),
    )
  }

  /** A query outside of any workspace: for functions that take the workspace as an argument. */
  ask<T>(work: (db: Kysely<DB>) => Promise<T>): Promise<T> {
    return this.#reading(this.#pool, (connection) => work(connection.db))
  }

  /** The same for authentication, whose connection no other work takes. */
  authenticate<T>(work: (db: Kysely<DB>) => Promise<T>): Promise<T> {
    return this.#reading(this.#authenticationPool, (connection) => work(connection.db))
  }

  get connections() {
    const sum = (count: (pool: Pool) => number) =>
      this.#pools.reduce((all, each) => all + count(each), 0)
    const [total, idle] = [sum((pool) => pool.totalCount), sum((pool) => pool.idleCount)]
    return { total, in_use: total - idle, idle, waiting: sum((pool) => pool.waitingCount) }
  }

  get connectionsMax(): number {
    return this.#pools.reduce((all, { options }) => all + (options.max ?? 1), 0)
  }

  get #pools(): readonly Pool[] {
    return [...new Set([this.#pool, this.#authenticationPool])]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#watchdog?.stop()
    await Promise.all(this.#pools.map((pool) => pool.end()))
  }

  async #connection<T>(
    pool: Pool,
    work: (connection: Connection) => Promise<T>,
    isRepeatable = false,
  ): Promise<T> {
    const client = await this.#connect(pool)
    const connection = new Connection(client, {
      queryBuilder: this.#queryBuilder,
      onResponse: () => this.#watchdog?.recordResponse(),
    })
    const endWait = this.#watchdog?.wait(() => client instanceof SafeClient && client.cut())
    try {
      const result = await work(connection)
      client.release()
      return result
    } catch (error) {
      const isBroken = error instanceof StorageError && error.isBroken
      if (!isBroken) connection.send('rollback').catch(() => {})
      client.release(isBroken)
      if (!isBroken || !isRepeatable) throw error
    } finally {
      endWait?.()
      connection.end()
    }
    return this.#connection(pool, work)
  }

  /** Retries a read once if its connection was lost while idle. Reading twice is safe. */
  #reading<T>(pool: Pool, work: (connection: Connection) => Promise<T>): Promise<T> {
    return retrying(() => this.#connection(pool, work, true))
  }

  async #connect(pool: Pool): Promise<PoolClient> {
    if (this.#watchdog?.isUnresponsive) throw new StorageError('unavailable')
    return new Promise((resolve, reject) => {
      let isGivenUp = false
      const endWait = this.#watchdog?.wait(() => {
        isGivenUp = true
        reject(new StorageError('unavailable'))
      })
      const connected = (client: PoolClient) => {
        endWait?.()
        if (isGivenUp) client.release()
        else resolve(client)
      }
      pool.connect().then(connected, (cause: unknown) => {
        endWait?.()
        // Without a connection, no statement was executed.
        reject(new StorageError('unavailable', { cause }))
      })
    })
  }
}

const readOf = ({ db }: Connection, { workspaceId, view = View.none }: Tenant): Read => ({
  db,
  workspaceId: uuidOf(workspaceId),
  view,
})

/** Sends the opening statements together with those of `work`: one round trip. */
async function reading<T>(
  connection: Connection,
  opening: Promise<unknown>[],
  work: () => Promise<T>,
): Promise<T> {
  const results = await inOrder([...opening, work()])
  connection.send('commit').catch(() => {})
  // The cast holds because `work` is the last promise.
  return results.at(-1) as T
}

/** The result of an earlier request with the same Idempotency-Key; null for a new one. */
async function findReplay(read: Read, idempotentRequest: IdempotentRequest) {
  await waitForDuplicate(read, idempotentRequest)
  const record = await selectIdempotencyRecord(read, idempotentRequest)
  return replayOf(read, record, idempotentRequest)
}

function replayOf(
  { view }: Pick<Read, 'view'>,
  record: StoredRecord,
  idempotentRequest: IdempotentRequest,
) {
  if (record === null) return null
  if (!record.fingerprint.equals(idempotentRequest.fingerprint))
    throw new StorageError('key_reused')
  const isVisible = record.project_ids?.every((uuid) => view.shows(encodeId('prj', uuid))) ?? true
  if (!isVisible) throw new StorageError('out_of_view')
  idempotentRequest.isReplay = true
  return { result: stamp(record.result, record.seq) }
}

type StoredRecord = Awaited<ReturnType<typeof selectIdempotencyRecord>>

interface OpenOptions {
  readonly time: Date | null
  readonly prepare: Prepare | undefined
}

async function open(connection: Connection, author: Author, { time, prepare }: OpenOptions) {
  const read = readOf(connection, author)
  const { idempotentRequest } = author
  const begun = connection.begin(read.workspaceId)
  if (prepare) await begun.then(() => prepare(read))
  const [, , record, opening] = await inOrder([
    begun,
    idempotentRequest ? waitForDuplicate(read, idempotentRequest) : Promise.resolve(),
    idempotentRequest ? selectIdempotencyRecord(read, idempotentRequest) : Promise.resolve(null),
    selectOpening(read, time),
  ])
  // Rights and `If-Match` were judged by numbers that may be lost. Nothing was executed.
  if (author.server !== undefined && author.server !== opening.counters.server)
    throw new StorageError('unavailable')
  const write = new PendingWrite({ db: connection.db, author, ...opening })
  return { write, replayed: idempotentRequest && replayOf(read, record, idempotentRequest) }
}

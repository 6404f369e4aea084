import { setTimeout as sleep } from 'node:timers/promises'

import type { Compilable, Expression, Kysely, KyselyPlugin } from 'kysely'
import type { Pool, PoolClient } from 'pg'

import { type Counted, type Counters, selectCounters, type Stamped } from './counters.ts'
import { uuidOf } from './id.ts'
import {
  deleteOldRecords,
  insertRecord,
  type Repeatable,
  selectRecord,
  waitForTwin,
} from './idempotency.ts'
import { inOrder, Lease } from './lease.ts'
import { selectMoment } from './moment.ts'
import { SafeClient } from './pool.ts'
import type { Pulse } from './pulse.ts'
import type { Row, RowTable } from './rows.ts'
import { StorageError } from './storage-error.ts'
import type { DB } from './tables.ts'
import type { Tally } from './tallies.ts'
import { type NewEvent, PendingWrite, stamp, type State } from './write.ts'

/** Whose data a unit of work is about. */
export interface Tenant {
  readonly workspaceId: string
}

/** Who changes it, and on what occasion. */
export interface Author extends Tenant {
  readonly actor: { readonly type: 'key' | 'admin' | 'system'; readonly id: string | null }
  readonly requestId: string | null
  readonly repeatable: Repeatable | null
  /** Whether they only want to know what would become of it. */
  readonly isRehearsal?: boolean
}

/** Permission to read one workspace. Every select takes one, so none can forget the tenant. */
export interface Read {
  readonly db: Kysely<DB>
  /** As the database knows it, a UUID. */
  readonly workspaceId: string
}

/** Permission to read one workspace as it stood at one moment, and to say which moment that was. */
export interface Snapshot extends Read {
  readonly counters: Promise<Counters>
}

/**
 * Permission to change one workspace as one numbered step. What is decided on is read and locked at
 * once; every change is collected and goes out in one flush, so that the workspace's counter is
 * locked for the time the server needs and not for the time the network takes.
 */
export interface Write extends Read {
  /** The database's time, and the time of everything this write makes. */
  readonly now: string
  /** The day it is in the workspace. */
  readonly today: string
  /** As they were when the write began. The constraints have the last word. */
  readonly counters: Counters
  /** The number this write will get, as SQL: it is not known before the flush. */
  readonly version: Expression<number>
  newId(prefix: string): string
  add(query: Compilable): void
  insert<T extends RowTable>(table: T, row: Row<T>): void
  update<T extends RowTable>(table: T, row: Partial<Row<T>>): void
  delete<T extends RowTable>(table: T, row: Partial<Row<T>>): void
  touch(...collections: Stamped[]): void
  count(what: Counted, by: number): void
  tally(tallies: readonly Tally[], by: 1 | -1): void
  keep(state: State): void
  record(event: NewEvent): void
}

/** What time it is, in place of the clock of the database; null when that one counts. */
type Clock = () => Date | null

export interface DatabaseOptions {
  /** Tells when there is no use in waiting; without one, every time-out is waited for. */
  readonly pulse?: Pulse | null
  readonly plugins?: KyselyPlugin[]
  readonly clock?: Clock
}

const triesMax = 3
/** How many expired idempotency records a keyed write deletes at most. */
const recordsPerWrite = 20

/**
 * The only way to a tenant's data. Tenancy, row level security and the event log have their home
 * here.
 */
export class Database {
  readonly #pool: Pool
  readonly #plugins: KyselyPlugin[]
  readonly #clock: Clock
  readonly #pulse: Pulse | null

  constructor(pool: Pool, options: DatabaseOptions = {}) {
    const { plugins = [], clock = () => null, pulse = null } = options
    this.#pool = pool
    this.#pulse = pulse
    this.#plugins = plugins
    this.#clock = clock
  }

  /** The time that stands in for the database's own; null but in tests. */
  get givenTime(): Date | null {
    return this.#clock()
  }

  read<T>(tenant: Tenant, work: (read: Read) => Promise<T>): Promise<T> {
    return this.#reading(async (lease) => {
      const read = { db: lease.db, workspaceId: uuidOf(tenant.workspaceId) }
      const opening = [lease.send('begin read only'), enter(lease, read)]
      return reading(lease, opening, async () => work(read))
    })
  }

  /** A labelled read: whatever states a sequence number reads that number in the same snapshot. */
  snapshot<T>(tenant: Tenant, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    return this.#reading(async (lease) => {
      const read = { db: lease.db, workspaceId: uuidOf(tenant.workspaceId) }
      const begun = lease.send('begin isolation level repeatable read read only')
      const entered = enter(lease, read)
      const counters = selectCounters(read)
      return reading(lease, [begun, entered, counters], async () => work({ ...read, counters }))
    })
  }

  /**
   * A rehearsal looks at everything and holds it as a write does, so it is refused what a write is
   * refused; but nothing is flushed, so nobody waits for it at the counter, nor it for anybody.
   */
  write<T>(author: Author, work: (write: Write) => Promise<T>): Promise<T> {
    return retrying(() =>
      this.#lease(async (lease) => {
        const { write, replayed } = await open(lease, author, this.#clock())
        if (replayed) {
          await lease.send('rollback')
          return replayed.result as T
        }
        const result = await work(write)
        if (write.isEmpty) {
          await lease.send('rollback')
          return result
        }
        if (author.isRehearsal) {
          await lease.send('rollback')
          return stamp(result, write.counters.seq + 1)
        }
        return stamp(result, await flush(lease, write, { ...author, result }))
      }),
    )
  }

  /**
   * A change beside the sequence: for what is in no representation, such as when a key was last
   * used, and for bringing a workspace into being, which has no number to take yet.
   */
  aside<T>(tenant: Tenant, work: (read: Read) => Promise<T>): Promise<T> {
    return retrying(() =>
      this.#lease(async (lease) => {
        const read = { db: lease.db, workspaceId: uuidOf(tenant.workspaceId) }
        await inOrder([lease.send('begin'), enter(lease, read)])
        const result = await work(read)
        await commit(lease)
        return result
      }),
    )
  }

  /** Outside of any workspace: for functions that take the workspace as an argument. */
  ask<T>(work: (db: Kysely<DB>) => Promise<T>): Promise<T> {
    return this.#reading((lease) => work(lease.db))
  }

  get connections() {
    const { totalCount, idleCount, waitingCount } = this.#pool
    return { total: totalCount, idle: idleCount, waiting: waitingCount }
  }

  get connectionsMax(): number {
    return this.#pool.options.max ?? 1
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#pulse?.stop()
    await this.#pool.end()
  }

  async #lease<T>(work: (lease: Lease) => Promise<T>, isRepeatable = false): Promise<T> {
    const client = await this.#connect()
    const lease = new Lease(client, { plugins: this.#plugins, hear: () => this.#pulse?.hear() })
    const endWait = this.#pulse?.wait(() => client instanceof SafeClient && client.cut())
    try {
      const result = await work(lease)
      client.release()
      return result
    } catch (error) {
      const isBroken = error instanceof StorageError && error.isBroken
      if (!isBroken) lease.send('rollback').catch(() => {})
      client.release(isBroken)
      if (isBroken && isRepeatable) return await this.#lease(work)
      throw error
    } finally {
      endWait?.()
      lease.end()
    }
  }

  /**
   * A read may find that its connection died while nobody used it. It is begun afresh on another,
   * once: reading twice does no harm.
   */
  #reading<T>(work: (lease: Lease) => Promise<T>): Promise<T> {
    return retrying(() => this.#lease(work, true))
  }

  #connect(): Promise<PoolClient> {
    if (this.#pulse?.isSilent) return Promise.reject(new StorageError('unavailable'))
    return new Promise((resolve, reject) => {
      let isGivenUp = false
      const endWait = this.#pulse?.wait(() => {
        isGivenUp = true
        reject(new StorageError('unavailable'))
      })
      const connected = (client: PoolClient) => {
        endWait?.()
        if (isGivenUp) client.release()
        else resolve(client)
      }
      this.#pool.connect().then(connected, (cause: unknown) => {
        endWait?.()
        // Whatever the reason, a closed database or a password that changed: nothing was done.
        reject(new StorageError('unavailable', { cause }))
      })
    })
  }
}

/**
 * Runs the unit again when it lost a race. Only the database loses races; failures pass through.
 */
async function retrying<T>(unit: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await unit()
    } catch (error) {
      const isLostRace = error instanceof StorageError && error.meaning === 'lost_race'
      if (!isLostRace || tries === triesMax) throw error
      await sleep(Math.random() * 10 * tries)
    }
  }
}

/**
 * From here on row level security shows this workspace and no other. Ends with the transaction. It
 * goes out in the same breath as BEGIN: a query that is built waits a little before it is sent, and
 * the first one a little longer than others, so this one could be overtaken.
 */
function enter(lease: Lease, { workspaceId }: Read): Promise<unknown> {
  const parameters = [workspaceId]
  return lease.send({ sql: "select set_config('app.ws', $1, true)", parameters })
}

/** The opening statements and those of `work` are on their way together: one round trip. */
async function reading<T>(
  lease: Lease,
  opening: Promise<unknown>[],
  work: () => Promise<T>,
): Promise<T> {
  const results = await inOrder([...opening, work()])
  lease.send('commit').catch(() => {})
  // The cast holds because `work` is the last of those that were waited for.
  return results.at(-1) as T
}

async function open(lease: Lease, author: Author, time: Date | null) {
  const read = { db: lease.db, workspaceId: uuidOf(author.workspaceId) }
  const { repeatable } = author
  const [, , , record, counters, moment] = await inOrder([
    lease.send('begin'),
    enter(lease, read),
    repeatable ? waitForTwin(read, repeatable) : Promise.resolve(),
    repeatable ? selectRecord(read, repeatable) : Promise.resolve(null),
    selectCounters(read),
    selectMoment(read, time),
  ])
  const write = new PendingWrite({ db: lease.db, author, counters, moment })
  if (repeatable === null || record === null) return { write, replayed: null }
  if (!record.fingerprint.equals(repeatable.fingerprint)) throw new StorageError('key_reused')
  repeatable.isReplay = true
  return { write, replayed: { result: stamp(record.result, record.seq) } }
}

/** For all statements of a write together: less than the eight seconds that a request may take. */
const flushTimeoutMs = 6000

interface Outcome {
  readonly repeatable: Repeatable | null
  readonly result: unknown
}

/**
 * Sends everything at once, COMMIT included, and answers the number of the write. A statement that
 * the server refuses takes the COMMIT down with it; when the connection is lost instead, nobody
 * knows.
 */
async function flush(lease: Lease, write: PendingWrite, outcome: Outcome): Promise<number> {
  const { repeatable, result } = outcome
  const { now, isPersonal } = write
  const record = repeatable ? [insertRecord(write, { repeatable, result, isPersonal, now })] : []
  const cleaning = repeatable ? [deleteOldRecords(write, recordsPerWrite)] : []
  const statements = [...write.statements(), ...record, ...cleaning]
  const sent = statements.map((statement) => lease.send(statement.compile(), flushTimeoutMs))
  const committed = commit(lease, flushTimeoutMs)
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

/**
 * COMMIT is believed only when it says so. It is never cancelled: while it waits for a standby, the
 * cancel would be answered with success. Whatever else happens here, the change may have been made.
 */
async function commit(lease: Lease, timeoutMs?: number): Promise<void> {
  let isDoubted = false
  lease.onDoubt(() => (isDoubted = true))
  try {
    const { command } = await lease.send('commit', timeoutMs)
    if (command === 'COMMIT' && !isDoubted) return
  } catch (cause) {
    throw new StorageError('in_doubt', { cause })
  }
  throw new StorageError('in_doubt')
}

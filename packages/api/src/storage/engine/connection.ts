import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'

import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type KyselyPlugin,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type { ClientBase, QueryConfig, QueryResult as PgResult } from 'pg'

import { explain } from './storage-error.ts'
import type { DB } from './tables.ts'

/** What the server says beside its answers. */
interface Notice {
  readonly code?: string | undefined
  readonly message?: string | undefined
}

/** Every statement passes here on its way out, for whoever listens: tests do, and tracing can. */
export const statements = channel('muster.statement')

const names = new Map<string, string>()

/**
 * A statement with a name is parsed and planned once per connection. The name is a hash of the
 * text, so the same text has the same name everywhere, and there are as many names as there are
 * texts.
 */
function named({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): QueryConfig {
  let name = names.get(sql)
  if (name === undefined) {
    name = createHash('sha256').update(sql).digest('base64url').slice(0, 20)
    names.set(sql, name)
  }
  return { name, text: sql, values: [...parameters] }
}

type Sendable = string | Pick<CompiledQuery, 'sql' | 'parameters'>

interface LeaseOptions {
  readonly plugins: KyselyPlugin[]
  /** Called whenever the server has answered. */
  readonly hear: () => void
}

/**
 * A connection for the length of one unit of work. Statements go out at once, without waiting for
 * the ones before them to be answered. Once the unit is over nothing can be sent any more: a query
 * that somebody forgot to wait for must not run inside the next caller's transaction.
 */
export class Lease implements DatabaseConnection {
  readonly db: Kysely<DB>
  readonly #client: ClientBase
  readonly #answered: () => void
  #isOver = false
  #hear: ((notice: Notice) => void) | null = null

  constructor(client: ClientBase, { plugins, hear }: LeaseOptions) {
    this.#client = client
    this.#answered = hear
    this.db = new Kysely<DB>({
      plugins,
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createQueryCompiler: () => new PostgresQueryCompiler(),
        createIntrospector: (db) => new PostgresIntrospector(db),
        createDriver: () => driverOf(this),
      },
    })
  }

  /**
   * The driver's time-out starts when a statement is sent, and so includes the statements before
   * it. `timeoutMs` replaces it where many are sent at once; the server limits each of them.
   */
  async send(statement: Sendable, timeoutMs?: number): Promise<PgResult> {
    assert(!this.#isOver, 'a query was sent after its transaction had ended')
    if (statements.hasSubscribers) statements.publish(statement)
    try {
      const query = typeof statement === 'string' ? { text: statement } : named(statement)
      const timeout = timeoutMs === undefined ? {} : { query_timeout: timeoutMs }
      const result = await this.#client.query({ ...query, ...timeout })
      this.#answered()
      return result
    } catch (error) {
      const explained = explain(error)
      if (explained.code !== null) this.#answered()
      throw explained
    }
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, rowCount } = await this.send(query)
    return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) }
  }

  streamQuery(): never {
    throw new Error('A connection is never held while someone reads: read in chunks.')
  }

  /**
   * Tells of the one warning that must not be overlooked: the server stopped waiting for its
   * standby, and answers COMMIT as if all were well.
   */
  onDoubt(tell: () => void): void {
    this.#hear = (notice) => {
      if (notice.code === '01000' && /synchronous replication/.test(notice.message ?? '')) tell()
    }
    this.#client.on('notice', this.#hear)
  }

  end(): void {
    this.#isOver = true
    if (this.#hear) this.#client.off('notice', this.#hear)
  }
}

/** Transactions are the business of database.ts; this driver only passes queries on. */
function driverOf(connection: DatabaseConnection): Driver {
  const refuse = () => Promise.reject(new Error('database.ts begins and ends transactions.'))
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy: async () => {},
  }
}

/**
 * Waits for all, then throws the failure of the first that failed: the others only followed from
 * it.
 */
export async function inOrder<const P extends readonly Promise<unknown>[]>(
  sent: P,
): Promise<{ -readonly [K in keyof P]: Awaited<P[K]> }> {
  const settled = await Promise.allSettled(sent)
  const failed = settled.find((each) => each.status === 'rejected')
  if (failed) throw failed.reason
  // The cast holds because none was rejected.
  return settled.map((each) => (each as PromiseFulfilledResult<unknown>).value) as never
}

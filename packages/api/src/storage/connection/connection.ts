import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'

import {
  type CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  type KyselyPlugin,
  type KyselyProps,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type { ClientBase, QueryConfig, QueryResult as PgResult } from 'pg'

import type { DB } from '#storage/schema/tables'
import { toStorageError } from '#storage/values/storage-error'

import { SafeClient } from './pool.ts'
import { StatementGroup, type TextRow } from './statement-group.ts'

/** A NoticeResponse of the server. */
interface Notice {
  readonly code?: string | undefined
  readonly message?: string | undefined
}

/** Diagnostics channel with every statement that is sent, for tests and tracing. */
export const statements = channel('muster.statement')

const statementNames = new Map<string, string>()

/**
 * Prepared statement: PostgreSQL parses and plans it once per connection. Its name is a hash of the
 * text, so equal texts share a name.
 */
function prepared({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>) {
  let name = statementNames.get(sql)
  if (name === undefined) {
    name = createHash('sha256').update(sql).digest('base64url').slice(0, 20)
    statementNames.set(sql, name)
  }
  return { name, text: sql, values: [...parameters] }
}

const setWorkspace = `select set_config('app.ws', $1, true)`

/** A snapshot reads everything as of one moment. */
type Begin = 'begin' | 'begin read only' | 'begin isolation level repeatable read read only'

type TimedQuery = QueryConfig & { readonly query_timeout?: number }

type Sendable = string | Pick<CompiledQuery, 'sql' | 'parameters'>

/** The query builder of a database, which every connection shares. It only compiles. */
export type QueryBuilder = KyselyProps

export function createQueryBuilder(plugins: KyselyPlugin[]): QueryBuilder {
  const driver = new DummyDriver()
  const dialect = {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    createDriver: () => driver,
  }
  const config = { dialect, plugins }
  return { config, dialect, driver, executor: new Kysely<DB>(config).getExecutor() }
}

interface ConnectionOptions {
  readonly queryBuilder: QueryBuilder
  /** Called after every response of the server. */
  readonly onResponse: () => void
}

/**
 * A pooled connection for one unit of work. Statements are pipelined: they are sent without waiting
 * for earlier responses. After `end` nothing can be sent, so a query that was not awaited cannot
 * run in the transaction of the next caller.
 */
export class Connection implements DatabaseConnection {
  readonly db: Kysely<DB>
  readonly #client: ClientBase
  readonly #onResponse: () => void
  #isEnded = false
  #onNotice: ((notice: Notice) => void) | null = null

  constructor(client: ClientBase, { queryBuilder, onResponse }: ConnectionOptions) {
    this.#client = client
    this.#onResponse = onResponse
    const executor = queryBuilder.executor.withConnectionProvider({
      provideConnection: (consumer) => consumer(this),
    })
    this.db = new Kysely<DB>({ ...queryBuilder, executor })
  }

  /**
   * Begins a transaction and sets the workspace for row level security until it ends, in one
   * message. It is sent at once: a query of the query builder is sent later and cannot overtake it.
   */
  begin(workspaceId: string, begin: Begin = 'begin'): Promise<unknown> {
    assert.match(workspaceId, /^[\da-f-]{36}$/)
    const text = `${begin}; select set_config('app.ws', '${workspaceId}', true)`
    const sql = text.replace(`'${workspaceId}'`, '$1')
    return this.#query({ text }, { sql, parameters: [workspaceId] })
  }

  /**
   * The driver's timeout starts when a statement is sent, so it includes the statements queued
   * before it. `timeoutMs` replaces it for a pipeline; `statement_timeout` limits each statement.
   */
  send(statement: Sendable, timeoutMs?: number): Promise<PgResult> {
    const query = typeof statement === 'string' ? { text: statement } : prepared(statement)
    const timeout = timeoutMs === undefined ? {} : { query_timeout: timeoutMs }
    return this.#query({ ...query, ...timeout }, statement)
  }

  /**
   * Executes statements in one transaction and in one message each way, and returns the rows of the
   * last. The first sets the workspace.
   */
  async sendTogether(
    workspaceId: string,
    statement: Pick<CompiledQuery, 'sql' | 'parameters'>,
  ): Promise<readonly TextRow[]> {
    const sent = [{ sql: setWorkspace, parameters: [workspaceId] }, statement]
    const results = await this.#waiting(sent, () => {
      const group = new StatementGroup(sent.map(prepared))
      return new Promise<readonly TextRow[][]>((resolve, reject) => {
        group.callback = (error, rows) => (rows ? resolve(rows) : reject(error))
        this.#client.query(group)
      })
    })
    return results.at(-1) ?? []
  }

  #query(query: TimedQuery, published: Sendable): Promise<PgResult> {
    return this.#waiting([published], () => this.#client.query(query))
  }

  async #waiting<T>(published: readonly Sendable[], send: () => Promise<T>): Promise<T> {
    assert(!this.#isEnded, 'a query was sent after its transaction had ended')
    if (statements.hasSubscribers) for (const each of published) statements.publish(each)
    try {
      if (this.#client instanceof SafeClient) this.#client.corkTick()
      const result = await send()
      this.#onResponse()
      return result
    } catch (error) {
      const storageError = toStorageError(error)
      if (storageError.code !== null) this.#onResponse()
      throw storageError
    }
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, rowCount } = await this.send(query)
    return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) }
  }

  streamQuery(): never {
    throw new Error('Streaming is not supported: read in chunks.')
  }

  /**
   * Calls back when the server stops waiting for synchronous replication. It reports that only as a
   * warning, and COMMIT succeeds.
   */
  onDoubt(callback: () => void): void {
    this.#onNotice = (notice) => {
      if (notice.code === '01000' && /synchronous replication/.test(notice.message ?? ''))
        callback()
    }
    this.#client.on('notice', this.#onNotice)
  }

  end(): void {
    this.#isEnded = true
    if (this.#onNotice) this.#client.off('notice', this.#onNotice)
  }
}

/** Waits for all, then throws the error of the first that failed, which caused the later ones. */
export async function inOrder<const P extends readonly Promise<unknown>[]>(
  sent: P,
): Promise<{ -readonly [K in keyof P]: Awaited<P[K]> }> {
  const results = await Promise.allSettled(sent)
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
  // The cast holds because no promise was rejected.
  return results.map((result) => (result as PromiseFulfilledResult<unknown>).value) as never
}

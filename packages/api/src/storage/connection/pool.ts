import { Socket } from 'node:net'

import { Client, type ClientConfig, type Connection, Pool, TypeOverrides, types } from 'pg'

import { parseDatabaseUrl } from './database-url.ts'
import { type Hosts, HostsConnection } from './hosts-connection.ts'
import { type DatabaseTimeouts, databaseTimeouts } from './timeouts.ts'

/** The connections of the background jobs of a process, besides those of its pool. */
export const jobConnections = 2

/** Database roles. Only admin commands and migrations use the role that owns the tables. */
type Role = 'muster_app' | 'muster_owner'

export interface PoolOptions {
  readonly url: string
  /** Null for the user in the URL. */
  readonly role: Role | null
  readonly max?: number
  /** Without statement timeouts: for migrations and admin commands. */
  readonly hasLongTimeouts?: boolean
  readonly timeouts?: DatabaseTimeouts
}

interface SafeConfig extends ClientConfig {
  /** Null if the driver can connect by itself. */
  readonly hosts?: Hosts | null
}

/**
 * The driver reports a lost connection as an `error` event, and an unhandled `error` event ends the
 * process. So every client has a listener from its constructor on. The driver rejects the running
 * queries anyway, and the pool discards the client.
 */
export class SafeClient extends Client {
  declare connection: Connection
  readonly #cut: () => void
  #isCorked = false

  constructor(config: SafeConfig = {}) {
    const socket = new Socket()
    super({ ...config, stream: () => socket })
    this.on('error', () => {})
    this.#cut = () => socket.destroy()
    if (config.hosts) {
      const { ssl, sslNegotiation } = this
      const connection = new HostsConnection({ ...config, ssl, sslNegotiation }, config.hosts)
      this.connection = connection
      this.#cut = () => connection.cut()
    }
    closeBeforeParse(this.connection)
  }

  /** Collects what is sent until the end of this tick, and writes it in one system call. */
  corkTick(): void {
    if (this.#isCorked) return
    this.#isCorked = true
    const { stream } = this.connection
    stream.cork()
    process.nextTick(() => {
      this.#isCorked = false
      stream.uncork()
    })
  }

  /** Destroys the socket without a Terminate message. The driver rejects the running queries. */
  cut(): void {
    this.#cut()
  }
}

/**
 * A statement is parsed again if its Parse failed, as every Parse does in a failed transaction.
 * PgBouncer has registered its name by then and would close the connection, so the name is closed
 * first. PostgreSQL ignores a name that it does not know.
 */
function closeBeforeParse(connection: Connection): void {
  const names = new Set<string>()
  const parse = connection.parse.bind(connection)
  connection.parse = (query, more) => {
    if (query.name && names.has(query.name)) connection.close({ type: 'S', name: query.name }, more)
    names.add(query.name)
    parse(query, more)
  }
}

/**
 * Planner settings for keyset pagination, which reads rows in index order. With parameterized
 * filters the planner overestimates the rows of a page, and prefers a bitmap scan and a sort of ten
 * thousand rows. Without bitmap scans it uses the ordered index. With the default
 * `random_page_cost` of 4 it counts filtered rows by a scan over all workspaces, once for every
 * index range.
 * Every statement is prepared and finds its rows by an index for all values: planning it
 * again for each execution costs more than it gains. So that a plan made while a table is small
 * stays right when it grows, it does not scan tables, except `cluster`, which has one row. The
 * planner gives that scan a cost at which PostgreSQL would compile it.
 */
export const planning = {
  enable_bitmapscan: 'off',
  random_page_cost: '1.1',
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  jit: 'off',
}

/**
 * Creates the connection pool. Role and timeouts are startup options instead of SET statements:
 * they apply from the first statement, and a pooler in transaction mode cannot leak them to other
 * clients. A pooler ignores them: then the login has the settings (`session-settings.ts`).
 */
export function createPool(options: PoolOptions): Pool {
  const { max = 10, hasLongTimeouts = false, timeouts = databaseTimeouts } = options
  const pool = new Pool({
    ...connectionOf(options),
    max,
    connectionTimeoutMillis: hasLongTimeouts ? 10_000 : timeouts.connectMs,
    query_timeout: hasLongTimeouts ? 0 : timeouts.queryMs,
    // Random, so that processes that started together do not reconnect together.
    maxLifetimeSeconds: 240 + Math.floor(Math.random() * 120),
    idleTimeoutMillis: 30_000,
    pipeline: true,
    Client: SafeClient,
  })
  // Idle clients: without a listener, a lost connection ends the process.
  pool.on('error', () => {})
  return pool
}

/**
 * Health probe on a new connection, because all pooled ones may be busy. It sends a statement too:
 * a pooler can accept connections while the server hangs. A pooler closes a server connection that
 * is left in a transaction, so the statement ends it.
 */
export async function probeDatabase(options: PoolOptions): Promise<void> {
  const { timeouts = databaseTimeouts } = options
  const limit = { connectionTimeoutMillis: timeouts.probeMs }
  const client = new SafeClient({ ...connectionOf(options), ...limit })
  const timer = setTimeout(() => client.cut(), timeouts.probeMs)
  try {
    await client.connect()
    await client.query('begin read only; rollback')
    await client.end()
  } finally {
    clearTimeout(timer)
    client.cut()
  }
}

function connectionOf(options: PoolOptions): SafeConfig {
  return {
    ...withOptions(options.url, settingsOf(options)),
    application_name: 'muster',
    types: typeParsers,
    keepAlive: true,
  }
}

/** The settings of PostgreSQL that every connection has. */
export function settingsOf(options: Omit<PoolOptions, 'url'>): Readonly<Record<string, string>> {
  const { role, hasLongTimeouts = false, timeouts = databaseTimeouts } = options
  const { statementMs, lockMs, idleInTransactionMs } = timeouts
  return {
    ...(role && { role }),
    ...(role === 'muster_app' && planning),
    search_path: 'muster,pg_temp',
    timezone: 'UTC',
    datestyle: 'ISO',
    statement_timeout: String(hasLongTimeouts ? 0 : statementMs),
    lock_timeout: String(hasLongTimeouts ? 5000 : lockMs),
    idle_in_transaction_session_timeout: String(hasLongTimeouts ? 0 : idleInTransactionMs),
  }
}

/** Appends the settings to the `options` of the URL, so that they take precedence. */
function withOptions(text: string, settings: Readonly<Record<string, string>>) {
  const parsed = parseDatabaseUrl(text)
  // The error message of Node contains the URL, and so the password.
  if (parsed === null) throw new Error('The database URL is invalid.')
  const { url, hosts, target } = parsed
  const urlOptions = url.searchParams.get('options') ?? ''
  url.searchParams.delete('options')
  const ours = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  return {
    connectionString: url.href,
    hosts: hosts.length > 0 ? { hosts, target } : null,
    options: [urlOptions, ...ours].join(' ').trim(),
  }
}

/** Parses values into the format of responses. */
const typeParsers = new TypeOverrides()
typeParsers.setTypeParser(types.builtins.INT8, Number)
typeParsers.setTypeParser(types.builtins.DATE, (text) => text)
typeParsers.setTypeParser(types.builtins.TIMESTAMPTZ, isoInstant)

/** `2026-11-15 02:04:41.12+00` as `2026-11-15T02:04:41.120Z`. */
export function isoInstant(text: string): string {
  const fraction = text.slice(20, -3).padEnd(3, '0').slice(0, 3)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`
}

import { Socket } from 'node:net'

import { Client, type ClientConfig, Pool, TypeOverrides, types } from 'pg'

/** Who a connection acts as. The service never owns what it reads; admin and migrations do. */
type Role = 'muster_app' | 'muster_owner'

export interface PoolOptions {
  readonly url: string
  /** Null to stay whoever the URL names. */
  readonly role: Role | null
  readonly max?: number
  /** Migrations may take their time; a request may not. */
  readonly isPatient?: boolean
}

/**
 * The driver reports a lost connection as an `error` event on the client, and an event nobody
 * listens to ends the process. So every client listens from birth; the queries it was running are
 * rejected anyway, and the pool throws the client away.
 */
export class SafeClient extends Client {
  readonly #socket: Socket

  constructor(config?: ClientConfig) {
    const socket = new Socket()
    super({ ...config, stream: () => socket })
    this.#socket = socket
    this.on('error', () => {})
  }

  /** Without a word to the other side, which may not be listening. What was asked is rejected. */
  cut(): void {
    this.#socket.destroy()
  }
}

/**
 * The service reads lists from indexes that have them in order. The planner cannot know how few
 * rows a page takes when its filters are parameters, and thinks it cheap to gather ten thousand by
 * a bitmap and sort them. Without bitmaps it walks the index, which has them in order. It also
 * thinks that rows apart cost four times as much as rows in a row, so that it would count what a
 * filter leaves by going through the rows of all workspaces, once for every lane.
 */
export const planning = { enable_bitmapscan: 'off', random_page_cost: '1.1' }

/**
 * The only place that makes connections. Role and time-outs are start-up options, not SETs: they
 * hold from the first statement, and a pooler in transaction mode cannot leak them to someone else.
 */
export function createPool(options: PoolOptions): Pool {
  const { max = 10, isPatient = false } = options
  const pool = new Pool({
    ...connectionOf(options),
    max,
    connectionTimeoutMillis: isPatient ? 10_000 : 1500,
    query_timeout: isPatient ? 0 : 3000,
    // Processes that started together must not all reconnect together.
    maxLifetimeSeconds: 240 + Math.floor(Math.random() * 120),
    idleTimeoutMillis: 30_000,
    pipeline: true,
    Client: SafeClient,
  })
  // The same for a connection that is lost while nobody uses it.
  pool.on('error', () => {})
  return pool
}

/**
 * Asks the database for a sign of life, on a connection of its own: those of the pool may all wait.
 * A statement is sent too, as there may be a pooler that answers in place of a frozen server.
 */
export async function askForSign(options: PoolOptions, withinMs: number): Promise<void> {
  const client = new SafeClient(connectionOf(options))
  const timer = setTimeout(() => client.cut(), withinMs)
  try {
    await client.connect()
    await client.query('begin read only')
    await client.end()
  } finally {
    clearTimeout(timer)
    client.cut()
  }
}

function connectionOf({ url, role, isPatient = false }: PoolOptions): ClientConfig {
  const settings = {
    ...(role && { role }),
    ...(role === 'muster_app' && planning),
    search_path: 'muster,pg_temp',
    timezone: 'UTC',
    datestyle: 'ISO',
    statement_timeout: isPatient ? '0' : '2500',
    lock_timeout: isPatient ? '5000' : '2000',
    idle_in_transaction_session_timeout: isPatient ? '0' : '5000',
  }
  return {
    ...withOptions(url, settings),
    application_name: 'muster',
    types: wire,
    keepAlive: true,
  }
}

/** What the operator put into the URL stays, but ours has the last word. */
function withOptions(url: string, settings: Record<string, string>) {
  // Node's own words for this would show the URL, and the password in it.
  if (!URL.canParse(url)) throw new Error('The address of the database is not a URL.')
  const parsed = new URL(url)
  const given = parsed.searchParams.get('options') ?? ''
  parsed.searchParams.delete('options')
  const ours = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  return { connectionString: parsed.href, options: [given, ...ours].join(' ').trim() }
}

/** Values leave the database in the form in which they go over the wire. */
const wire = new TypeOverrides()
wire.setTypeParser(types.builtins.INT8, Number)
wire.setTypeParser(types.builtins.DATE, (text) => text)
wire.setTypeParser(types.builtins.TIMESTAMPTZ, instant)

/** `2026-11-15 02:04:41.12+00` as `2026-11-15T02:04:41.120Z`. */
function instant(text: string): string {
  const fraction = text.slice(20, -3).padEnd(3, '0').slice(0, 3)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`
}

import assert from 'node:assert/strict'

import { scopes, type Scope } from '@muster/contract'
import { atEnd } from '@muster/testing/at-end'
import type { Client as SqlClient } from 'pg'

import type { KeyInput } from '#domain/auth/key'
import { createKey } from '#domain/auth/keys'
import type { RefusalLog } from '#domain/auth/refusal-log'
import { administrator } from '#domain/engine/caller'
import { createWorkspace } from '#domain/workspace/workspaces'
import { type ServiceOptions, startService, type Timeouts } from '#service'
import { createPool } from '#storage/connection/pool'
import { Database } from '#storage/transaction/database'
import { uuidOf } from '#storage/values/id'
import { findDrift } from '#test/drift/drift'
import { metricsUrls } from '#test/ops/metrics-urls'

import { Client } from './client.ts'
import { connect, createDatabase } from './database.ts'
import { watchEvents } from './declared-events.ts'
import { longTimeouts } from './long-timeouts.ts'
import { throughPooler } from './pooler.ts'
import { watchStatements } from './statements.ts'

/** A service on its own database, until the test file ends. */
export interface Host {
  readonly url: string
  readonly base: string
  /** Connected as muster_owner, which is not a superuser. */
  readonly owner: Database
  /** Connected as a superuser, to arrange and inspect data. */
  readonly sql: SqlClient
}

interface HostOptions {
  /** The database; a new one by default. */
  readonly url?: string | undefined
  /** For tests that insert rows with SQL, so that derived rows differ from them. */
  readonly skipsDriftCheck?: boolean
  /** The time limits: ten times those of the product by default. */
  readonly timeouts?: Partial<Timeouts>
}

/** Starts a service. When the test file ends, derived data in the database must be consistent. */
export async function startHost(options: HostOptions = {}): Promise<Host> {
  const { url, skipsDriftCheck = false, timeouts = longTimeouts } = options
  const host = await hostOn(url ?? (await createDatabase()), timeouts)
  if (!skipsDriftCheck) {
    atEnd(async () => assert.deepEqual(await findDrift(host.sql), [], 'there is no drift'))
  }
  return host
}

async function hostOn(url: string, timeouts: Partial<Timeouts>): Promise<Host> {
  if (process.env['UPDATE_GOLDEN'] !== '1') watchStatements()
  watchEvents()
  const base = await listen(url, { timeouts })
  const pool = { url, role: 'muster_owner', max: 4, timeouts: longTimeouts } as const
  const owner = new Database(createPool(pool), longTimeouts)
  const sql = await connect(url)
  atEnd(async () => {
    await owner[Symbol.asyncDispose]()
    await sql.end()
  })
  return { url, base, owner, sql }
}

/** No rate limits: tests send more requests than any client. Tests of the limits override this. */
export const unlimited = { key: 1e9, workspace: 1e9, failures: 1e9 }

/** No name server, so that no test leaves this machine, and a key for stored secrets. */
export const isolated = {
  egress: { allow: [], resolve: async () => [] },
  secretsKeys: [Buffer.alloc(32, 'secret').toString('base64')],
}

/** An hour: no statement is sent in the background while a test watches. */
const refusalMinuteMs = 3_600_000

const refusalLogs = new Map<string, RefusalLog>()

/** Writes the refusals that the service at this address has counted, as after a minute. */
export async function endRefusalMinute(base: string): Promise<void> {
  await refusalLogs.get(base)?.endMinute()
}

/** Starts another service on a database, like a second process. */
export async function listen(url: string, options: Partial<ServiceOptions> = {}) {
  const usual = {
    logLevel: null,
    rates: unlimited,
    timeouts: longTimeouts,
    refusalMinuteMs,
    ...isolated,
  }
  // The login at the pooler has the usual time limits.
  const at = (options.timeouts ?? longTimeouts) === longTimeouts ? throughPooler(url) : url
  const service = await startService({ url: at, ...usual, ...options })
  atEnd(() => service[Symbol.asyncDispose]())
  const base = await service.app.listen({ host: '127.0.0.1', port: 0 })
  refusalLogs.set(base, service.refusals)
  metricsUrls.set(base, await service.metrics.open({ host: '127.0.0.1', port: 0 }))
  return base
}

let workspaces = 0

/** Creates a workspace, or finds the one with this name, and returns clients for it. */
export async function newWorkspace(host: Host, name?: string) {
  const { base } = host
  workspaces += 1
  const { id } = await createWorkspace(host.owner, name ?? `Workspace ${process.pid}.${workspaces}`)
  // Every fixture creates a key, and some tests create hundreds of fixtures.
  await host.sql.query('update workspace_counters set keys_max = 100000 where workspace_id = $1', [
    uuidOf(id),
  ])
  const admin = administrator(host.owner, id)
  // No expiry: an expiring key can only create keys that expire no later.
  const issue = async (input: Partial<KeyInput> = {}) =>
    createKey(admin, { name: 'Test', scopes: [], expiresInHours: null, ...input })
  return {
    id,
    /** The id in the database. */
    uuid: uuidOf(id),
    admin,
    issue,
    stranger: new Client(base, null),
    /** A client that holds exactly these scopes. */
    key: async (...held: Scope[]) => new Client(base, (await issue({ scopes: held })).token),
    /** A client that holds every scope. */
    manager: async () => new Client(base, (await issue({ scopes })).token),
  }
}

import assert from 'node:assert/strict'

import { scopes, type Scope } from '@muster/contract'
import type { Client as SqlClient } from 'pg'

import { administrator } from '#domain/caller'
import type { KeyWish } from '#domain/key'
import { createKey } from '#domain/keys'
import { foundWorkspace } from '#domain/workspaces'
import { type ServiceOptions, startService } from '#service'
import { Database } from '#storage/database'
import { uuidOf } from '#storage/id'
import { createPool } from '#storage/pool'

import { atEnd } from './at-end.ts'
import { Client } from './client.ts'
import { connect, createDatabase } from './database.ts'
import { findDrift } from './drift.ts'
import { metricsUrls } from './metrics-urls.ts'
import { watchStatements } from './statements.ts'

/** A service on a database of its own, for the length of a test file. */
export interface Host {
  readonly url: string
  readonly base: string
  /** As the owner, who is not a superuser. */
  readonly owner: Database
  /** As a superuser, to arrange and to look. */
  readonly sql: SqlClient
}

interface HostOptions {
  /** The database to be on; a new one by default. */
  readonly url?: string | undefined
  /** Rows are put in by hand, so that what is kept beside them cannot be expected to agree. */
  readonly isByHand?: boolean
}

/** When the file has ended, the database must agree with itself, whatever was done in it. */
export async function startHost({ url, isByHand = false }: HostOptions = {}): Promise<Host> {
  const host = await hostOn(url ?? (await createDatabase()))
  if (!isByHand) {
    atEnd(async () => assert.deepEqual(await findDrift(host.sql), [], 'there is no drift'))
  }
  return host
}

async function hostOn(url: string): Promise<Host> {
  if (process.env['UPDATE_GOLDEN'] !== '1') watchStatements()
  const base = await listen(url)
  const owner = new Database(createPool({ url, role: 'muster_owner', max: 4 }))
  const sql = await connect(url)
  atEnd(async () => {
    await owner[Symbol.asyncDispose]()
    await sql.end()
  })
  return { url, base, owner, sql }
}

/** Tests ask more often than anyone, and fail more often; all but those that are about it. */
export const unlimited = { key: 1e9, workspace: 1e9, failures: 1e9 }

/** One more service on a database, as another process would be. */
export async function listen(url: string, options: Partial<ServiceOptions> = {}) {
  const service = await startService({ url, logLevel: null, rates: unlimited, ...options })
  atEnd(() => service[Symbol.asyncDispose]())
  const base = await service.app.listen({ host: '127.0.0.1', port: 0 })
  metricsUrls.set(base, await service.metrics.open({ host: '127.0.0.1', port: 0 }))
  return base
}

let workspaces = 0

/** A new workspace on a host, or the one of this name, and ways to come to it. */
export async function newWorkspace(host: Host, name?: string) {
  const { base } = host
  workspaces += 1
  const { id } = await foundWorkspace(host.owner, name ?? `Workspace ${process.pid}.${workspaces}`)
  // Every scene that a test sets has a key of its own, and some set hundreds.
  await host.sql.query('update workspace_counters set keys_max = 100000 where workspace_id = $1', [
    uuidOf(id),
  ])
  const admin = administrator(host.owner, id)
  // A key that expires can only make keys that end with it.
  const issue = async (wish: Partial<KeyWish> = {}) =>
    createKey(admin, { name: 'Test', scopes: [], expiresInHours: null, ...wish })
  return {
    id,
    /** As the database knows it. */
    uuid: uuidOf(id),
    admin,
    issue,
    stranger: new Client(base, null),
    /** A client that holds exactly these scopes. */
    key: async (...held: Scope[]) => new Client(base, (await issue({ scopes: held })).token),
    /** A client that may do everything. */
    manager: async () => new Client(base, (await issue({ scopes })).token),
  }
}

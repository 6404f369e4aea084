import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { atEnd } from '@muster/testing/at-end'

import { type Config, readConfig } from '#config'
import { describeError } from '#operator-error'
import { startService } from '#service'
import { migrate } from '#storage/migration/migrate'
import type { Json } from '#test/support/client'
import { connect, createDatabase, createEmptyDatabase } from '#test/support/database'
import { longTimeouts } from '#test/support/long-timeouts'
import { startOwnPostgres } from '#test/support/own-postgres'
import { runToEnd, startProcess } from '#test/support/process'
import { listen, newWorkspace, startHost } from '#test/support/workspace'

/** An invalid value for each setting. */
const badValues: Record<keyof Config, string> = {
  DATABASE_URL: 'muster:hunter2@127.0.0.1',
  DATABASE_SERVICE_URL: 'mysql://muster:hunter2@127.0.0.1/muster',
  DATABASE_POOL_MAX: '1',
  WORKERS: 'maybe',
  SWEEP_SECONDS: '0',
  RATE_LIMIT_KEY: '-1',
  RATE_LIMIT_WORKSPACE: 'many',
  RATE_LIMIT_FAILURES: '1.5',
  REDIS_URL: 'redis://:hunter2@[',
  REDIS_PREFIX: '',
  RESPONSE_MEMORY_MIB: '-1',
  TRUSTED_PROXIES: '1.2.3.999',
  EGRESS_ALLOW: '10.0.0.0/33',
  SECRETS_KEY: 'hunter2',
  DRAIN_SECONDS: '9',
  HOST: 'no such host',
  PORT: 'abc',
  PUBLIC_URL: 'http://muster.example.com',
  METRICS_PORT: '70000',
  LOG_LEVEL: 'loud',
  CORS_ORIGINS: '*',
  SECURITY_CONTACT: 'security@example.com',
}

interface Ending {
  readonly code: number | null
  readonly stderr: string
}

/** Asserts exit code 1 with one line, no stack trace and no password. */
function assertOneLine({ code, stderr }: Ending, line: RegExp): void {
  assert.equal(code, 1, stderr)
  assert.match(stderr, /^error: [^\n]+\n$/)
  assert.match(stderr, line)
  assert.doesNotMatch(stderr, / {4}at |hunter2/)
}

/** The error of a service that does not start, as its process would print it. */
async function refusalOf(url: string): Promise<string> {
  try {
    const service = await startService({ url, logLevel: null, timeouts: longTimeouts })
    await service[Symbol.asyncDispose]()
  } catch (error) {
    return describeError(error, 'DATABASE_URL')
  }
  return 'the service started'
}

const migrated = await createDatabase()

test('reports invalid settings in one line, with their accepted values and an example', async () => {
  const { HOST, ...parsed } = badValues
  const [all, one, listening] = await Promise.all([
    runToEnd('migrate', parsed),
    runToEnd('main', { DATABASE_URL: migrated, LOG_LEVEL: 'loud' }),
    runToEnd('main', { DATABASE_URL: migrated, HOST }),
  ])
  for (const name of Object.keys(parsed)) {
    assertOneLine(all, new RegExp(`${name} must be [^;]+, for example ${name}=`))
  }
  const levels = 'trace, debug, info, warn, error, fatal, silent'
  assert.equal(
    one.stderr,
    `error: LOG_LEVEL must be one of ${levels}, for example LOG_LEVEL=info\n`,
  )
  assert.equal(one.code, 1)
  assertOneLine(listening, /cannot listen on HOST=no such host PORT=0/)
})

test('migrate refuses an option instead of ignoring it, with exit code 2', async () => {
  const empty = await createEmptyDatabase()
  const { code, stderr } = await runToEnd('migrate', { DATABASE_URL: empty }, '--dry-run')
  assert.deepEqual([code, stderr], [2, 'error: This command has no arguments and no options.\n'])
  const sql = await connect(empty)
  const { rows } = await sql.query(`select to_regnamespace('muster') as schema`)
  await sql.end()
  assert.equal(rows[0].schema, null)
})

test('refuses each invalid setting alone, and proxy lists that Fastify would refuse', async (t) => {
  const { HOST: _, ...parsed } = badValues
  const networks = ['0.0.0.0/0', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.1;::1', 'a']
  const proxies = networks.map((network) => ['TRUSTED_PROXIES', network] as const)
  const before = process.env
  t.after(() => (process.env = before))
  for (const [name, value] of [...Object.entries(parsed), ...proxies]) {
    process.env = { ...before, DATABASE_URL: migrated, [name]: value }
    assert.throws(readConfig, { name: 'OperatorError', message: new RegExp(`^${name} must be`) })
  }
  const good = '::1, 10.0.0.0/8,fd00::/64,127.0.0.1'
  process.env = { ...before, DATABASE_URL: migrated, TRUSTED_PROXIES: good }
  const trustedProxies = readConfig()
    .TRUSTED_PROXIES.split(',')
    .map((each) => each.trim())
  const base = await listen(migrated, { trustedProxies })
  assert.equal((await fetch(new URL('/readyz', base))).status, 200)
})

test('refuses to start on a schema that lacks migrations', async () => {
  const old = await createEmptyDatabase()
  await migrate(old, { last: '0004_derived' })
  const [service, command] = await Promise.all([
    runToEnd('main', { DATABASE_URL: old }),
    runToEnd('admin', { DATABASE_URL: old }, 'workspace', 'list'),
  ])
  assertOneLine(service, /lacks the migrations 0005_record, .*Run: npm run migrate/)
  const both = /lacks the migrations 0005_record, .*0007_jobs.*Run: npm run migrate/
  assertOneLine(command, both)
  const onEmpty = await refusalOf(await createEmptyDatabase())
  assert.match(onEmpty, /^error: .+ lacks the migrations 0001_workspaces, .*Run: npm run migrate$/)
})

test('answers 503 on /readyz and names missing migrations; ignores additional ones', async () => {
  const { base, url, sql } = await startHost()
  const ready = () => fetch(new URL('/readyz', base))
  const until = async (status: number) => {
    for (let tries = 0; tries < 300 && (await ready()).status !== status; tries++) await sleep(100)
    return ready()
  }
  await sql.query(`insert into kysely_migration values ('9999_next_release', '2099')`)
  await sql.query(`delete from kysely_migration where name like '0006%'`)
  const refused = await until(503)
  assert.equal(refused.status, 503)
  assert.match(refused.headers.get('content-type') ?? '', /^application\/problem\+json/)
  const problem = 'The database lacks the migrations 0006_authentication. Run: npm run migrate'
  const { code, detail } = (await refused.json()) as Json
  assert.deepEqual([code, detail], ['unavailable', problem])
  assert.equal(await refusalOf(url), `error: ${problem}`)

  await sql.query(`insert into kysely_migration values ('0006_authentication', '2026')`)
  assert.equal((await until(200)).status, 200)
})

const postgres = await startOwnPostgres()
const admin = await connect(postgres.url)
atEnd(() => admin.end())
const as = (user: string, database = 'postgres') =>
  postgres.url.replace(/postgres@(.+)\/postgres$/, `${user}@$1/${database}`)

test('reports a database that refuses the service in one line with the remedy', async () => {
  const hba = join(postgres.folder, 'pg_hba.conf')
  const rules = 'host all guarded 127.0.0.1/32 scram-sha-256\nhost all barred 127.0.0.1/32 reject\n'
  writeFileSync(hba, rules + readFileSync(hba, 'utf8'))
  await admin.query(`create role guarded login password 'right'; create role barred login;
    create role plain login; select pg_reload_conf()`)
  const lines: [url: string, line: RegExp][] = [
    [as('guarded:hunter2'), /password authentication failed.+ Check the user and the password in/],
    [as('guarded'), /requires a password\. Check the user and the password in DATABASE_URL/],
    [as('barred'), /pg_hba\.conf rejects.+ Check the user in DATABASE_URL/],
    [as('absent:hunter2'), /role "absent" does not exist\. Check the user in DATABASE_URL/],
    [as('postgres', 'missing'), /database "missing" does not exist\. Create the database/],
    [as('plain'), /permission denied to set role "muster_app"\. The user in DATABASE_URL lacks a/],
  ]
  for (const [url, line] of lines) {
    const stderr = `${await refusalOf(url)}\n`
    assertOneLine({ code: 1, stderr }, line)
  }
  const guarded = as('guarded:hunter2')
  const away = as('postgres:hunter2').replace(/:\d+\//, ':9/')
  const [service, migration, command] = await Promise.all([
    runToEnd('main', { DATABASE_URL: migrated, DATABASE_SERVICE_URL: guarded }),
    runToEnd('migrate', { DATABASE_URL: guarded }),
    runToEnd('admin', { DATABASE_URL: away }, 'workspace', 'list'),
  ])
  assertOneLine(service, /password authentication failed.+ password in DATABASE_SERVICE_URL/)
  assertOneLine(migration, /password authentication failed.+ password in DATABASE_URL/)
  assertOneLine(command, /cannot be reached \(ECONNREFUSED\)\. Check the host and port/)
})

const host = await startHost({ url: postgres.url, skipsDriftCheck: true })
const { token } = await (await newWorkspace(host)).manager()

async function statusAt(base: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(new URL('/v1/personnel', base), { headers })).status
}

test('starts while the database has no free connection, and then works', async () => {
  await admin.query('create role crowded login connection limit 0; grant muster_app to crowded')
  const service = await startProcess(as('crowded'))
  assert.match(service.log(), /"level":40[^\n]+"code":"53300"[^\n]+is not available yet/)
  assert.equal(await statusAt(service.base), 503)
  await admin.query('alter role crowded connection limit -1')
  assert.equal(await statusAt(service.base), 200)
})

test('answers 503 on a standby, and works after its promotion', async () => {
  assert.equal(await statusAt(host.base), 200)
  await postgres.stop()
  writeFileSync(join(postgres.folder, 'standby.signal'), '', { mode: 0o666 })
  await postgres.start()
  const sql = await connect(postgres.url)
  const { rows } = await sql.query('select pg_is_in_recovery() as is_standby')
  assert.deepEqual(rows, [{ is_standby: true }])
  for (let tries = 0; tries < 5; tries++) assert.equal(await statusAt(host.base), 503)
  const kept = async () => {
    const count = `select count(*)::int from pg_stat_activity where application_name = 'muster'`
    return (await sql.query(count)).rows[0].count
  }
  for (let tries = 0; tries < 300 && (await kept()) > 0; tries++) await sleep(100)
  assert.equal(await kept(), 0, 'no connection to a standby is kept')
  await sql.query('select pg_promote()')
  await sql.end()
  assert.equal(await statusAt(host.base), 200)
})

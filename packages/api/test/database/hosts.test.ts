import assert from 'node:assert/strict'
import { chownSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { createCertificate } from '@muster/testing/certificate'
import { freePort } from '@muster/testing/free-port'

import { parseDatabaseUrl } from '#storage/connection/database-url'
import { createPool, probeDatabase } from '#storage/connection/pool'
import { databaseTimeouts } from '#storage/connection/timeouts'
import { Client } from '#test/support/client'
import { connect } from '#test/support/database'
import { longTimeouts } from '#test/support/long-timeouts'
import { startOwnPostgres, startStandby } from '#test/support/own-postgres'
import { runToEnd, startProcess } from '#test/support/process'
import { startProxy } from '#test/support/proxy'
import { newWorkspace, startHost } from '#test/support/workspace'

const primary = await startOwnPostgres()
const standby = await startStandby(primary)

const placeOf = (url: string) => `127.0.0.1:${new URL(url).port}`
const [atPrimary, atStandby] = [placeOf(primary.url), placeOf(standby.url)]
const atNothing = `127.0.0.1:${await freePort()}`

const urlOf = (hosts: readonly string[], rest = '/postgres') =>
  `postgres://postgres:hunter2@${hosts.join(',')}${rest}`

const readWrite = '/postgres?target_session_attrs=read-write'

/** The server that a new connection reaches. */
async function reached(url: string, timeouts = longTimeouts): Promise<string> {
  const pool = createPool({ url, role: null, max: 1, timeouts })
  try {
    const { rows } = await pool.query('select inet_server_port() as port')
    return `127.0.0.1:${rows[0].port}`
  } finally {
    await pool.end()
  }
}

test('parses the hosts of a URL as libpq does', () => {
  const hostsOf = (url: string) =>
    parseDatabaseUrl(url)?.hosts.map(({ host, port }) => `${host} ${port}`) ?? null
  const cases: [url: string, hosts: string[] | null][] = [
    ['postgres://u:p@h1:5433,h2,[::1]:6000/db', ['h1 5433', 'h2 5432', '::1 6000']],
    ['postgresql://u:a%40b@h1,h2:5433/db?sslmode=disable', ['h1 5432', 'h2 5433']],
    ['postgres://%2Frun%2Fpg,h2/db', ['/run/pg 5432', 'h2 5432']],
    ['postgres:///db?host=h1,h2&port=5433', ['h1 5433', 'h2 5433']],
    ['postgres:///db?host=h1,/run&port=1,2', ['h1 1', '/run 2']],
    ['postgres://h1/db?target_session_attrs=primary', ['h1 5432']],
    ['postgres://h1:5433/db', []],
    ['postgres://h1:5433/db?target_session_attrs=any', []],
    ['postgres://u@/db?host=/run/pg', null],
    ['postgres:///db?host=/run/pg', []],
    ['socket:/run/pg?db=muster', []],
    ['postgres://h1,h2:x/db', null],
    ['postgres://h1,h2:70000/db', null],
    ['postgres://h1,,h2/db', null],
    ['postgres://h1,h2%/db', null],
    ['postgres://h1,h2/db?port=1,2,3', null],
    ['postgres://h1,h2/db?target_session_attrs=standby', null],
  ]
  for (const [url, hosts] of cases) assert.deepEqual(hostsOf(url), hosts, url)
})

test('a connection goes to the first host that accepts it and has the wanted role', async () => {
  const all = [atStandby, atNothing, atPrimary]
  assert.equal(await reached(urlOf(all, readWrite)), atPrimary)
  assert.equal(await reached(urlOf(all, '/postgres?target_session_attrs=primary')), atPrimary)
  assert.equal(await reached(urlOf(all, '/postgres?target_session_attrs=any')), atStandby)
  assert.equal(await reached(urlOf([atNothing, atPrimary, atStandby])), atPrimary)
  const [s, n, p] = all.map((place) => place.split(':')[1])
  const parameters = `host=127.0.0.1,127.0.0.1,127.0.0.1&port=${s},${n},${p}`
  const url = `postgres:///postgres?user=postgres&target_session_attrs=primary&${parameters}`
  assert.equal(await reached(url), atPrimary)
})

test('read-write excludes a primary on which transactions are read-only by default', async () => {
  const sql = await connect(primary.url)
  await sql.query(
    `create role careful login; alter role careful set default_transaction_read_only = on`,
  )
  await sql.end()
  const as = (target: string) =>
    urlOf([atPrimary], `/postgres?target_session_attrs=${target}`).replace(
      'postgres:h',
      'careful:h',
    )
  assert.equal(await reached(as('primary')), atPrimary)
  await assert.rejects(reached(as('read-write')), { message: `${atPrimary}: is read-only` })
})

test('an error names the reason of each host, and no password', async () => {
  const away = urlOf([atNothing, atStandby], readWrite)
  const message = `${atNothing}: ECONNREFUSED, ${atStandby}: is a standby`
  await assert.rejects(reached(away), { name: 'HostsError', message })
  const { code, stderr } = await runToEnd('admin', { DATABASE_URL: away }, 'workspace', 'list')
  const advice = 'Check the host and port in DATABASE_URL'
  const line = `error: The database cannot be reached (${message}). ${advice}\n`
  assert.deepEqual([code, stderr], [1, line])
})

test('a host that refuses the database or the user is not skipped', async () => {
  await assert.rejects(reached(urlOf([atNothing, atStandby, atPrimary], '/missing')), {
    code: '3D000',
    message: `database "missing" does not exist (${atStandby})`,
  })
})

test('with TLS, each host must have a certificate of its own name', async () => {
  const { key, cert, certFile } = createCertificate('DNS:localhost')
  const { uid, gid } = statSync(primary.folder)
  for (const [name, text] of Object.entries({ 'server.key': key, 'server.crt': cert })) {
    const file = join(primary.folder, name)
    writeFileSync(file, text, { mode: 0o600 })
    chownSync(file, uid, gid)
  }
  const sql = await connect(primary.url)
  await sql.query('alter system set ssl = on')
  await sql.query('select pg_reload_conf()')
  await sql.end()
  const byName = atPrimary.replace('127.0.0.1', 'localhost')
  const tls = `${readWrite}&sslmode=verify-full&sslrootcert=${encodeURIComponent(certFile)}`
  assert.equal(await reached(urlOf([atNothing, byName], tls)), atPrimary)
  await assert.rejects(reached(urlOf([atPrimary, byName], tls)), {
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
  })
})

test('a value of target_session_attrs that is not supported is refused at startup', async () => {
  const DATABASE_URL = urlOf(
    [atPrimary, atStandby],
    '/postgres?target_session_attrs=prefer-standby',
  )
  for (const command of ['main', 'migrate'] as const) {
    const { code, stderr } = await runToEnd(command, { DATABASE_URL })
    assert.equal(code, 1)
    assert.match(stderr, /^error: DATABASE_URL must be .+ any, read-write or primary, for example/)
    assert.doesNotMatch(stderr, /hunter2/)
  }
})

test('a host that does not answer leaves time for the next one', async () => {
  const proxy = await startProxy(primary.url)
  proxy.freeze()
  const frozen = placeOf(proxy.url)
  const url = urlOf([frozen, atPrimary], readWrite)
  const start = performance.now()
  assert.equal(
    await reached(url, { ...longTimeouts, ...databaseTimeouts, connectMs: 1500 }),
    atPrimary,
  )
  const ms = performance.now() - start
  assert.ok(ms > 700 && ms < 1500, `connected after ${ms} ms`)
  await probeDatabase({ url, role: 'muster_app', timeouts: { ...longTimeouts, probeMs: 4000 } })
  const message = `${frozen}: timeout, ${frozen}: timeout`
  const limited = { ...longTimeouts, connectMs: 600 }
  await assert.rejects(reached(urlOf([frozen, frozen], readWrite), limited), { message })
})

test('writes again without a restart when a standby is promoted', async () => {
  const url = urlOf([atStandby, atNothing, atPrimary], readWrite)
  const migration = await runToEnd('migrate', { DATABASE_URL: url })
  assert.deepEqual(migration, { code: 0, stderr: 'The database is up to date.\n' })
  const host = await startHost({ url: primary.url, skipsDriftCheck: true })
  const { token } = await (await newWorkspace(host)).manager()
  const service = await startProcess(url)
  const client = new Client(service.base, token)
  const add = async (name: string) => (await client.post('/v1/personnel', { name })).status
  assert.equal(await add('Before'), 201)

  process.kill(primary.pid(), 'SIGKILL')
  for (let tries = 0; tries < 100 && (await add('Meanwhile')) !== 503; tries++) await sleep(100)
  assert.equal(await add('Meanwhile'), 503)
  const sql = await connect(standby.url)
  await sql.query('select pg_promote()')
  let status = 0
  for (let tries = 0; tries < 100 && status !== 201; tries++) {
    status = await add('After')
    if (status !== 201) await sleep(100)
  }
  assert.equal(status, 201)
  assert.equal(service.process.exitCode, null)
  const { rows } = await sql.query(
    `select name from people where name in ('Before', 'After') order by 1`,
  )
  assert.deepEqual(rows, [{ name: 'After' }, { name: 'Before' }])
  await sql.end()
})

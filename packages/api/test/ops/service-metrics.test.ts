import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { Browser, signIn } from '#test/auth/browser'
import { challengeOf, personWithPasskey, withCookies } from '#test/auth/passkeys/passkey-steps'
import { addPerson, newLink } from '#test/auth/people'
import { ProviderBrowser } from '#test/auth/provider/provider-browser'
import { newPerson, startProviderHost } from '#test/auth/provider/provider-host'
import { Client } from '#test/support/client'
import { startProxy } from '#test/support/proxy'
import { sentDuring } from '#test/support/statements'
import { metricsOf } from '#test/support/watch'
import { listen } from '#test/support/workspace'

import { readMetrics } from './metrics-urls.ts'

const place = await startProviderHost()
const { host, home, manager, newAccount } = place

/** Waits for a metric that changes in the background. */
async function until(base: string, isDone: (metrics: Record<string, number>) => boolean) {
  for (let tries = 0; tries < 500; tries++) {
    const metrics = await metricsOf(base)
    if (isDone(metrics)) return metrics
    await sleep(20)
  }
  return assert.fail('the metrics did not change')
}

/** The sign-ins that were counted since the start of a service, without zeros. */
async function signInsAt(base: string) {
  const counted = Object.entries(await metricsOf(base)).flatMap(([name, count]) => {
    const [, method, outcome] = /^muster_sign_ins_total\{method="(\w+)",outcome="(\w+)"\}$/.exec(
      name,
    ) ?? ['']
    return method === undefined || count === 0 ? [] : [[`${method} ${outcome}`, count]]
  })
  return Object.fromEntries(counted)
}

test('names the version, the commit and the version of Node', async () => {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  const isCheckout = existsSync(new URL('../../../../.git/HEAD', import.meta.url))
  const git = ['-C', import.meta.dirname, 'rev-parse', 'HEAD']
  const commit = isCheckout ? execFileSync('git', git, { encoding: 'utf8' }).trim() : 'unknown'
  const labels = `version="${version}",commit="${commit}",node="${process.version}"`
  assert.equal((await metricsOf(host.base))[`muster_build_info{${labels}}`], 1)
})

test('counts sign-ins by method and outcome', async () => {
  const base = await listen(host.url)
  assert.deepEqual(await signInsAt(base), {})

  await signIn(base, manager.token)
  await new Browser(base, '').startSession('muster_key_wrong')
  assert.deepEqual(await signInsAt(base), { 'key succeeded': 1, 'key refused': 1 })

  const { path, token } = await newLink(manager, await addPerson(manager, {}))
  for (const _ of [1, 2, 3]) await new Browser(base, '').post(path, { token })
  const { 'link succeeded': used, 'link refused': reused } = await signInsAt(base)
  assert.deepEqual([used, reused], [1, 2])

  const { authenticator } = await personWithPasskey(new Client(base, manager.token))
  const passkeyPath = `/sign-in/${home.id}/passkey`
  const begun = await new Browser(base, '').post(`${passkeyPath}/options`, {})
  const sender = withCookies(base, challengeOf(begun))
  const response = authenticator.authenticate(begun.body)
  for (const _ of [1, 2]) await sender.post(passkeyPath, { response })
  const { 'passkey succeeded': signed, 'passkey refused': replayed } = await signInsAt(base)
  assert.deepEqual([signed, replayed], [1, 1])
})

test('counts sign-ins with an identity provider, also those that cannot start', async () => {
  const { base, plain } = place
  const { email } = await newPerson(manager)
  await new ProviderBrowser(base, home.id, newAccount({ email })).signIn()
  const stranger = newAccount({ email: 'stranger@example.com' })
  await new ProviderBrowser(base, home.id, stranger).signIn()
  await new ProviderBrowser(base, plain.id, stranger).start()
  assert.deepEqual(await signInsAt(base), { 'oidc succeeded': 1, 'oidc refused': 2 })
})

test('shows an unreachable database, and counts sign-ins that fail because of it', async () => {
  const proxy = await startProxy(host.url)
  const base = await listen(proxy.url)
  const started = await metricsOf(base)
  assert.deepEqual([started['muster_database_up'], started['muster_ready']], [1, 1])

  await proxy.refuse()
  const { muster_ready: ready } = await until(base, (each) => each['muster_database_up'] === 0)
  assert.equal(ready, 1, 'readiness does not depend on the database')
  await new Browser(base, '').startSession(manager.token)
  assert.deepEqual(await signInsAt(base), { 'key failed': 1 })

  await proxy.accept()
  await until(base, (each) => each['muster_database_up'] === 1)
})

test('shows a process that is not ready', async () => {
  const base = await listen(host.url)
  const name = '9999_unknown'
  const { rows } = await host.sql.query('select name from kysely_migration order by name limit 1')
  const rename = (from: string, to: string) =>
    host.sql.query('update kysely_migration set name = $2 where name = $1', [from, to])
  await rename(rows[0].name, name)
  await until(base, (each) => each['muster_ready'] === 0)
  await rename(name, rows[0].name)
  await until(base, (each) => each['muster_ready'] === 1)
})

test('shows the size of the pool, and its connections by state', async () => {
  const base = await listen(host.url, { poolMax: 7 })
  const metrics = await metricsOf(base)
  assert.equal(metrics['muster_database_connections_max'], 7)
  const count = (state: string) => metrics[`muster_database_connections{state="${state}"}`] ?? -1
  assert.equal(count('total'), count('in_use') + count('idle'))
  assert.equal(count('waiting'), 0)
})

const readsSizes = ({ sql }: { readonly sql: string }) => sql.includes('relpages')

test('reads the sizes of all tables at most once in 60 s', async (t) => {
  await host.sql.query('analyze people')
  const { rows } = await host.sql.query(`
    select reltuples as rows, pg_total_relation_size(oid) as bytes
    from pg_class where oid = 'people'::regclass`)
  const base = await listen(host.url)
  const sent = await sentDuring(async () => {
    await until(base, (each) => each['muster_table_rows{table="people"}'] === rows[0].rows)
    for (let scrapes = 0; scrapes < 20; scrapes++) await readMetrics(base)
  })
  assert.equal(sent.filter(readsSizes).length, 1)
  const metrics = await metricsOf(base)
  const bytes = metrics['muster_table_bytes{table="people"}'] ?? 0
  assert.ok(bytes > 8192 && bytes <= Number(rows[0].bytes), `${bytes} of ${rows[0].bytes} bytes`)
  const tables = Object.keys(metrics).filter((each) => each.startsWith('muster_table_bytes'))
  const { rows: known } = await host.sql.query(
    `select tablename from pg_tables where schemaname = 'muster'`,
  )
  assert.equal(tables.length, known.length)

  const now = performance.now.bind(performance)
  t.mock.method(performance, 'now', () => now() + 60_001)
  const later = await sentDuring(async () => {
    for (let scrapes = 0; scrapes < 20; scrapes++) await readMetrics(base)
  })
  assert.equal(later.filter(readsSizes).length, 1)
})

test('does not wait for a locked table', async () => {
  await host.sql.query('begin; lock table people in access exclusive mode')
  const base = await listen(host.url)
  await until(base, (each) => 'muster_table_rows{table="people"}' in each)
  await host.sql.query('rollback')
})

test('has no label with an id', async () => {
  for (const base of [host.base, place.base]) {
    const text = await readMetrics(base)
    assert.doesNotMatch(text, /[a-z]{3}_[0-9a-z]{26}|[0-9a-f]{8}-[0-9a-f]{4}-/)
    assert.ok(!text.includes(home.id))
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { atEnd } from '@muster/testing/at-end'
import { measure } from '@muster/testing/measure'

import { createPool } from '#storage/connection/pool'
import { databaseTimeouts } from '#storage/connection/timeouts'
import { Database } from '#storage/transaction/database'
import { StorageError } from '#storage/values/storage-error'
import { longTimeouts } from '#test/support/long-timeouts'
import { startProcess } from '#test/support/process'
import { startProxy } from '#test/support/proxy'
import { size } from '#test/support/size'
import { metricsOf, type Timed, untilLocked } from '#test/support/watch'
import { newWorkspace, startHost } from '#test/support/workspace'

import {
  requestUntil,
  requestsOf,
  assertNothingLeaked,
  assertRefusedWhileFrozen,
  recovery,
  slowest,
} from './fault-load.ts'

const poolMax = 10

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()
await manager.post('/v1/personnel', { name: 'Someone' })
const proxy = await startProxy(host.url)
// Every page is read from the database.
const env = { DATABASE_POOL_MAX: String(poolMax), RESPONSE_MEMORY_MIB: '0' }
const { base } = await startProcess(proxy.url, env, { timeouts: 'product' })
const service = { base, token: manager.token ?? '', poolMax }
const requests = requestsOf(service)
const { page } = requests

const successes = (answers: readonly Timed[]) => answers.filter(({ status }) => status < 300)
const refusals = (answers: readonly Timed[]) => answers.filter(({ status }) => status >= 300)

test('answers 503 within two seconds while the database does not respond', async (t) => {
  await assertRefusedWhileFrozen(t, service, {
    seconds: 4,
    freeze: () => proxy.freeze(),
    thaw: () => proxy.thaw(),
  })
})

test('uses a slow database to capacity, with short queues', async (t) => {
  const before = await metricsOf(base)
  proxy.delay(200)
  await page()
  const alone = [await page(), await page(), await page()].map(({ ms }) => ms)
  // A page takes two round trips: authentication and the query.
  const roundTripMs = Math.min(...alone) / 2
  const seconds = size(3, 5)
  const workers = Array.from({ length: 60 }, () => page)
  // New connections are opened first, which takes several round trips.
  await requestUntil(performance.now() + 500, workers)
  const answers = await requestUntil(performance.now() + seconds * 1000, workers)
  proxy.delay(0)
  const boundPerSecond = (poolMax * 1000) / roundTripMs
  const goodput = successes(answers).length / seconds / boundPerSecond
  measure(t, 'goodput', { value: goodput, atLeast: 0.8, unit: 'of the capacity' })
  const refused = refusals(answers)
  for (const { code } of refused) assert.equal(code, 'overloaded')
  const refusal = refused.length > 0 ? slowest(refused) : 0
  measure(t, 'slowest refusal', { value: refusal, atMost: 1500 })
  measure(t, 'slowest response', { value: slowest(answers), atMost: 3000 })
  await assertNothingLeaked(service, before)
})

test('answers 503 at once while the database refuses connections', async (t) => {
  const before = await metricsOf(base)
  await proxy.refuse()
  const workers = Object.values(requests).flatMap((request) =>
    Array.from({ length: 4 }, () => request),
  )
  const answers = await requestUntil(performance.now() + 2000, workers)
  await proxy.accept()
  const recovered = await recovery(page)
  for (const { status } of answers) assert.equal(status, 503)
  measure(t, 'slowest response while refused', { value: slowest(answers), atMost: 1000 })
  measure(t, 'first response afterwards', { value: recovered, atMost: 1000 })
  await assertNothingLeaked(service, before)
})

test('waits for a single slow statement', async () => {
  const { silenceMs, probeMs } = databaseTimeouts
  const timeouts = { ...longTimeouts, silenceMs, probeMs }
  const withLongLocks = await startProcess(host.url, {}, { timeouts })
  await host.sql.query('begin; lock table groups in access exclusive mode')
  const asking = requestsOf({ ...service, base: withLongLocks.base }).page()
  await untilLocked(host.sql)
  await sleep(silenceMs + probeMs + 100)
  await host.sql.query('rollback')
  const { status, ms } = await asking
  assert.equal(status, 200)
  assert.ok(ms > 1500)
})

test('fails after 1.5 s without a free connection', async (t) => {
  const database = new Database(createPool({ url: host.url, role: 'muster_app', max: 2 }))
  atEnd(() => database[Symbol.asyncDispose]())
  const tenant = { workspaceId: home.id }
  const { promise: enough, resolve: letGo } = Promise.withResolvers<void>()
  const holding = [1, 2].map(() => database.read(tenant, () => enough))
  await sleep(100)
  const began = performance.now()
  await assert.rejects(
    database.read(tenant, async () => {}),
    (error) => error instanceof StorageError && error.meaning === 'unavailable',
  )
  const ms = performance.now() - began
  assert.ok(ms > 1400, `${ms}`)
  measure(t, 'refusal without a free connection', { value: ms, atMost: 1700 })
  letGo()
  await Promise.all(holding)
  await database.read(tenant, async () => {})
})

test('authenticates requests while a workspace uses all connections it can', async (t) => {
  const before = await metricsOf(base)
  await host.sql.query('begin; lock table groups in access exclusive mode')
  const stuck = Array.from({ length: poolMax - 1 }, () => page())
  await untilLocked(host.sql, poolMax - 1)
  const others = Array.from({ length: 40 }, () => requests.whoami())
  const answers = await Promise.all(others)
  await host.sql.query('rollback')
  await Promise.all(stuck)
  for (const { status } of answers) assert.equal(status, 200)
  measure(t, 'slowest response without a free connection', {
    value: slowest(answers),
    atMost: 500,
  })
  assert.equal((await page()).status, 200)
  await assertNothingLeaked(service, before)
})

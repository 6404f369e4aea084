import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

import { Database } from '#storage/database'
import { createPool } from '#storage/pool'
import { StorageError } from '#storage/storage-error'

import { atEnd } from './at-end.ts'
import { startProcess } from './process.ts'
import { startProxy } from './proxy.ts'
import { testOfTime } from './test-of-time.ts'
import {
  askUntil,
  asksOf,
  assertNothingLeaked,
  assertToldWhileFrozen,
  recovery,
  slowest,
} from './trouble.ts'
import { metricsOf, stalledMs, type Timed } from './watch.ts'
import { newWorkspace, startHost } from './workspace.ts'

const poolMax = 10

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()
await manager.post('/v1/personnel', { name: 'Someone' })
const proxy = await startProxy(host.url)
const { base } = await startProcess(proxy.url, { DATABASE_POOL_MAX: String(poolMax) })
const service = { base, token: manager.token ?? '', poolMax }
const asks = asksOf(service)
const { page } = asks

const oks = (answers: readonly Timed[]) => answers.filter(({ status }) => status < 300)
const refusals = (answers: readonly Timed[]) => answers.filter(({ status }) => status >= 300)

testOfTime(
  'while nothing comes from the database everyone is told so within two seconds',
  async () => {
    await assertToldWhileFrozen(service, {
      seconds: 4,
      freeze: () => proxy.freeze(),
      thaw: () => proxy.thaw(),
    })
  },
)

testOfTime(
  'a database that takes its time is used as far as it goes, and nobody queues for long',
  async (t) => {
    const before = await metricsOf(base)
    proxy.delay(200)
    await page()
    const alone = [await page(), await page(), await page()].map(({ ms }) => ms)
    // A page is two questions: who asks, and what for.
    const roundTripMs = Math.min(...alone) / 2
    const seconds = 5
    const workers = Array.from({ length: 60 }, () => page)
    // New connections are opened, which takes several round trips.
    await askUntil(performance.now() + 500, workers)
    const answers = await askUntil(performance.now() + seconds * 1000, workers)
    proxy.delay(0)
    const boundPerSecond = (poolMax * 1000) / roundTripMs
    const goodput = oks(answers).length / seconds / boundPerSecond
    t.diagnostic(`${goodput.toFixed(2)} of what the connections can carry`)
    assert.ok(goodput >= 0.8, `${goodput} of what the connections can carry`)
    const refused = refusals(answers)
    for (const { code } of refused) assert.equal(code, 'overloaded')
    const allowed = stalledMs()
    if (refused.length > 0) assert.ok(slowest(refused) < 1500 + allowed, `${slowest(refused)} ms`)
    assert.ok(slowest(answers) < 3000 + allowed, `${slowest(answers)} ms`)
    await assertNothingLeaked(service, before)
  },
)

testOfTime('while the database refuses connections everyone is told so at once', async () => {
  const before = await metricsOf(base)
  await proxy.refuse()
  const workers = Object.values(asks).flatMap((ask) => Array.from({ length: 4 }, () => ask))
  const answers = await askUntil(performance.now() + 2000, workers)
  await proxy.accept()
  const recovered = await recovery(page)
  for (const { status } of answers) assert.equal(status, 503)
  assert.ok(slowest(answers) < 1000 + stalledMs(), `${slowest(answers)} ms`)
  assert.ok(recovered < 1000 + stalledMs(), `it took ${recovered} ms to find it again`)
  await assertNothingLeaked(service, before)
})

testOfTime('a statement that takes long alone is waited for', async () => {
  await host.sql.query('begin; lock table people in access exclusive mode')
  const asking = page()
  await sleep(1600)
  await host.sql.query('rollback')
  const { status, ms } = await asking
  assert.equal(status, 200)
  assert.ok(ms > 1500)
})

testOfTime('who finds no free connection is told so after a second and a half', async () => {
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
  assert.ok(ms > 1400 && ms < 1700 + stalledMs(), `${ms}`)
  letGo()
  await Promise.all(holding)
  await database.read(tenant, async () => {})
})

testOfTime('when all connections are taken, the rest is answered all the same', async () => {
  const before = await metricsOf(base)
  await host.sql.query('begin; lock table people in access exclusive mode')
  const stuck = Array.from({ length: poolMax }, () => page())
  await sleep(300)
  const others = Array.from({ length: 40 }, () => asks.whoami())
  const answers = await Promise.all(others)
  await host.sql.query('rollback')
  await Promise.all(stuck)
  for (const { status } of answers) assert.ok([200, 503].includes(status))
  assert.ok(refusals(answers).length > 0, 'there was nothing free')
  assert.ok(slowest(answers) < 2600 + stalledMs(), `${slowest(answers)} ms`)
  assert.equal((await page()).status, 200)
  await assertNothingLeaked(service, before)
})

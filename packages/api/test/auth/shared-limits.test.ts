import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { issueToken } from '#domain/token'

import { Client } from './client.ts'
import { told } from './console.ts'
import { freePort } from './free-port.ts'
import { assertTooMany, left, metric } from './limited.ts'
import { startProcess } from './process.ts'
import { endRedis, noRedis, startDelay, startRedis } from './redis.ts'
import { newWorkspace, startHost } from './workspace.ts'

const host = await startHost()
const home = await newWorkspace(host)

/** On a Redis that others may use as well. */
const settings = (port: number) => ({
  REDIS_URL: `redis://127.0.0.1:${port}`,
  REDIS_PREFIX: `test-${randomBytes(6).toString('hex')}`,
})

test('processes with a Redis allow the limit together', { skip: noRedis }, async () => {
  const port = await freePort()
  await startRedis(port)
  const env = { ...settings(port), RATE_LIMIT_KEY: '200', RATE_LIMIT_FAILURES: '4' }
  const [one, two] = await Promise.all([startProcess(host.url, env), startProcess(host.url, env)])
  const { token } = await home.issue()
  const [atOne, atTwo] = [new Client(one.base, token), new Client(two.base, token)]

  assert.match(left(await atOne.get('/v1/whoami')) ?? '', /^"key";r=199,/)
  assert.match(left(await atTwo.get('/v1/whoami')) ?? '', /^"key";r=198,/)
  const statuses: number[] = []
  const ask = async (who: Client, times: number) => {
    for (let time = 0; time < times; time++) statuses.push((await who.get('/v1/whoami')).status)
  }
  await Promise.all([atOne, atTwo].flatMap((who) => [ask(who, 75), ask(who, 75)]))
  const allowed = 2 + statuses.filter((status) => status === 200).length
  assert.equal(allowed + statuses.filter((status) => status === 429).length, 302)
  assert.ok(allowed >= 190 && allowed <= 210, `${allowed} of 200 were let through`)
  assertTooMany(await atOne.get('/v1/whoami'), 'key')
  assertTooMany(await atTwo.get('/v1/whoami'), 'key')

  const fake = (base: string) => new Client(base, issueToken(home.id).token).get('/v1/whoami')
  for (const { base } of [one, two, one, two]) {
    assert.equal(told(await fake(base)), '401 unknown_key')
  }
  assertTooMany(await fake(one.base), 'address')
  assertTooMany(await fake(two.base), 'address')
})

/** Waits for what the service finds out by itself. */
async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + 20_000
  while (!(await isSo())) {
    assert.ok(performance.now() < end, what)
    await sleep(100)
  }
}

test('a Redis that is away, frozen or killed keeps nobody waiting', { skip: noRedis }, async () => {
  const port = await freePort()
  const service = await startProcess(host.url, { ...settings(port), RATE_LIMIT_KEY: '1000000' })
  const { base, log } = service
  const client = new Client(base, (await home.issue()).token)
  const isUp = async () => (await metric(base, 'muster_limiter_up')) === 1
  const lines = (text: string) => log().split(text).length - 1
  const counted = (reply: Awaited<ReturnType<Client['get']>>) =>
    1_000_000 - Number(/^"key";r=(\d+)/.exec(left(reply) ?? '')?.[1])

  /** Requests go on, in a time that has nothing to do with Redis. */
  const goesOn = async () => {
    let last = 0
    for (let time = 0; time < 30; time++) {
      const began = performance.now()
      const reply = await client.get('/v1/whoami')
      assert.equal(told(reply), '200')
      const ms = performance.now() - began
      assert.ok(ms < 5000, `a request took ${ms.toFixed()} ms`)
      assert.ok(time === 0 || counted(reply) !== last, 'requests are counted all the same')
      last = counted(reply)
    }
    assert.equal((await client.get('/readyz')).status, 200)
    await until(async () => !(await isUp()), 'that Redis is away is noticed')
  }

  await goesOn()
  assert.equal(lines('Redis cannot be reached'), 1)
  const first = await startRedis(port)
  await until(isUp, 'a Redis that appears is used')
  assert.equal(lines('Redis answers'), 1)
  assert.equal(counted(await client.get('/v1/whoami')), 1, 'the shared count begins')

  first.kill('SIGSTOP')
  await goesOn()
  assert.equal(lines('Redis cannot be reached'), 2)
  first.kill('SIGCONT')
  await until(isUp, 'a Redis that goes on is used again')

  await endRedis(first)
  await goesOn()
  assert.equal(lines('Redis cannot be reached'), 3)
  await startRedis(port)
  await until(isUp, 'a new Redis is used')
  assert.equal(counted(await client.get('/v1/whoami')), 1, 'it knows nothing of the former')
  assert.equal(lines('Redis answers'), 3)
  assert.equal(service.process.exitCode, null)
})

test(
  'a Redis that answers late is not waited for, and told of once',
  { skip: noRedis },
  async () => {
    const port = await freePort()
    await startRedis(port)
    const service = await startProcess(host.url, settings(await startDelay(port, 500)))
    const client = new Client(service.base, (await home.issue()).token)
    const took: number[] = []
    for (let time = 0; time < 40; time++) {
      const began = performance.now()
      assert.equal((await client.get('/v1/whoami')).status, 200)
      took.push(performance.now() - began)
      await sleep(50)
    }
    const median = took.toSorted((a, b) => a - b)[20] ?? 0
    assert.ok(median < 500, `half of the requests took ${median.toFixed()} ms`)
    assert.equal(await metric(service.base, 'muster_limiter_up'), 0)
    assert.equal(service.log().split('Redis cannot be reached').length - 1, 1)
  },
)

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { freePort } from '@muster/testing/free-port'
import { measure } from '@muster/testing/measure'

import { issueToken } from '#domain/auth/token'
import { outcome } from '#test/auth/browser'
import { Client } from '#test/support/client'
import { startProcess } from '#test/support/process'
import { newWorkspace, startHost } from '#test/support/workspace'

import { assertRateLimited, remainingQuota, metric } from './limited.ts'
import { endRedis, noRedis, startDelay, startRedis } from './redis.ts'

const host = await startHost()
const home = await newWorkspace(host)

/** Settings for a Redis that is shared with other applications. */
const settings = (port: number) => ({
  REDIS_URL: `redis://127.0.0.1:${port}`,
  REDIS_PREFIX: `test-${randomBytes(6).toString('hex')}`,
})

test('enforces one limit across processes that share a Redis', { skip: noRedis }, async () => {
  const port = await freePort()
  await startRedis(port)
  const env = { ...settings(port), RATE_LIMIT_KEY: '200', RATE_LIMIT_FAILURES: '4' }
  const [one, two] = await Promise.all([startProcess(host.url, env), startProcess(host.url, env)])
  const { token } = await home.issue()
  const [atOne, atTwo] = [new Client(one.base, token), new Client(two.base, token)]

  assert.match(remainingQuota(await atOne.get('/v1/whoami')) ?? '', /^"key";r=199,/)
  assert.match(remainingQuota(await atTwo.get('/v1/whoami')) ?? '', /^"key";r=198,/)
  const statuses: number[] = []
  const ask = async (who: Client, times: number) => {
    for (let time = 0; time < times; time++) statuses.push((await who.get('/v1/whoami')).status)
  }
  await Promise.all([atOne, atTwo].flatMap((who) => [ask(who, 75), ask(who, 75)]))
  const allowed = 2 + statuses.filter((status) => status === 200).length
  assert.equal(allowed + statuses.filter((status) => status === 429).length, 302)
  assert.ok(allowed >= 190 && allowed <= 210, `${allowed} of 200 were allowed`)
  assertRateLimited(await atOne.get('/v1/whoami'), 'key')
  assertRateLimited(await atTwo.get('/v1/whoami'), 'key')

  const fake = (base: string) => new Client(base, issueToken(home.id).token).get('/v1/whoami')
  for (const { base } of [one, two, one, two]) {
    assert.equal(outcome(await fake(base)), '401 unknown_key')
  }
  assertRateLimited(await fake(one.base), 'address')
  assertRateLimited(await fake(two.base), 'address')
})

test('limits refunds across processes that share a Redis', { skip: noRedis }, async () => {
  const port = await freePort()
  await startRedis(port)
  const env = { ...settings(port), RATE_LIMIT_KEY: '20' }
  const [one, two] = await Promise.all([startProcess(host.url, env), startProcess(host.url, env)])
  const { token } = await home.issue({ scopes: ['personnel.read'] })
  const clients = [new Client(one.base, token), new Client(two.base, token)]
  const etag = (await clients[0]?.get('/v1/groups'))?.headers.get('etag') ?? ''
  const outcomes: string[] = []
  for (let sent = 0; sent < 30; sent++)
    for (const each of clients)
      outcomes.push(outcome(await each.get('/v1/groups', { 'if-none-match': etag })))
  const unchanged = outcomes.filter((each) => each === '304').length
  assert.ok(unchanged >= 30 && unchanged <= 39, `${unchanged} of 20 + 19`)
  assert.equal(outcomes.filter((each) => each === '429 rate_limited').length, 60 - unchanged)
})

/** Waits until a condition holds that the service detects by itself. */
async function until(condition: () => Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + 60_000
  while (!(await condition())) {
    assert.ok(performance.now() < end, what)
    await sleep(100)
  }
}

test('continues when Redis is absent, frozen or killed', { skip: noRedis }, async (t) => {
  const port = await freePort()
  const service = await startProcess(host.url, { ...settings(port), RATE_LIMIT_KEY: '1000000' })
  const { base, log } = service
  const client = new Client(base, (await home.issue()).token)
  const isUp = async () => (await metric(base, 'muster_rate_limit_store_up')) === 1
  const lines = (text: string) => log().split(text).length - 1
  const counted = (reply: Awaited<ReturnType<Client['get']>>) =>
    1_000_000 - Number(/^"key";r=(\d+)/.exec(remainingQuota(reply) ?? '')?.[1])

  /** Asserts that requests succeed without waiting for Redis. */
  const assertServes = async () => {
    let last = 0
    let worst = 0
    for (let time = 0; time < 30; time++) {
      const began = performance.now()
      const reply = await client.get('/v1/whoami')
      assert.equal(outcome(reply), '200')
      const ms = performance.now() - began
      worst = Math.max(worst, ms)
      assert.ok(time === 0 || counted(reply) !== last, 'requests are still counted')
      last = counted(reply)
    }
    measure(t, 'slowest request without Redis', { value: worst, atMost: 2000 })
    assert.equal((await client.get('/readyz')).status, 200)
    await until(async () => !(await isUp()), 'the absence of Redis is detected')
  }

  await assertServes()
  assert.equal(lines('Redis cannot be reached'), 1)
  const first = await startRedis(port)
  await until(isUp, 'a new Redis is used')
  assert.equal(lines('Redis answers'), 1)
  assert.equal(counted(await client.get('/v1/whoami')), 1, 'the shared count starts')

  first.kill('SIGSTOP')
  await assertServes()
  assert.equal(lines('Redis cannot be reached'), 2)
  first.kill('SIGCONT')
  await until(isUp, 'a resumed Redis is used again')

  await endRedis(first)
  await assertServes()
  assert.equal(lines('Redis cannot be reached'), 3)
  await startRedis(port)
  await until(isUp, 'a replaced Redis is used')
  assert.equal(counted(await client.get('/v1/whoami')), 1, 'it has no earlier counts')
  assert.equal(lines('Redis answers'), 3)
  assert.equal(service.process.exitCode, null)
})

test('does not wait for a slow Redis, and logs it once', { skip: noRedis }, async (t) => {
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
  measure(t, 'median request with a slow Redis', { value: median, atMost: 150 })
  assert.equal(await metric(service.base, 'muster_rate_limit_store_up'), 0)
  assert.equal(service.log().split('Redis cannot be reached').length - 1, 1)
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { issueToken } from '#domain/auth/token'
import { timed } from '#test/support/watch'

import { startPlaces } from './places.ts'

test('of one workspace, admits reads before writes before complete lists', async () => {
  const { begun, send, endAll } = await startPlaces()
  await send('GET', '/v1/whoami')
  await send('GET', '/v1/risks')
  await send('POST', '/v1/personnel')
  await send('GET', '/v1/risks?level=high&limit=1')
  await send('GET', '/v1/risks/summary')
  await send('POST', '/v1/projects')
  await endAll()
  assert.deepEqual(
    begun.map(({ path }) => path),
    [
      'GET /v1/whoami',
      'GET /v1/risks?level=high&limit=1',
      'GET /v1/risks/summary',
      'POST /v1/personnel',
      'POST /v1/projects',
      'GET /v1/risks',
    ],
  )
})

test('gives the next place to the workspace that has used the least time', async () => {
  const { begun, send, endAll } = await startPlaces(4)
  for (let count = 0; count < 10; count++) await send('GET', '/v1/whoami', 'a')
  await send('POST', '/v1/personnel', 'b')
  for (let count = 0; count < 3; count++) await send('GET', '/v1/whoami', 'c')
  await endAll()
  assert.equal(begun.map(({ from }) => from).join(''), 'aaaabcccaaaaaa')
})

test('counts the time of a request, not the number', async () => {
  const { begun, send, endAll } = await startPlaces()
  await send('GET', '/v1/whoami', 'a')
  await sleep(100)
  begun[0]?.end()
  for (let count = 0; count < 5; count++) {
    await send('GET', '/v1/whoami', 'b')
    begun.at(-1)?.end()
  }
  await send('GET', '/v1/whoami', 'c')
  for (const workspace of ['a', 'b']) await send('GET', '/v1/whoami', workspace)
  await endAll()
  assert.equal(begun.map(({ from }) => from).join(''), 'abbbbbcba')
})

const addresses = (count: number) => Array.from({ length: count }, (_, index) => `10.0.0.${index}`)

test('gives all networks together a quarter of the places', async () => {
  const { begun, admission, send, sendWith, endAll } = await startPlaces(8)
  for (const address of addresses(6)) {
    await sendWith('/v1/whoami', { 'x-forwarded-for': address, 'x-from': 'anonymous' })
  }
  assert.deepEqual(admission.requests, { working: 2, waiting: 4 })
  for (let count = 0; count < 6; count++) await send('GET', '/v1/whoami', 'a')
  assert.deepEqual(admission.requests, { working: 8, waiting: 4 })
  assert.equal(begun.filter(({ from }) => from === 'a').length, 6)
  await endAll()
})

test('lets networks take turns, not requests', async () => {
  const { begun, sendWith, endAll } = await startPlaces(4)
  const from = (address: string) =>
    sendWith('/v1/whoami', { 'x-forwarded-for': address, 'x-from': address })
  for (let count = 0; count < 6; count++) await from('10.0.0.1')
  await from('10.0.0.2')
  await endAll()
  assert.equal(
    begun.findIndex((each) => each.from === '10.0.0.2'),
    1,
  )
})

const forged = `muster_key_${'a'.repeat(26)}_${'x'.repeat(38)}`

test('a forged credential stays in the line of its network', async () => {
  const { admission, send, sendWith, knownKey, endAll } = await startPlaces(8)
  await send('GET', '/v1/whoami', 'a')
  const session = issueToken(`wsp_0${'b'.repeat(25)}`, 'session').token
  const fromConsole = { 'sec-fetch-site': 'same-origin', 'muster-console': '1' }
  const forgeries: Record<string, string>[] = [
    { authorization: `Bearer ${forged}` },
    // The checksum is right, but it never authenticated.
    { authorization: `Bearer ${issueToken(`wsp_0${'a'.repeat(25)}`).token}` },
    { ...fromConsole, cookie: `a=${knownKey('c')}; __Host-muster_session=${session}` },
    // Authentication ignores a cookie that the console did not send.
    { cookie: `__Host-muster_session=${knownKey('c')}` },
  ]
  for (const headers of forgeries) await sendWith('/v1/whoami', headers)
  assert.deepEqual(admission.requests, { working: 3, waiting: 2 })
  await endAll()
})

test('a new credential waits in the line of its workspace after authentication', async () => {
  const { admission, sendWith, newKey, endAll } = await startPlaces(4)
  for (let count = 0; count < 5; count++) {
    await sendWith('/v1/whoami', { authorization: `Bearer ${newKey('a')}` })
  }
  assert.deepEqual(admission.requests, { working: 4, waiting: 1 })
  await endAll()
})

test('gives unknown credentials a quarter of the room to wait for authentication', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const options = { waitingMax: 8, isAuthenticating: promise }
  const { base, admission, begun, newKey, knownKey } = await startPlaces(20, options)
  const ask = (key: string) =>
    timed(new URL('/v1/whoami', base), { headers: { authorization: `Bearer ${key}` } })
  const unknown = Array.from({ length: 10 }, () => ask(newKey('a')))
  while (admission.shed.crowded < 8) await sleep(1)
  const known = Array.from({ length: 7 }, () => ask(knownKey('b')))
  while (admission.shed.crowded < 9) await sleep(1)
  resolve()
  while (begun.length < 8) await sleep(1)
  for (const { end } of begun) end()
  const refused = async (asked: Promise<{ status: number }>[]) =>
    (await Promise.all(asked)).filter(({ status }) => status === 503).length
  assert.deepEqual([await refused(unknown), await refused(known)], [8, 1])
})

test('starts few anonymous requests in one turn of the event loop', async () => {
  const { begun, admission, sendWith, endAll } = await startPlaces(8)
  for (const address of addresses(6)) {
    await sendWith('/v1/whoami', { 'x-forwarded-for': address })
  }
  begun[0]?.end()
  begun[1]?.end()
  assert.equal(begun.length, 2)
  await new Promise((resolve) => setImmediate(resolve))
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(begun.length, 4)
  assert.equal(admission.requests.waiting, 2)
  await endAll()
})

test('serves the newest request first once the oldest has waited for half its time', async () => {
  const { begun, send, endAll } = await startPlaces(1, { queueMs: 2000 })
  await send('GET', '/v1/whoami')
  await send('GET', '/v1/risks?limit=1')
  await sleep(1100)
  await send('GET', '/v1/risks?limit=2')
  const replies = await endAll()
  assert.deepEqual(
    begun.map(({ path }) => path),
    ['GET /v1/whoami', 'GET /v1/risks?limit=2', 'GET /v1/risks?limit=1'],
  )
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200, 200],
  )
})

test('refuses requests of the workspace with the most when too many wait', async () => {
  const { send, answers, endAll } = await startPlaces(1, { queueMs: 60_000, waitingMax: 10 })
  for (let count = 0; count < 11; count++) await send('GET', '/v1/whoami', 'a')
  // The number of waiting requests stays the same: one comes, and one is refused.
  void send('GET', '/v1/whoami', 'b')
  assert.equal((await answers[1])?.status, 503, 'the oldest of those that wait')
  const replies = await endAll()
  assert.equal(replies.length, 12)
  assert.equal(replies.at(-1)?.status, 200, 'the request of the other workspace')
  assert.equal(replies.filter(({ status }) => status === 503).length, 1)
})

test('delays the refusal of a client that retries before Retry-After', async () => {
  const { base, begun } = await startPlaces()
  const held = timed(new URL('/v1/whoami', base))
  while (begun.length === 0) await sleep(1)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const refused = async () => {
    const began = performance.now()
    const sent = get(new URL('/v1/whoami', base), { agent })
    const [reply] = (await once(sent, 'response')) as [IncomingMessage]
    await reply.toArray()
    assert.equal(reply.statusCode, 503)
    return { ms: performance.now() - began, waitMs: Number(reply.headers['retry-after']) * 1000 }
  }
  const first = await refused()
  const second = await refused()
  assert.ok(second.ms >= Math.max(first.waitMs, 1000) - 50, `${second.ms} of ${first.waitMs}`)
  begun[0]?.end()
  await held
  agent.destroy()
})

test('a request holds no place while the service waits for another server', async () => {
  const { admission, begun, send, endAll } = await startPlaces()
  await send('GET', '/v1/whoami')
  const { promise, resolve } = Promise.withResolvers<void>()
  const returned = begun[0]?.waitOutside(promise)
  assert.equal(admission.requests.working, 0)
  await send('GET', '/v1/risks/summary')
  assert.equal(begun.length, 2)
  resolve()
  await sleep(1)
  assert.deepEqual(admission.requests, { working: 1, waiting: 1 })
  begun[1]?.end()
  await returned
  assert.deepEqual(admission.requests, { working: 1, waiting: 0 })
  assert.deepEqual(
    (await endAll()).map(({ status }) => status),
    [200, 200],
  )
})

test('a request that returns is not refused, and comes before new ones', async () => {
  const { begun, send, answers, endAll } = await startPlaces(1, { queueMs: 200 })
  await send('GET', '/v1/whoami', 'a')
  const { promise, resolve } = Promise.withResolvers<void>()
  const returned = begun[0]?.waitOutside(promise)
  await send('GET', '/v1/whoami', 'b')
  resolve()
  await send('GET', '/v1/whoami', 'a')
  assert.equal((await answers[2])?.status, 503)
  await send('GET', '/v1/whoami', 'a')
  begun[1]?.end()
  await returned
  assert.equal(begun.length, 2, 'the new request of the workspace still waits')
  assert.deepEqual(
    (await endAll()).map(({ status }) => status),
    [200, 200, 503, 200],
  )
})

test('a request whose response was closed meanwhile gets no place', async () => {
  const { admission, base, begun, send } = await startPlaces()
  const disconnected = get(new URL('/v1/whoami', base)).on('error', () => undefined)
  while (begun.length === 0) await sleep(1)
  const { promise, reject } = Promise.withResolvers<void>()
  const first = assert.rejects(begun[0]?.waitOutside(promise) ?? promise, { name: 'Failure' })
  disconnected.destroy()
  while (admission.requests.working > 0) await sleep(1)
  await send('GET', '/v1/whoami')
  const second = assert.rejects(begun[1]?.waitOutside(promise) ?? promise, { name: 'Failure' })
  begun[1]?.end()
  await sleep(50)
  reject(new Error('The other server did not answer.'))
  await Promise.all([first, second])
  assert.deepEqual(admission.requests, { working: 0, waiting: 0 })
})

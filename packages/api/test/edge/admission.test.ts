import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage, type ServerResponse } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { atEnd } from '@muster/testing/at-end'

import { issueToken } from '#domain/auth/token'
import { credentialId } from '#http/auth/credential'
import { RecentCredentials } from '#http/auth/recent-credentials'
import { Admission, requestTimeouts } from '#http/edge/admission'
import { Arrivals } from '#http/edge/arrivals'
import { ConnectionTable } from '#http/edge/connections'
import { Drain } from '#http/edge/drain'
import { createHttpServer } from '#http/edge/http-server'
import { timed } from '#test/support/watch'

import { classifierOf } from './classifier.ts'

interface Begun {
  readonly request: IncomingMessage
  readonly path: string
  readonly from: string
  readonly end: () => void
  /** Waits for another server, without the place. */
  readonly waitOutside: (work: Promise<void>) => Promise<void>
}

/** A server that admits few requests, whose responses the test ends. */
async function startPlaces(
  concurrencyMax = 1,
  options: { queueMs?: number; waitingMax?: number } = {},
) {
  const begun: Begun[] = []
  const timeouts = { ...requestTimeouts, ...options }
  const admission = new Admission({ ...options, concurrencyMax, timeouts })
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const end = () => {
      admission.release(request)
      if (!response.writableEnded) response.end('{}')
    }
    const from = String(request.headers['x-from'] ?? '')
    const waitOutside = (work: Promise<void>) => admission.releaseDuring(request, () => work)
    begun.push({ request, path: `${request.method} ${request.url}`, from, end, waitOutside })
  }
  const recentCredentials = new RecentCredentials()
  const trustedProxies = ['127.0.0.1']
  const classifier = classifierOf()
  const arrivals = new Arrivals({ admission, classifier, recentCredentials, trustedProxies })
  const connections = new ConnectionTable(100)
  const server = createHttpServer(handle, { arrivals, connections, drain: new Drain() })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => server.close())
  const address = server.address()
  const base = `http://127.0.0.1:${typeof address === 'object' && address?.port}`
  const answers: Promise<{ status: number }>[] = []
  const sendWith = async (path: string, headers: Record<string, string>, method = 'GET') => {
    const { working, waiting } = admission.requests
    answers.push(timed(new URL(path, base), { method, headers }))
    while (admission.requests.working + admission.requests.waiting === working + waiting) {
      await sleep(1)
    }
  }
  const keys = new Map<string, string>()
  /** A key of a workspace that has authenticated. */
  const knownKey = (workspace: string) => {
    const workspaceId = `wsp_0${workspace.repeat(25)}`
    const { token, hash } = issueToken(workspaceId)
    recentCredentials.add(credentialId({ hash }), workspaceId)
    return token
  }
  /** Sends a request of a workspace, and waits until it runs or waits. */
  const send = (method: string, path: string, workspace = '0') => {
    const key = keys.get(workspace) ?? knownKey(workspace)
    keys.set(workspace, key)
    return sendWith(path, { authorization: `Bearer ${key}`, 'x-from': workspace }, method)
  }
  /** Ends the responses in the order in which they began, until all have been sent. */
  const endAll = async () => {
    for (let index = 0; index < answers.length; index++) {
      while (begun[index] === undefined && admission.requests.waiting > 0) await sleep(1)
      begun[index]?.end()
    }
    return Promise.all(answers)
  }
  return { base, begun, answers, admission, arrivals, send, sendWith, knownKey, endAll }
}

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

test('a request waits in the line of its workspace after authentication', async () => {
  const { begun, admission, arrivals, send, sendWith, endAll } = await startPlaces(4)
  await sendWith('/v1/whoami', {})
  await sendWith('/v1/whoami', { 'x-forwarded-for': '10.0.0.2' })
  assert.deepEqual(admission.requests, { working: 1, waiting: 1 })
  for (let count = 0; count < 4; count++) await send('GET', '/v1/whoami', 'a')
  assert.deepEqual(admission.requests, { working: 4, waiting: 2 })
  const anonymous = begun[0]?.request
  assert.ok(anonymous)
  let isMoved = false
  const moved = arrivals.move(anonymous, `wsp_0${'a'.repeat(25)}`)?.then(() => (isMoved = true))
  await sleep(10)
  assert.equal(isMoved, false, 'the other network has used less time')
  assert.deepEqual(admission.requests, { working: 4, waiting: 2 })
  begun[1]?.end()
  begun[2]?.end()
  await moved
  await endAll()
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

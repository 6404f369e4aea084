import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage, type ServerResponse } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { Admission, requestTimeouts } from '#http/edge/admission'
import { ConnectionTable } from '#http/edge/connections'
import { Drain } from '#http/edge/drain'
import { createHttpServer } from '#http/edge/http-server'
import { atEnd } from '#test/support/at-end'
import { timed } from '#test/support/watch'

import { classifierOf } from './classifier.ts'

/** A server that admits few requests, whose responses the test ends. */
async function startSlots(
  concurrencyMax = 1,
  options: { queueMs?: number; waitingMax?: number } = {},
) {
  const begun: { path: string; from: string; end: () => void }[] = []
  const timeouts = { ...requestTimeouts, ...options }
  const admission = new Admission({ ...options, concurrencyMax, timeouts })
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const end = () => {
      admission.release(request)
      response.end('{}')
    }
    const from = /_(\w)\1+_/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    begun.push({ path: `${request.method} ${request.url}`, from, end })
  }
  const classifier = classifierOf()
  const connections = new ConnectionTable(100)
  const tools = { admission, classifier, connections, drain: new Drain() }
  const server = createHttpServer(handle, tools)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => server.close())
  const address = server.address()
  const base = `http://127.0.0.1:${typeof address === 'object' && address?.port}`
  const answers: Promise<{ status: number }>[] = []
  /** Sends a request of a workspace, and waits until it runs or waits. */
  const send = async (method: string, path: string, workspace = '0') => {
    const authorization = `Bearer muster_key_${workspace.repeat(26)}_x`
    const { working, waiting } = admission.requests
    answers.push(timed(new URL(path, base), { method, headers: { authorization } }))
    while (admission.requests.working + admission.requests.waiting === working + waiting) {
      await sleep(1)
    }
  }
  /** Ends the responses in the order in which they began, until all have been sent. */
  const endAll = async () => {
    for (let index = 0; index < answers.length; index++) {
      while (begun[index] === undefined && admission.requests.waiting > 0) await sleep(1)
      begun[index]?.end()
    }
    return Promise.all(answers)
  }
  return { base, begun, answers, send, endAll }
}

test('of one workspace, admits reads before writes before complete lists', async () => {
  const { begun, send, endAll } = await startSlots()
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

test('gives the next slot to the workspace that holds the fewest', async () => {
  const { begun, send, endAll } = await startSlots(4)
  for (let count = 0; count < 10; count++) await send('GET', '/v1/whoami', 'a')
  await send('POST', '/v1/personnel', 'b')
  for (let count = 0; count < 3; count++) await send('GET', '/v1/whoami', 'c')
  await endAll()
  assert.equal(begun.map(({ from }) => from).join(''), 'aaaabcacacaaaa')
})

test('serves the newest request first once the oldest has waited for half its time', async () => {
  const { begun, send, endAll } = await startSlots(1, { queueMs: 2000 })
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
  const { send, answers, endAll } = await startSlots(1, { queueMs: 60_000, waitingMax: 10 })
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
  const { base, begun } = await startSlots()
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

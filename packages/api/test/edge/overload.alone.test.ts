import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

import { everyOperation, isList } from '@muster/contract'

import { Admission } from '#http/admission'
import { ConnectionTable } from '#http/connections'
import { Drain } from '#http/drain'
import { openEntrance } from '#http/entrance'
import { RequestClassifier } from '#http/request-classifier'

import { atEnd } from './at-end.ts'
import { startProcess } from './process.ts'
import { sendBytes } from './raw.ts'
import { testOfTime } from './test-of-time.ts'
import { metricsOf, stalledMs, timed } from './watch.ts'
import { newWorkspace, startHost } from './workspace.ts'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()
const headers = { authorization: `Bearer ${manager.token}` }

const lock = () => host.sql.query('begin; lock table people in access exclusive mode')
const unlock = () => host.sql.query('rollback')

/** Two connections, and so six places, all of which wait for the roster. */
async function crowd(base: string): Promise<() => Promise<number[]>> {
  await lock()
  const inside = Array.from({ length: 6 }, () =>
    timed(new URL('/v1/personnel?limit=1', base), { headers }),
  )
  for (let tries = 0; ; tries++) {
    const { 'muster_requests{state="working"}': working } = await metricsOf(base)
    if (working === 6) break
    assert.ok(tries < 100, `${working} are inside`)
    await sleep(10)
  }
  return async () => {
    await unlock()
    return (await Promise.all(inside)).map(({ status }) => status)
  }
}

testOfTime(
  'whoever finds no place is told when to come back, and keeps the connection',
  async () => {
    const service = await startProcess(host.url, { DATABASE_POOL_MAX: '2' })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    atEnd(async () => agent.destroy())
    const ask = async (path: string) => {
      const began = performance.now()
      const [reply] = (await once(
        get(new URL(path, service.base), { agent, headers }),
        'response',
        {
          signal: AbortSignal.timeout(10_000),
        },
      )) as [IncomingMessage]
      const port = reply.socket.localPort
      const chunks = await reply.toArray()
      const text = Buffer.concat(chunks).toString()
      return { reply, port, body: JSON.parse(text), ms: performance.now() - began }
    }
    const first = await ask('/v1/whoami')
    const leave = await crowd(service.base)
    const { reply, body, port, ms } = await ask('/v1/whoami')
    assert.equal(reply.statusCode, 503)
    assert.equal(body.code, 'overloaded')
    assert.equal(body.request_id, reply.headers['request-id'])
    assert.match(String(reply.headers['retry-after']), /^([1-9]|10)$/)
    assert.equal(reply.headers['content-type'], 'application/problem+json')
    for (const name of ['content-security-policy', 'x-content-type-options', 'cache-control']) {
      assert.ok(reply.headers[name], name)
    }
    assert.ok(ms > 900 && ms < 1300 + stalledMs(), `${ms}`)
    assert.equal(port, first.port, 'the connection was kept')
    for (const path of ['/livez', '/readyz']) {
      assert.equal((await timed(new URL(path, service.base))).status, 200, path)
    }
    const metrics = await metricsOf(service.base)
    assert.equal(metrics['muster_shed_total{reason="waited"}'], 1)
    await leave()
    const again = await ask('/v1/whoami')
    assert.equal(again.reply.statusCode, 200)
  },
)

const listPaths = everyOperation().flatMap(({ operation }) =>
  isList(operation) ? [operation.path.replaceAll(/\{\w+\}/g, 'x')] : [],
)

const encoded = (path: string) =>
  path.replaceAll(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)

/** Spellings of a request for a complete list, and of a request for a page. */
const spellings = {
  complete: (path: string) => [
    path,
    path.replace('/v1/', '/%76%31/'),
    encoded(path),
    encoded(path).toUpperCase(),
    `http://x${path}`,
    `http://x${encoded(path)}`,
    `${path}#x`,
    `${path}?q=a?limit=3`,
    `${path}?department=?limit=1`,
    `${path}?q=%26limit=1`,
    `${path}?limit%3d1`,
    `${path}?%256cimit=1`,
  ],
  page: (path: string) => [
    `${path}?limit=1`,
    `${path}?%6cimit=1`,
    `${path}?q=a&curso%72=b`,
    `http://x${encoded(path)}?limit=1`,
    `${path}#?limit=1`,
  ],
}

/** Sends all paths at once while authentication waits, and tells how many hold a place. */
async function placesHeld(base: string, paths: readonly string[]): Promise<number> {
  const { hostname, port } = new URL(base)
  await host.sql.query('begin; lock table api_keys in access exclusive mode')
  const answers = paths.map(async (path) => {
    const sent = get({ hostname, port, path, headers, agent: false })
    const [reply] = (await once(sent, 'response')) as [IncomingMessage]
    await reply.toArray()
  })
  try {
    for (let tries = 0; ; tries++) {
      const metrics = await metricsOf(base)
      const working = metrics['muster_requests{state="working"}'] ?? 0
      const waiting = metrics['muster_requests{state="waiting"}'] ?? 0
      if (working + waiting === paths.length) return working
      assert.ok(tries < 100, `${working} hold a place and ${waiting} wait`)
      await sleep(5)
    }
  } finally {
    await host.sql.query('rollback')
    await Promise.all(answers)
  }
}

testOfTime('a list request has the same class however its URL is spelled', async () => {
  const service = await startProcess(host.url, { DATABASE_POOL_MAX: '2' })
  for (const path of listPaths) {
    const complete = await placesHeld(service.base, spellings.complete(path))
    assert.equal(complete, 1, `${path}: one complete list is worked on at once`)
    const pages = spellings.page(path)
    assert.equal(await placesHeld(service.base, pages), pages.length, `${path}: pages`)
  }
})

testOfTime('clients that send nothing, take nothing or are gone hold no place', async () => {
  const service = await startProcess(host.url, { DATABASE_POOL_MAX: '2' })
  const { hostname, port } = new URL(service.base)
  const head = [`host: ${hostname}`, `authorization: ${headers.authorization}`]
  const sockets = Array.from({ length: 30 }, (_, index) => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    const lines =
      index % 3 === 0
        ? ['POST /v1/personnel HTTP/1.1', 'content-type: application/json', 'content-length: 20']
        : ['GET /v1/personnel?limit=1 HTTP/1.1']
    socket.write([...lines, ...head, '', ''].join('\r\n'))
    if (index % 3 === 1) socket.destroy()
    if (index % 3 === 2) socket.pause()
    return socket
  })
  await sleep(500)
  const { status, ms } = await timed(new URL('/v1/personnel?limit=1', service.base), { headers })
  assert.equal(status, 200)
  assert.ok(ms < 500 + stalledMs(), `${ms}`)
  const { 'muster_requests{state="working"}': working } = await metricsOf(service.base)
  assert.equal(working, 0)
  for (const socket of sockets) socket.destroy()
})

/** A server with one place, whose answers are given by hand. */
async function startNarrow() {
  const begun: { path: string; end: () => void }[] = []
  const admission = new Admission(1)
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const end = () => {
      admission.leave(request)
      response.end('{}')
    }
    begun.push({ path: `${request.method} ${request.url}`, end })
  }
  const classifier = new RequestClassifier()
  for (const { name, operation } of everyOperation()) {
    const { method, path } = operation
    const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
    classifier.add({ method, url, config: { operation: name }, handler: () => {} })
  }
  const connections = new ConnectionTable(100)
  const tools = { admission, classifier, connections, drain: new Drain() }
  const server = openEntrance(handle, tools)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => server.close())
  const address = server.address()
  const base = `http://127.0.0.1:${typeof address === 'object' && address?.port}`
  return { base, begun, admission }
}

testOfTime(
  'reads go before writes, those before complete lists, and the last goes first',
  async () => {
    const { base, begun, admission } = await startNarrow()
    const answers: Promise<unknown>[] = []
    const send = async (method: string, path: string) => {
      answers.push(timed(new URL(path, base), { method }))
      const { working, waiting } = admission.requests
      while (admission.requests.working + admission.requests.waiting === working + waiting) {
        await sleep(1)
      }
    }
    await send('GET', '/v1/whoami')
    await send('GET', '/v1/risks')
    await send('POST', '/v1/personnel')
    await send('GET', '/v1/risks?level=high&limit=1')
    await send('GET', '/v1/risks/summary')
    await send('POST', '/v1/projects')
    for (let index = 0; index < answers.length; index++) begun[index]?.end()
    await Promise.all(answers)
    assert.deepEqual(
      begun.map(({ path }) => path),
      [
        'GET /v1/whoami',
        'GET /v1/risks/summary',
        'GET /v1/risks?level=high&limit=1',
        'POST /v1/projects',
        'POST /v1/personnel',
        'GET /v1/risks',
      ],
    )
  },
)

testOfTime('who comes back sooner than told is not refused again before that time', async () => {
  const { base, begun } = await startNarrow()
  const held = timed(new URL('/v1/whoami', base))
  while (begun.length === 0) await sleep(1)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const refused = async () => {
    const began = performance.now()
    const sent = get(new URL('/v1/whoami', base), { agent })
    const [reply] = (await once(sent, 'response')) as [IncomingMessage]
    await reply.toArray()
    assert.equal(reply.statusCode, 503)
    return { ms: performance.now() - began, told: Number(reply.headers['retry-after']) * 1000 }
  }
  const first = await refused()
  const second = await refused()
  assert.ok(second.ms >= Math.max(first.told, 1000) - 50, `${second.ms} of ${first.told}`)
  begun[0]?.end()
  await held
  agent.destroy()
})

/** The 99th of a hundred times, one request after the other. */
async function p99Of(base: string): Promise<number> {
  const times: number[] = []
  while (times.length < 100) {
    const { status, ms } = await timed(new URL('/v1/whoami', base), { headers })
    assert.equal(status, 200)
    times.push(ms)
  }
  return times.toSorted((a, b) => a - b)[98] ?? 0
}

testOfTime('a storm of connections passes, and those who say nothing are closed', async () => {
  const service = await startProcess(host.url)
  const before = await p99Of(service.base)
  const { now: restingBytes } = service.memory()
  const opens = Number(process.env['STORM'] ?? 5000)
  const { hostname, port } = new URL(service.base)
  const closedAfter: number[] = []
  let answered = 0
  const storm = Array.from({ length: opens }, async (_, index) => {
    await sleep((index / opens) * 1000)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    await once(socket, 'connect')
    const began = performance.now()
    if (index % 2 === 0) {
      socket.on('data', () => {
        answered += 1
        socket.destroy()
      })
      socket.write(`GET /v1/whoami HTTP/1.1\r\nhost: x\r\n\r\n`)
    }
    socket.resume()
    await once(socket, 'close')
    if (index % 2 === 1) closedAfter.push(performance.now() - began)
  })
  await sleep(1000)
  const first = await timed(new URL('/v1/whoami', service.base), { headers })
  assert.ok([200, 503].includes(first.status), `${first.status}`)
  // Those who asked have been answered and are gone; those who say nothing are still there.
  await Promise.all(storm.filter((_, index) => index % 2 === 0))
  const during = await p99Of(service.base)
  await Promise.all(storm)
  assert.ok(during < 2 * before + stalledMs(), `p99 ${during} ms, before ${before} ms`)
  const { now: bytes } = service.memory()
  assert.ok(bytes < 2 * restingBytes, `${bytes} bytes, at rest ${restingBytes}`)
  assert.equal(answered, opens / 2)
  assert.equal(closedAfter.length, opens / 2)
  const latest = Math.max(...closedAfter)
  assert.ok(latest < 6000 + 2 * stalledMs() + 2000, `the last was closed after ${latest} ms`)
  assert.equal(service.process.exitCode, null)
  const { 'nodejs_active_handles{type="Socket"}': sockets = 0 } = await metricsOf(service.base)
  assert.ok(sockets < 40, `${sockets} are open`)
  const { status } = await sendBytes(service.base, 'GET /livez HTTP/1.1\r\nhost: x\r\n\r\n', 500)
  assert.equal(status, 200)
})

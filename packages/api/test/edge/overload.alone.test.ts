import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { isList } from '@muster/contract'
import { atEnd } from '@muster/testing/at-end'
import { measure } from '@muster/testing/measure'

import { requestTimeouts } from '#http/edge/admission'
import { RowSizes } from '#http/edge/row-sizes'
import { longTimeouts } from '#test/support/long-timeouts'
import { keyOperations } from '#test/support/operations'
import { startProcess } from '#test/support/process'
import { sendBytes } from '#test/support/raw'
import { size } from '#test/support/size'
import { metricsOf, timed } from '#test/support/watch'
import { newWorkspace, startHost } from '#test/support/workspace'

import { classifierOf } from './classifier.ts'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()
const headers = { authorization: `Bearer ${manager.token}` }

const lock = () => host.sql.query('begin; lock table groups in access exclusive mode')
const unlock = () => host.sql.query('rollback')

/** With two database connections, and so four slots (2 each). Only the time limit of the queue is short. */
const startNarrowProcess = () => {
  const { queueMs } = requestTimeouts
  return startProcess(
    host.url,
    { DATABASE_POOL_MAX: '2' },
    { timeouts: { ...longTimeouts, queueMs } },
  )
}

/** Fills all four slots of a service with two database connections; all wait for a table lock. */
async function saturate(base: string): Promise<() => Promise<number[]>> {
  await lock()
  const requests = Array.from({ length: 4 }, () =>
    timed(new URL('/v1/groups?limit=1', base), { headers }),
  )
  for (let tries = 0; ; tries++) {
    const { 'muster_http_requests_in_flight{state="working"}': working } = await metricsOf(base)
    if (working === 4) break
    assert.ok(tries < 1000, `${working} in progress`)
    await sleep(10)
  }
  return async () => {
    await unlock()
    return (await Promise.all(requests)).map(({ status }) => status)
  }
}

test('answers 503 with Retry-After when overloaded, and keeps the connection open', async (t) => {
  const service = await startNarrowProcess()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  atEnd(async () => agent.destroy())
  const ask = async (path: string) => {
    const began = performance.now()
    const [reply] = (await once(get(new URL(path, service.base), { agent, headers }), 'response', {
      signal: AbortSignal.timeout(60_000),
    })) as [IncomingMessage]
    const port = reply.socket.localPort
    const chunks = await reply.toArray()
    const text = Buffer.concat(chunks).toString()
    return { reply, port, body: JSON.parse(text), ms: performance.now() - began }
  }
  const first = await ask('/v1/whoami')
  const release = await saturate(service.base)
  const { reply, body, port, ms } = await ask('/v1/whoami')
  assert.equal(reply.statusCode, 503)
  assert.equal(body.code, 'overloaded')
  assert.equal(body.request_id, reply.headers['request-id'])
  assert.match(String(reply.headers['traceparent']), /^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
  assert.match(String(reply.headers['retry-after']), /^([1-9]|10)$/)
  assert.equal(reply.headers['content-type'], 'application/problem+json')
  for (const name of ['content-security-policy', 'x-content-type-options', 'cache-control']) {
    assert.ok(reply.headers[name], name)
  }
  assert.ok(ms > 900, `${ms}`)
  measure(t, 'refusal without a slot', { value: ms, atMost: 1300 })
  assert.equal(port, first.port, 'the connection is kept')
  for (const path of ['/livez', '/readyz']) {
    assert.equal((await timed(new URL(path, service.base))).status, 200, path)
  }
  const metrics = await metricsOf(service.base)
  assert.equal(metrics['muster_http_requests_shed_total{reason="waited"}'], 1)
  await release()
  const again = await ask('/v1/whoami')
  assert.equal(again.reply.statusCode, 200)
})

const listPaths = keyOperations().flatMap(({ operation }) =>
  isList(operation) ? [operation.path.replaceAll(/\{\w+\}/g, 'x')] : [],
)

const encoded = (path: string) =>
  path.replaceAll(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)

/** URL spellings of a request for a complete list, and of a request for a page. */
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

test('classifies a list request independent of the spelling of its URL', () => {
  const classifier = classifierOf()
  const classOf = (url: string) => {
    const request = { method: 'GET', url }
    return classifier.classOf(request, classifier.matchOf(request), null)
  }
  for (const path of listPaths) {
    for (const url of spellings.complete(path)) assert.equal(classOf(url), 'large', url)
    for (const url of spellings.page(path)) assert.equal(classOf(url), 'read', url)
  }
})

test('classifies a page by the size of the rows that its workspace read last', () => {
  const rowSizes = new RowSizes()
  const classifier = classifierOf(rowSizes)
  const classOf = (workspaceId: string, url: string) => {
    const request = { method: 'GET', url }
    return classifier.classOf(request, classifier.matchOf(request), workspaceId)
  }
  const page = '/v1/personnel?limit=200'
  assert.equal(classOf('a', page), 'read')
  assert.equal(classOf('a', '/v1/personnel?limit=201'), 'large')
  rowSizes.record('a', 'personnel.list', { bytes: 5_200_000, rows: 200 })
  assert.equal(classOf('a', page), 'large')
  assert.equal(classOf('a', '/v1/personnel?limit=5'), 'read')
  assert.equal(classOf('a', '/v1/personnel?cursor=x'), 'large', 'a page of 100 rows')
  assert.equal(classOf('a', '/v1/groups?limit=200'), 'read', 'another list')
  assert.equal(classOf('b', page), 'read', 'another workspace')
  rowSizes.record('a', 'personnel.list', { bytes: 300, rows: 1 })
  assert.equal(classOf('a', page), 'large', 'one small page does not hide large rows')
  for (let count = 0; count < 40; count++) {
    rowSizes.record('a', 'personnel.list', { bytes: 300, rows: 1 })
  }
  assert.equal(classOf('a', '/v1/personnel?limit=400'), 'read', 'more small rows fit')
})

test('does not count clients that send nothing, read nothing or are gone', async (t) => {
  const service = await startNarrowProcess()
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
  measure(t, 'a page next to them', { value: ms, atMost: 500 })
  const inFlight = async () =>
    (await metricsOf(service.base))['muster_http_requests_in_flight{state="working"}']
  while ((await inFlight()) !== 0) await sleep(100)
  for (const socket of sockets) socket.destroy()
})

/** The 99th percentile of 100 sequential requests. */
async function p99Of(base: string): Promise<number> {
  const times: number[] = []
  while (times.length < 100) {
    const { status, ms } = await timed(new URL('/v1/whoami', base), { headers })
    assert.equal(status, 200)
    times.push(ms)
  }
  return times.toSorted((a, b) => a - b)[98] ?? 0
}

test('serves requests during a flood of connections, and closes silent ones', async (t) => {
  const service = await startProcess(host.url, {}, { timeouts: 'product' })
  const before = await p99Of(service.base)
  const { now: restingBytes } = service.memory()
  const opens = Number(process.env['STORM'] ?? size(2000, 5000))
  const { hostname, port } = new URL(service.base)
  const closedAfter: number[] = []
  let answered = 0
  const flood = Array.from({ length: opens }, async (_, index) => {
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
  // Half of the connections are answered and closed; the silent ones are still open.
  await Promise.all(flood.filter((_, index) => index % 2 === 0))
  const during = await p99Of(service.base)
  await Promise.all(flood)
  measure(t, 'p99 during the flood', { value: during, atMost: 2 * before })
  const { now: bytes } = service.memory()
  assert.ok(bytes < 2 * restingBytes, `${bytes} bytes, at rest ${restingBytes}`)
  assert.equal(answered, opens / 2)
  assert.equal(closedAfter.length, opens / 2)
  const latest = Math.max(...closedAfter)
  measure(t, 'close of the last silent connection', { value: latest, atMost: 8000 })
  assert.equal(service.process.exitCode, null)
  const { 'nodejs_active_handles{type="Socket"}': sockets = 0 } = await metricsOf(service.base)
  assert.ok(sockets < 40, `${sockets} are open`)
  const { status } = await sendBytes(service.base, 'GET /livez HTTP/1.1\r\nhost: x\r\n\r\n')
  assert.equal(status, 200)
})

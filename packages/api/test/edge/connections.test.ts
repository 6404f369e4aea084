import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { atEnd } from '@muster/testing/at-end'
import { measure } from '@muster/testing/measure'

import { type ServiceOptions, startService } from '#service'
import { metricsUrls } from '#test/ops/metrics-urls'
import { longTimeouts } from '#test/support/long-timeouts'
import { startProcess } from '#test/support/process'
import { sendRaw } from '#test/support/raw'
import { metricsOf, timed } from '#test/support/watch'
import { newWorkspace, startHost, unlimited } from '#test/support/workspace'

const host = await startHost()
const manager = await (await newWorkspace(host)).manager()
const headers = { authorization: `Bearer ${manager.token}` }
/** Authentication does not read this table, so that a lock on it blocks each request by itself. */
const page = '/v1/groups?limit=1'

async function start(options: Partial<ServiceOptions> = {}) {
  const { url } = host
  const usual = { logLevel: null, rates: unlimited, timeouts: longTimeouts }
  const service = await startService({ url, ...usual, ...options })
  atEnd(() => service[Symbol.asyncDispose]())
  const base = await service.app.listen({ host: '127.0.0.1', port: 0 })
  metricsUrls.set(base, await service.metrics.open({ host: '127.0.0.1', port: 0 }))
  return { base, server: service.app.server }
}

const lock = () => host.sql.query('begin; lock table groups in access exclusive mode')
const unlock = () => host.sql.query('rollback')

/** Waits until `count` statements wait for the lock. */
async function blocked(count: number): Promise<void> {
  for (let tries = 0; ; tries++) {
    const { rows } = await host.sql.query<{ count: number }>(
      `select count(*)::int as count from pg_locks
       join pg_database on pg_database.oid = database
       where datname = current_database() and not granted`,
    )
    if (rows[0]?.count === count) return
    assert.ok(tries < 5000, `${rows[0]?.count} of ${count} statements wait`)
    await sleep(10)
  }
}

const requestFor = (path: string, ...lines: string[]) =>
  [`GET ${path} HTTP/1.1`, 'host: x', ...lines, '', ''].join('\r\n')

test('processes at most 8 pipelined requests of a connection at once, and answers in order', async () => {
  const { base, server } = await start()
  // A known key has its place at once.
  assert.equal((await timed(new URL('/v1/whoami', base), { headers })).status, 200)
  const accepted = once(server, 'connection')
  const padding = `x-padding: ${'x'.repeat(8000)}`
  const authorization = `authorization: ${headers.authorization}`
  const expected = Array.from({ length: 999 }, (_, index) =>
    index > 8 && index % 7 > 0 ? 404 : 200,
  )
  const paths = expected.map((status) => (status === 200 ? page : '/v1/nothing'))
  const bytes = paths
    .map((path) => requestFor(path, authorization, padding))
    .concat(requestFor('/livez', 'connection: close'))
    .join('')

  await lock()
  const answered = sendRaw(base, bytes, { waitMs: 60_000 })
  const [socket] = (await accepted) as [Socket]
  for (let before = -1; before !== socket.bytesRead; await sleep(100)) before = socket.bytesRead
  const metrics = await metricsOf(base)
  const { bytesRead } = socket
  await unlock()

  assert.equal(metrics['muster_http_requests_in_flight{state="working"}'], 8)
  assert.equal(metrics['muster_http_requests_in_flight{state="waiting"}'], 0)
  assert.ok(bytesRead < 300_000, `${bytesRead} of ${bytes.length} bytes were read`)
  assert.deepEqual((await answered).statuses, [...expected, 200])
})

test('serves another connection while 1000 pipelined requests are answered', async () => {
  const service = await startProcess(host.url)
  const { hostname, port } = new URL(service.base)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk))
  socket.write(requestFor('/v1/whoami').repeat(999))
  await once(socket, 'data')

  const { status } = await timed(new URL(page, service.base), { headers })
  const answered = text.split('HTTP/1.1 401').length - 1
  socket.destroy()

  assert.equal(status, 200)
  assert.ok(answered < 500, `${answered} pipelined requests were answered first`)
})

test('closes the connection of a client that reads no response', async () => {
  const { base, server } = await start()
  assert.equal(server.timeout, 75_000)
  server.timeout = 1000
  const accepted = once(server, 'connection')
  const { hostname, port } = new URL(base)
  const client = connect(Number(port), hostname)
  client.on('error', () => {})
  client.pause().write(requestFor('/openapi.json').repeat(200))
  const [socket] = (await accepted) as [Socket]

  await once(socket, 'close', { signal: AbortSignal.timeout(60_000) })

  client.destroy()
})

/** Opens an anonymous connection that stays open after its first response. */
async function openIdle(base: string): Promise<Socket> {
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(requestFor('/livez'))
  await Promise.race([once(socket, 'data'), once(socket, 'close')])
  return socket
}

/**
 * Sends a write without the end of its body. The returned function sends the rest and reads the
 * response.
 */
function beginWrite(base: string): () => Promise<string> {
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  socket.setEncoding('latin1').on('error', () => {})
  const head = [
    'POST /v1/personnel HTTP/1.1',
    'host: x',
    'connection: close',
    `authorization: ${headers.authorization}`,
    'content-type: application/json',
    'content-length: 14',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n{"name"`)
  return async () => {
    socket.write(':"Ada"}')
    return (await socket.toArray()).join('')
  }
}

/** Waits until `count` connections have a request in progress. */
async function untilBusy(base: string, count: number): Promise<void> {
  for (let tries = 0; ; tries++) {
    const { 'muster_http_connections{state="busy"}': busy } = await metricsOf(base)
    if (busy === count) return
    assert.ok(tries < 500, `${busy} connections are busy`)
    await sleep(10)
  }
}

async function ask(url: URL, agent: Agent) {
  const sent = get(url, { agent, headers })
  const [reply] = (await once(sent, 'response')) as [IncomingMessage]
  const { socket } = reply
  await reply.toArray()
  return { reply, socket }
}

test('evicts idle anonymous connections for new ones, and keeps the others', async (t) => {
  const { base } = await start({ connectionsMax: 60 })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  atEnd(async () => agent.destroy())
  const whoami = new URL('/v1/whoami', base)
  const first = await ask(whoami, agent)
  assert.equal(first.reply.headers['keep-alive'], 'timeout=72')
  const busy = Array.from({ length: 3 }, () => beginWrite(base))
  await untilBusy(base, 3)

  const idle = await Promise.all(Array.from({ length: 120 }, () => openIdle(base)))
  for (const finish of busy) assert.match(await finish(), /^HTTP\/1\.1 201 /)
  const statuses: number[] = []
  while (statuses.length < 60) statuses.push((await timed(whoami, { headers })).status)
  const metrics = await metricsOf(base)

  assert.deepEqual([...new Set(statuses)], [200], 'every new connection is served')
  const evicted = Number(metrics['muster_http_connections_dropped_total{reason="evicted"}'])
  assert.ok(evicted > 30, `${evicted} connections were evicted`)
  assert.equal(metrics['muster_http_connections_dropped_total{reason="refused"}'], 0)

  const again = await ask(whoami, agent)
  assert.equal(again.socket, first.socket, 'the authenticated connection is still open')
  const began = performance.now()
  for (const socket of idle) {
    if (!socket.closed) await once(socket, 'close', { signal: AbortSignal.timeout(60_000) })
  }
  const ms = performance.now() - began
  measure(t, 'close of idle anonymous connections', { value: ms, atMost: 20_000 })
  assert.equal((await ask(whoami, agent)).socket, first.socket, 'it outlives anonymous connections')
})

test('refuses new connections when all have a request in progress', async () => {
  const { base } = await start({ connectionsMax: 4 })
  const url = new URL(page, base)
  await lock()
  // Different pages: requests for the same page share one read.
  const busy = [1, 2, 3, 4].map((limit) => {
    const different = new URL(url)
    different.searchParams.set('limit', String(limit))
    return timed(different, { headers })
  })
  await blocked(4)

  await assert.rejects(timed(url, { headers }), /ECONNRESET|hang up/)

  await unlock()
  for (const { status } of await Promise.all(busy)) assert.equal(status, 200)
  assert.equal((await timed(url, { headers })).status, 200)
})

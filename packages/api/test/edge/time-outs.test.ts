import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { isList, type Operation } from '@muster/contract'
import { atEnd } from '@muster/testing/at-end'

import { startService } from '#service'
import { Client } from '#test/support/client'
import { createDatabase } from '#test/support/database'
import { keyOperations } from '#test/support/operations'

const { app, ...service } = await startService({ url: await createDatabase(), logLevel: null })
atEnd(() => service[Symbol.asyncDispose]())

const handlerTimes = new Map<string, unknown>()
app.addHook('onResponse', async ({ routeOptions: { config } }) => {
  handlerTimes.set(config.operation ?? '', config.handlerMs)
})
const never = () => new Promise(() => {})
/** A health check takes no place of admission control. */
const within = (handlerMs: number) => ({ config: { handlerMs, isHealthCheck: true } })
app.get('/never', within(1000), never)
app.get('/at-once', within(1000), () => 'answered')
app.get('/later', within(60_000), () => sleep(1500))
app.get('/begun', within(50), (_request, reply) => {
  reply.raw.writeHead(200).write('begun')
  return never()
})
const base = await app.listen({ host: '127.0.0.1', port: 0 })

test('the HTTP server has its documented time-outs', () => {
  const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = app.server
  assert.deepEqual(
    { headersTimeout, requestTimeout, keepAliveTimeout, timeout },
    { headersTimeout: 5000, requestTimeout: 10_000, keepAliveTimeout: 5000, timeout: 75_000 },
  )
  assert.equal(app.server.maxRequestsPerSocket, 1000)
})

const handlerMsOf = (operation: Operation) => {
  if (operation.isFollowed) return 58_000
  return isList(operation) ? 30_000 : 8000
}

test('a list has 30 s, a request that waits 58 s, and every other operation 8 s', async () => {
  for (const { name, operation } of keyOperations()) {
    const url = operation.path.replaceAll(/\{\w+\}/g, 'x')
    await app.inject({ method: operation.method, url })
    assert.equal(handlerTimes.get(name), handlerMsOf(operation), name)
  }
})

test('answers 503 when a handler exceeds its time', async () => {
  const { status, body } = await new Client(base, null).get('/never')
  assert.equal(status, 503)
  assert.equal(body.code, 'unavailable')
})

test('each of many requests has its own deadline', async () => {
  const client = new Client(base, null)
  const statusOf = async (path: string) => (await client.get(path)).status
  const paths = Array.from({ length: 4 }, () => ['/never', '/at-once', '/later']).flat()
  const statuses = await Promise.all(paths.map(statusOf))
  assert.deepEqual(
    statuses,
    paths.map((path) => (path === '/never' ? 503 : 200)),
  )
})

test('ends the connection when a handler exceeds its time after its headers', async () => {
  const response = await fetch(new URL('/begun', base))
  await assert.rejects(response.text())
})

test(
  'closes the connection of a client that ignores the problem',
  { timeout: 30_000 },
  async () => {
    const { hostname, port } = new URL(base)
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    socket.write('hello\r\n\r\n')
    socket.resume()
    await once(socket, 'end')
    // The service has closed its side. The client does not, and sends more.
    const writing = setInterval(() => socket.write('x'), 100)
    const [error] = await once(socket, 'error').catch((thrown: unknown) => [thrown])
    clearInterval(writing)
    assert.match(String(error), /ECONNRESET|EPIPE/)
  },
)

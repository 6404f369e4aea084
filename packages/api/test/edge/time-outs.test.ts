import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'

import { isList } from '@muster/contract'
import { atEnd } from '@muster/testing/at-end'

import { startService } from '#service'
import { Client } from '#test/support/client'
import { createDatabase } from '#test/support/database'
import { keyOperations } from '#test/support/operations'

const { app, ...service } = await startService({ url: await createDatabase(), logLevel: null })
atEnd(() => service[Symbol.asyncDispose]())

const handlerTimeouts = new Map<string, unknown>()
app.addHook('onResponse', async ({ routeOptions: { config, handlerTimeout } }) => {
  handlerTimeouts.set(config.operation ?? '', handlerTimeout)
})
const never = () => new Promise(() => {})
app.get('/never', { handlerTimeout: 50 }, never)
const base = await app.listen({ host: '127.0.0.1', port: 0 })

test('the HTTP server has its documented time-outs', () => {
  const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = app.server
  assert.deepEqual(
    { headersTimeout, requestTimeout, keepAliveTimeout, timeout },
    { headersTimeout: 5000, requestTimeout: 10_000, keepAliveTimeout: 5000, timeout: 75_000 },
  )
  assert.equal(app.server.maxRequestsPerSocket, 1000)
})

test('a list has 30 s and every other operation 8 s', async () => {
  for (const { name, operation } of keyOperations()) {
    const url = operation.path.replaceAll(/\{\w+\}/g, 'x')
    await app.inject({ method: operation.method, url })
    assert.equal(handlerTimeouts.get(name), isList(operation) ? 30_000 : 8000, name)
  }
})

test('answers 503 when a handler exceeds its time', async () => {
  const { status, body } = await new Client(base, null).get('/never')
  assert.equal(status, 503)
  assert.equal(body.code, 'unavailable')
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

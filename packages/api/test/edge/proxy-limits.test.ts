import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'

import { atEnd } from '@muster/testing/at-end'
import { freePort } from '@muster/testing/free-port'

import { startProcess } from '#test/support/process'
import { startHost } from '#test/support/workspace'

import { startDeployedHaproxy } from './haproxy.ts'

/** The limits per source in deploy/haproxy/haproxy.cfg. */
const connectionsMax = 300
const requestsMax = 6000

const host = await startHost()
const port = await freePort()
await startProcess(host.url, { PORT: String(port), TRUSTED_PROXIES: '127.0.0.1' })
const { base } = await startDeployedHaproxy([port, port])

/** A request that HAProxy answers itself. */
const asked = 'GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n'

/** The response to a request from this address. */
async function askFrom(localAddress: string, headers = {}): Promise<IncomingMessage> {
  const sent = get(new URL('/about', base), { agent: false, localAddress, headers })
  const [reply] = (await once(sent, 'response')) as [IncomingMessage]
  return reply
}

function connectFrom(localAddress: string): Socket {
  const { hostname, port: proxyPort } = new URL(base)
  const socket = connect({ host: hostname, port: Number(proxyPort), localAddress })
  socket.on('error', () => {})
  atEnd(async () => socket.destroy())
  return socket
}

test('HAProxy refuses more than 300 connections from one source', async () => {
  const opened = Array.from({ length: connectionsMax }, () => connectFrom('127.0.0.2'))
  for (const socket of opened) socket.write(asked)
  await Promise.all(opened.map((socket) => once(socket, 'data')))

  await assert.rejects(askFrom('127.0.0.2'), /ECONNRESET|hang up/)
  assert.equal((await askFrom('127.0.0.3')).statusCode, 200, 'another source is served')
  for (const socket of opened) assert.ok(!socket.closed, 'open connections stay open')

  opened[0]?.destroy()
  for (let tries = 1; ; tries++) {
    const reply = await askFrom('127.0.0.2').catch(() => null)
    if (reply?.statusCode === 200) break
    assert.ok(tries < 50, 'the source is served after it closes a connection')
  }
})

test('HAProxy answers 429 to a source with more than 6000 requests in 10 s', async () => {
  const socket = connectFrom('127.0.0.4')
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk))
  socket.write(asked.repeat(requestsMax))
  const isAnswered = () => text.split('HTTP/1.1 404').length - 1 === requestsMax
  while (!isAnswered()) await once(socket, 'data', { signal: AbortSignal.timeout(60_000) })

  const refused = await askFrom('127.0.0.4')
  assert.equal(refused.statusCode, 429)
  assert.equal(refused.headers['retry-after'], '10')
  assert.equal((await askFrom('127.0.0.5')).statusCode, 200, 'another source is served')
})

test('HAProxy removes X-Forwarded-Host of a client', async () => {
  const reply = await askFrom('127.0.0.6', { 'x-forwarded-host': 'evil.example' })
  const page = Buffer.concat(await reply.toArray()).toString()
  assert.equal(reply.statusCode, 200)
  assert.ok(!page.includes('evil.example'))
})

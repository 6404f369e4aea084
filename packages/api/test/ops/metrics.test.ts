import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'

import { Client } from '#test/support/client'
import { startProcess } from '#test/support/process'
import { startHost } from '#test/support/workspace'

import { metricsUrls, readMetrics } from './metrics-urls.ts'

const host = await startHost()
const running = await startProcess(host.url)
const urlOf = (base: string) => new URL(metricsUrls.get(base) ?? assert.fail(base))

test('serves metrics on METRICS_PORT only', async () => {
  const { base } = running
  const client = new Client(base, null)
  await client.get('/v1/personnel')

  const { status, body } = await client.get('/metrics')
  assert.equal(`${status} ${body.code}`, '404 route_not_found')
  const url = urlOf(base)
  const reply = await fetch(url)
  assert.match(reply.headers.get('content-type') ?? '', /^text\/plain/)
  const text = await reply.text()
  assert.match(
    text,
    /muster_http_request_duration_seconds_count\{operation="personnel.list",status="401"\} 1/,
  )
  assert.match(text, /muster_database_connections\{state="idle"\} \d/)

  const head = await fetch(url, { method: 'HEAD' })
  assert.ok(Number(head.headers.get('content-length')) > 1000)
  assert.equal(await head.text(), '')
  for (const path of ['/', '/livez', '/v1/personnel', '/metrics/x', '/docs']) {
    assert.equal((await fetch(new URL(path, url))).status, 404, path)
  }
  assert.equal((await fetch(url, { method: 'POST' })).status, 404)
})

test('serves no metrics without METRICS_PORT', async () => {
  const { base, log } = await startProcess(host.url, { METRICS_PORT: undefined })
  assert.equal(metricsUrls.get(base), undefined)
  assert.doesNotMatch(log(), /Metrics/)
  assert.equal((await new Client(base, null).get('/metrics')).status, 404)
})

test('accepts 16 connections for metrics, and more after they end', async () => {
  const url = urlOf(host.base)
  const open = async () => {
    const socket = connect(Number(url.port), url.hostname)
    await once(socket, 'connect')
    return socket
  }
  const request = `GET /metrics HTTP/1.1\r\nhost: ${url.host}\r\n\r\n`
  const answerOn = async (socket: Socket) => {
    socket.on('error', () => {})
    socket.write(request)
    const { promise, resolve } = Promise.withResolvers<string>()
    socket.once('data', (data: Buffer) => resolve(data.toString().slice(0, 15)))
    socket.once('close', () => resolve('closed'))
    return promise
  }
  const sockets: Socket[] = []
  for (let index = 0; index < 16; index++) {
    const socket = await open()
    sockets.push(socket)
    assert.equal(await answerOn(socket), 'HTTP/1.1 200 OK')
  }
  assert.equal(await answerOn(await open()), 'closed')
  for (const socket of sockets) {
    const closed = once(socket, 'close')
    socket.destroy()
    await closed
  }
  // The server detects closed connections with a delay.
  let text: string | null = null
  while (text === null) text = await readMetrics(host.base).catch(() => null)
  assert.match(text, /process_cpu_seconds_total/)
})

test('stops the metrics listener with the service while a scraper is connected', async () => {
  const url = urlOf(running.base)
  const scraper = connect(Number(url.port), url.hostname)
  scraper.on('error', () => {})
  await once(scraper, 'connect')
  const ended = Promise.all([once(running.process, 'exit'), once(scraper, 'close')])
  running.process.kill('SIGTERM')
  const [[code]] = await ended
  assert.equal(code, 0)
  await assert.rejects(fetch(url))
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage, request, type RequestOptions } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { freePort } from '@muster/testing/free-port'
import { measure } from '@muster/testing/measure'

import { insertPeople } from '#test/support/bulk'
import { type Running, startProcess } from '#test/support/process'
import { size } from '#test/support/size'
import { timed, untilLocked } from '#test/support/watch'
import { newWorkspace, startHost } from '#test/support/workspace'

import { startDeployedHaproxy } from './haproxy.ts'

const host = await startHost({ skipsDriftCheck: true })
const home = await newWorkspace(host)
await insertPeople(host.sql, home.uuid, 20_000)
const { token } = await home.issue({ scopes: ['personnel.manage'] })
const headers = { authorization: `Bearer ${token}` }

/** The exit code, and the time until exit from now. */
async function ending({ process: child }: Running) {
  const began = performance.now()
  if (child.exitCode === null) await once(child, 'exit')
  return { code: child.exitCode, ms: performance.now() - began }
}

async function opened(url: URL, agent?: Agent): Promise<IncomingMessage> {
  const sent = get(url, { headers, ...(agent && { agent }) })
  const [reply] = (await once(sent, 'response')) as [IncomingMessage]
  return reply
}

test('SIGTERM: finishes requests in progress, and closes no busy connection', async (t) => {
  const service = await startProcess(host.url, { DRAIN_SECONDS: '3' })
  const page = new URL('/v1/groups?limit=1', service.base)
  const agent = new Agent({ keepAlive: true })
  const idle = await opened(page, agent)
  const { socket } = idle
  await idle.toArray()
  const streaming = await opened(new URL('/v1/personnel', service.base))
  await host.sql.query('begin; lock table groups in access exclusive mode')
  // Another page: the first one is in memory.
  const slow = opened(new URL('/v1/groups?limit=2', service.base))
  await untilLocked(host.sql)

  service.process.kill('SIGTERM')
  const ended = ending(service)
  const ready = () => timed(new URL('/readyz', service.base))
  while ((await ready()).status !== 503) await sleep(20)
  const result = await opened(new URL('/v1/whoami', service.base))
  assert.equal(result.headers.connection, 'close')
  await result.toArray()
  await host.sql.query('rollback')

  const reply = await slow
  assert.equal(reply.statusCode, 200)
  assert.equal(reply.headers.connection, 'close')
  await reply.toArray()
  const list = Buffer.concat(await streaming.toArray())
  assert.equal(list.length, Number(streaming.headers['content-length']))
  assert.equal(JSON.parse(list.toString()).count, 20_000)
  if (!socket.destroyed) await once(socket, 'close')
  const { code, ms } = await ended
  assert.equal(code, 0, service.log().slice(-500))
  measure(t, 'exit after SIGTERM', { value: ms, atMost: 10_000 })
  agent.destroy()
})

test('SIGTERM: exits in time despite a client that does not read', async (t) => {
  const service = await startProcess(host.url)
  const { hostname, port } = new URL(service.base)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.pause()
  const lines = ['GET /v1/personnel HTTP/1.1', 'host: x', `authorization: Bearer ${token}`]
  socket.write([...lines, '', ''].join('\r\n'))
  await sleep(1500)
  service.process.kill('SIGTERM')
  const { ms } = await ending(service)
  measure(t, 'exit despite a client that does not read', { value: ms, atMost: 10_500 })
  socket.destroy()
})

test('logs an uncaught error and exits', async (t) => {
  const onPurpose = `process.on('SIGUSR2',()=>{throw new Error('on purpose')})`
  const preload = `data:text/javascript,${encodeURIComponent(onPurpose)}`
  const service = await startProcess(host.url, { NODE_OPTIONS: `--import ${preload}` })
  await host.sql.query('begin; lock table groups in access exclusive mode')
  const begun = opened(new URL('/v1/groups?limit=1', service.base))
  await untilLocked(host.sql)
  service.process.kill('SIGUSR2')
  const ended = ending(service)
  while (!service.log().includes('closing after an error')) await sleep(20)
  await host.sql.query('rollback')
  assert.equal((await begun).statusCode, 200, 'requests in progress are finished')
  const { code, ms } = await ended
  assert.equal(code, 1)
  measure(t, 'exit after an error', { value: ms, atMost: 5500 })
  assert.match(service.log(), /"level":60.*closing after an error/)
})

/** Waits until HAProxy reports both processes up, like a rolling deployment. */
async function untilBothUp(rollout: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    const seen = await timed(new URL(rollout)).catch(() => null)
    if (seen?.status === 200) return
    assert.ok(tries < 200, 'HAProxy does not report both processes up')
    await sleep(100)
  }
}

interface Result {
  readonly status: number
  readonly text: string
}

/** Sends one request, again if its connection ended before the first byte of a response. */
async function send(url: URL, options: RequestOptions, body?: string): Promise<Result> {
  for (let tries = 1; ; tries++) {
    const key = { 'content-type': 'application/json', 'idempotency-key': body ?? '' }
    const sent = request(url, {
      ...options,
      method: body ? 'POST' : 'GET',
      headers: { ...headers, ...(body && key) },
    })
    sent.end(body && JSON.stringify({ name: body }))
    const reply = await once(sent, 'response').then(
      ([answer]) => answer as IncomingMessage,
      (error: NodeJS.ErrnoException) => {
        if (tries === 3 || !/ECONNRESET|EPIPE|hang up/.test(`${error.code} ${error}`)) throw error
        return null
      },
    )
    if (reply === null) continue
    const text = Buffer.concat(await reply.toArray()).toString()
    const length = Number(reply.headers['content-length'])
    assert.equal(Buffer.byteLength(text), length, 'the response is complete')
    return { status: reply.statusCode ?? 0, text }
  }
}

test('restarts processes under load without a failed request', async () => {
  const restartsMax = Number(process.env['RESTARTS'] ?? size(2, 20))
  const ports = [await freePort(), await freePort()]
  const start = (port: number | undefined) =>
    startProcess(host.url, { PORT: String(port), DRAIN_SECONDS: '1' })
  const running = [await start(ports[0]), await start(ports[1])]
  const { base, rollout } = await startDeployedHaproxy(ports)
  await untilBothUp(rollout)

  const over = new AbortController()
  const failures: string[] = []
  let answered = 0
  const agent = new Agent({ keepAlive: true, maxSockets: 12 })
  const clients = Array.from({ length: 12 }, async (_, client) => {
    // HAProxy limits requests per source address, so each client has its own.
    const options = { agent, localAddress: `127.0.1.${client + 1}` }
    for (let count = 0; !over.signal.aborted; count++) {
      const isWrite = client % 4 === 0
      const path = isWrite ? '/v1/personnel' : '/v1/personnel?limit=20'
      const body = isWrite ? `Client-${client}-${count}` : undefined
      const result = await send(new URL(path, base), options, body).catch((error: unknown) => ({
        status: 0,
        text: String(error),
      }))
      if (result.status !== (isWrite ? 201 : 200)) failures.push(`${result.status} ${result.text}`)
      else if (JSON.parse(result.text)) answered += 1
      await sleep(10)
    }
  })
  for (let restarts = 0; restarts < restartsMax; restarts++) {
    const turn = restarts % 2
    const old = running[turn]
    assert.ok(old)
    old.process.kill('SIGTERM')
    const { code } = await ending(old)
    assert.equal(code, 0, old.log().slice(-500))
    running[turn] = await start(ports[turn])
    await untilBothUp(rollout)
  }
  over.abort()
  await Promise.all(clients)
  agent.destroy()
  assert.deepEqual(failures.slice(0, 3), [], `${failures.length} of ${answered} failed`)
  assert.ok(answered > 100, `${answered} answers`)
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage, request, type RequestOptions } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

import { insertPeople } from './bulk.ts'
import { freePort } from './free-port.ts'
import { deployed } from './haproxy.ts'
import { type Running, startProcess } from './process.ts'
import { testOfTime } from './test-of-time.ts'
import { stalledMs, timed } from './watch.ts'
import { newWorkspace, startHost } from './workspace.ts'

const host = await startHost({ isByHand: true })
const home = await newWorkspace(host)
await insertPeople(host.sql, home.uuid, 20_000)
const { token } = await home.issue({ scopes: ['personnel.manage'] })
const headers = { authorization: `Bearer ${token}` }

/** How it ended, and how long it took from now. */
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

testOfTime('SIGTERM: what was begun is finished, and nobody is cut off', async () => {
  const service = await startProcess(host.url, { DRAIN_SECONDS: '1' })
  const page = new URL('/v1/personnel?limit=1', service.base)
  const agent = new Agent({ keepAlive: true })
  const idle = await opened(page, agent)
  const { socket } = idle
  await idle.toArray()
  const streaming = await opened(new URL('/v1/personnel', service.base))
  await host.sql.query('begin; lock table people in access exclusive mode')
  const slow = opened(page)
  await sleep(300)

  service.process.kill('SIGTERM')
  const ended = ending(service)
  await sleep(300)
  const ready = await timed(new URL('/readyz', service.base))
  assert.equal(ready.status, 503, 'it says so at once, and still answers')
  const told = await opened(new URL('/v1/whoami', service.base))
  assert.equal(told.headers.connection, 'close')
  await told.toArray()
  await sleep(600)
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
  assert.ok(ms < 10_000, `${ms}`)
  agent.destroy()
})

testOfTime('SIGTERM: a client that never takes its answer does not keep us', async () => {
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
  assert.ok(ms < 10_500 + stalledMs(), `${ms}`)
  socket.destroy()
})

testOfTime('an error that nobody caught is logged, and ends the process soon', async () => {
  const onPurpose = `process.on('SIGUSR2',()=>{throw new Error('on purpose')})`
  const preload = `data:text/javascript,${encodeURIComponent(onPurpose)}`
  const service = await startProcess(host.url, { NODE_OPTIONS: `--import ${preload}` })
  await host.sql.query('begin; lock table people in access exclusive mode')
  const begun = opened(new URL('/v1/personnel?limit=1', service.base))
  await sleep(500)
  service.process.kill('SIGUSR2')
  const ended = ending(service)
  await sleep(200)
  await host.sql.query('rollback')
  assert.equal((await begun).statusCode, 200, 'what was begun is finished')
  const { code, ms } = await ended
  assert.equal(code, 1)
  assert.ok(ms < 5500 + stalledMs(), `${ms}`)
  assert.match(service.log(), /"level":60.*closing after an error/)
})

/** As whoever rolls out a new version would wait before the next process. */
async function bothUp(rollout: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    const seen = await timed(new URL(rollout)).catch(() => null)
    if (seen?.status === 200) return
    assert.ok(tries < 200, 'HAProxy does not find both')
    await sleep(100)
  }
}

interface Told {
  readonly status: number
  readonly text: string
}

/** One request; it is sent again when its connection ended before a byte of an answer came. */
async function send(url: URL, options: RequestOptions, body?: string): Promise<Told> {
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
    assert.equal(Buffer.byteLength(text), length, 'an answer is whole')
    return { status: reply.statusCode ?? 0, text }
  }
}

testOfTime('processes can be restarted under load, and no client notices', async () => {
  const seconds = Number(process.env['RESTART_SECONDS'] ?? 14)
  const ports = [await freePort(), await freePort()]
  const start = (port: number | undefined) =>
    startProcess(host.url, { PORT: String(port), DRAIN_SECONDS: '1' })
  const running = [await start(ports[0]), await start(ports[1])]
  const { base, rollout } = await deployed(ports)
  await bothUp(rollout)

  const end = performance.now() + seconds * 1000
  const failures: string[] = []
  let answered = 0
  const agent = new Agent({ keepAlive: true, maxSockets: 12 })
  const clients = Array.from({ length: 12 }, async (_, client) => {
    // One source may not send as many requests as all clients together.
    const options = { agent, localAddress: `127.0.1.${client + 1}` }
    for (let count = 0; performance.now() < end; count++) {
      const isWrite = client % 4 === 0
      const path = isWrite ? '/v1/personnel' : '/v1/personnel?limit=20'
      const body = isWrite ? `Client-${client}-${count}` : undefined
      const told = await send(new URL(path, base), options, body).catch((error: unknown) => ({
        status: 0,
        text: String(error),
      }))
      if (told.status !== (isWrite ? 201 : 200)) failures.push(`${told.status} ${told.text}`)
      else if (JSON.parse(told.text)) answered += 1
      await sleep(10)
    }
  })
  let restarts = 0
  for (let turn = 0; performance.now() < end - 2000; turn = 1 - turn) {
    const old = running[turn]
    assert.ok(old)
    old.process.kill('SIGTERM')
    const { code } = await ending(old)
    assert.equal(code, 0, old.log().slice(-500))
    running[turn] = await start(ports[turn])
    restarts += 1
    await bothUp(rollout)
  }
  await Promise.all(clients)
  agent.destroy()
  assert.deepEqual(failures.slice(0, 3), [], `${failures.length} of ${answered} failed`)
  assert.ok(restarts >= 2 && answered > 100, `${restarts} restarts, ${answered} answers`)
})

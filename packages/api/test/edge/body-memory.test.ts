import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'

import { limits, scopes } from '@muster/contract'

import { Client } from '#test/support/client'
import { longTimeouts } from '#test/support/long-timeouts'
import { type Running, startProcess } from '#test/support/process'
import { size } from '#test/support/size'
import { metricsOf, untilLocked } from '#test/support/watch'
import { newWorkspace, startHost } from '#test/support/workspace'

import { sendUnfinished, until, type UnfinishedBody } from './unfinished-body.ts'

const { batchBytesMax, bodyBytesMax, largeBodiesPerKey } = limits
const memoryMax = 200
const host = await startHost()
const home = await newWorkspace(host)
const service = await startProcess(host.url)
const tokenOf = async (workspace = home) => (await workspace.issue({ scopes })).token

/** All of a batch of the largest size but its last 64 bytes. */
const unfinished = Buffer.alloc(batchBytesMax - 64, ' ')

/** A valid batch of exactly the largest size. */
function largestBatch(name: string): string {
  const rows = JSON.stringify({ data: [{ name }] })
  return rows.padEnd(batchBytesMax, ' ')
}

const sendBatch = (base: string, token: string) =>
  new Client(base, token).post('/v1/personnel/batch', largestBatch('Batch Person'))

const startUpload = (base: string, token: string) =>
  sendUnfinished(base, { token, length: batchBytesMax, bytes: unfinished })

async function heldBytes({ base }: Running, pool: string): Promise<number | undefined> {
  return (await metricsOf(base))[`muster_http_body_bytes{pool="${pool}"}`]
}

const untilHeld = (process: Running, pool: string, bytes: number) =>
  until(`${pool} bodies hold ${bytes} bytes`, async () => {
    return (await heldBytes(process, pool)) === bytes
  })

const answered = (uploads: readonly UnfinishedBody[]) =>
  uploads.filter((each) => each.status() !== null)

function destroyAll(uploads: readonly UnfinishedBody[]): void {
  for (const { socket } of uploads) socket.destroy()
}

/** Warms the service up, so that the growth of its memory is that of the bodies. */
async function watchMemory(process: Running, token: string) {
  for (let warm = 0; warm < 20; warm++) await new Client(process.base, token).get('/v1/whoami')
  assert.equal((await sendBatch(process.base, token)).status, 200)
  const before = process.memory().now
  return (t: TestContext, what: string, most = memoryMax) => {
    const grown = (process.memory().peak - before) / 1e6
    t.diagnostic(`${what}: RSS grew ${grown.toFixed(0)} MB`)
    assert.ok(grown <= most, `RSS grew ${grown} MB, at most ${most}`)
  }
}

const connections = size(60, 280)

test(`reads four of ${connections} large bodies of one key, and refuses the others with 429`, async (t) => {
  const measured = await startProcess(host.url)
  const token = await tokenOf()
  const assertMemory = await watchMemory(measured, token)

  const uploads = Array.from({ length: connections }, () => startUpload(measured.base, token))
  let heldMax = 0
  await until('the refusals', async () => {
    heldMax = Math.max(heldMax, (await heldBytes(measured, 'large')) ?? 0)
    return answered(uploads).length >= connections - largeBodiesPerKey
  })
  assert.equal(heldMax, largeBodiesPerKey * batchBytesMax)
  // A slow machine does not authenticate all of them before the time-out of a request.
  const refused = answered(uploads).filter((each) => each.status() !== 408)
  assert.ok(refused.length > connections / 2, `${refused.length} refusals`)
  for (const each of refused) {
    assert.match(each.text(), /^HTTP\/1\.1 429 /)
    assert.match(each.text(), /^retry-after: 1\r$/m)
    assert.match(each.text(), /"code":"too_many_large_bodies"/)
  }
  assertMemory(t, `${connections} unfinished bodies of 4 MiB`)

  const small = await new Client(measured.base, token).post('/v1/personnel', { name: 'Small Body' })
  assert.equal(small.status, 201, 'small bodies are not limited')
  const other = await sendBatch(measured.base, await tokenOf())
  assert.equal(other.status, 200, 'another key is not limited')

  destroyAll(uploads)
  await untilHeld(measured, 'large', 0)
  const legal = await Promise.all(
    Array.from({ length: largeBodiesPerKey }, () => sendBatch(measured.base, token)),
  )
  assert.deepEqual(new Set(legal.map(({ status }) => status)), new Set([200]))
  await untilHeld(measured, 'large', 0)
})

test('discards the rest of a refused body, and then serves the next request on its connection', async () => {
  const token = await tokenOf()
  const held = Array.from({ length: largeBodiesPerKey }, () => startUpload(service.base, token))
  await untilHeld(service, 'large', largeBodiesPerKey * batchBytesMax)
  // The body contains a request, which must not be parsed as one.
  const request = `DELETE /v1/workspace HTTP/1.1\r\nhost: x\r\n\r\n`
  const refused = sendUnfinished(service.base, { token, length: batchBytesMax, bytes: request })
  await until('the refusal', () => refused.status() === 429)
  refused.socket.write(Buffer.alloc(batchBytesMax - request.length, ' '))
  refused.socket.write('GET /livez HTTP/1.1\r\nhost: x\r\n\r\n')
  await until('the next response', () => refused.text().includes('"alive"'))
  const statuses = refused.text().match(/HTTP\/1\.1 \d{3}/g)
  assert.deepEqual(statuses, ['HTTP/1.1 429', 'HTTP/1.1 200'])

  const expectant = sendUnfinished(service.base, {
    token,
    length: batchBytesMax,
    path: '/v1/personnel/batch HTTP/1.1\r\nexpect: 100-continue\r\nx:',
  })
  await until('the refusal', () => expectant.status() !== null)
  assert.equal(expectant.status(), 429, 'the client is not asked for the body')
  destroyAll([...held, refused, expectant])
})

test('eight workspaces that hold what they can get do not stop a ninth', async (t) => {
  const measured = await startProcess(host.url)
  const victim = await tokenOf(await newWorkspace(host))
  const assertMemory = await watchMemory(measured, victim)
  const tokens: string[] = []
  for (let tenants = 0; tenants < 8; tenants++) {
    const workspace = await newWorkspace(host)
    tokens.push(await tokenOf(workspace), await tokenOf(workspace))
  }
  const uploads = tokens.flatMap((token) =>
    Array.from({ length: largeBodiesPerKey }, () => startUpload(measured.base, token)),
  )
  const held = async () => (await heldBytes(measured, 'large')) ?? 0
  await until('all are read or refused', async () => {
    const readOrRefused = answered(uploads).length + (await held()) / batchBytesMax
    return readOrRefused === uploads.length
  })
  // A slow machine does not read all of them before the time-out of a request.
  const refused = answered(uploads).filter((each) => each.status() !== 408)
  assert.ok(refused.length > uploads.length / 4, `${refused.length} refusals`)
  assert.deepEqual(new Set(refused.map((each) => each.status())), new Set([503]))
  for (const each of refused) assert.match(each.text(), /"code":"overloaded"/)
  const { 'muster_http_requests_shed_total{reason="bodies"}': shed } = await metricsOf(
    measured.base,
  )
  assert.equal(shed, refused.length)

  const client = new Client(measured.base, victim)
  const { body: person } = await client.post('/v1/personnel', { name: 'Small Body' })
  const small = await client.send('PATCH', `/v1/personnel/${person.id}`, {
    body: { title: 'Engineer' },
  })
  assert.equal(small.status, 200)
  assert.equal((await sendBatch(measured.base, victim)).status, 200)
  // Garbage adds 50 to 100 MB, by the speed of the machine. Only a process that keeps all bodies
  // grows by more than was sent.
  const heldMiB = (await held()) / 1024 ** 2
  const sentMb = (uploads.length * batchBytesMax) / 1e6
  assertMemory(t, `${heldMiB} MiB of unfinished bodies of 8 workspaces`, sentMb)
  destroyAll(uploads)
  await untilHeld(measured, 'large', 0)
})

test('counts a chunked body as the limit of its operation', async () => {
  const token = await tokenOf()
  const bytes = '1\r\n{\r\n'
  const large = { token, length: null, bytes }
  const batches = Array.from({ length: largeBodiesPerKey }, () =>
    sendUnfinished(service.base, large),
  )
  await untilHeld(service, 'large', largeBodiesPerKey * batchBytesMax)
  const fifth = sendUnfinished(service.base, large)
  await until('the refusal', () => fifth.status() === 429)
  const small = sendUnfinished(service.base, { ...large, path: '/v1/personnel' })
  await untilHeld(service, 'small', bodyBytesMax)
  destroyAll([...batches, fifth, small])
  await untilHeld(service, 'small', 0)
  await untilHeld(service, 'large', 0)
})

test('gives memory back when a body is invalid, too large or too slow', async () => {
  const handlerMs = { ...longTimeouts.handlerMs, write: 1000 }
  const hasty = await startProcess(host.url, {}, { timeouts: { ...longTimeouts, handlerMs } })
  const token = await tokenOf()
  const invalid = await new Client(hasty.base, token).post(
    '/v1/personnel/batch',
    ' '.repeat(70_000),
  )
  assert.equal(invalid.status, 400)
  const tooLarge = sendUnfinished(hasty.base, {
    token,
    length: null,
    path: '/v1/personnel',
    bytes: `${(bodyBytesMax + 1).toString(16)}\r\n${' '.repeat(bodyBytesMax + 1)}\r\n0\r\n\r\n`,
  })
  await until('the refusal', () => tooLarge.status() === 413)
  const announced = sendUnfinished(hasty.base, { token, length: batchBytesMax + 1 })
  await until('the refusal', () => announced.status() === 413)
  const slow = startUpload(hasty.base, token)
  await until('the time-out', () => slow.status() === 408)
  for (const pool of ['large', 'small']) await untilHeld(hasty, pool, 0)
  destroyAll([tooLarge, announced, slow])
})

test('holds memory until the handler ends when the client disconnects meanwhile', async () => {
  const token = await tokenOf()
  await host.sql.query('begin')
  // A write waits for this row, and authentication does not.
  await host.sql.query('select from workspace_counters where workspace_id = $1 for update', [
    home.uuid,
  ])
  const upload = sendUnfinished(service.base, {
    token,
    length: batchBytesMax,
    bytes: largestBatch('Abandoned Person'),
  })
  await untilLocked(host.sql)
  upload.socket.destroy()
  await until('the disconnect', async () => {
    const { 'muster_http_connections{state="busy"}': busy } = await metricsOf(service.base)
    return busy === 0
  })
  assert.equal(await heldBytes(service, 'large'), batchBytesMax)
  await host.sql.query('rollback')
  await untilHeld(service, 'large', 0)
})

test('bodies without a principal have memory of their own, shared by address', async () => {
  const from = (localAddress: string) =>
    sendUnfinished(service.base, { path: '/session', length: bodyBytesMax, localAddress })
  const half = (8 * 1024 ** 2) / 2
  const attack = Array.from({ length: half / bodyBytesMax }, () => from('127.0.0.2'))
  await untilHeld(service, 'anonymous', half)
  const refused = from('127.0.0.2')
  await until('the refusal', () => refused.status() === 503)
  const other = from('127.0.0.3')
  await untilHeld(service, 'anonymous', half + bodyBytesMax)
  const created = await new Client(service.base, await tokenOf()).post('/v1/personnel', {
    name: 'Small Body',
  })
  assert.equal(created.status, 201)
  destroyAll([...attack, refused, other])
  await untilHeld(service, 'anonymous', 0)
})

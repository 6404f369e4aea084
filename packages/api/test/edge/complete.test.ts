import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'

import { scopes } from '@muster/contract'

import { requestTimeouts } from '#http/edge/admission'
import { insertPeople } from '#test/support/bulk'
import { Client } from '#test/support/client'
import { longTimeouts } from '#test/support/long-timeouts'
import { startProcess } from '#test/support/process'
import { startProxy } from '#test/support/proxy'
import { size } from '#test/support/size'
import { sentDuring } from '#test/support/statements'
import { untilIdle } from '#test/support/watch'
import { newWorkspace, startHost } from '#test/support/workspace'

const people = size(30_000, 100_000)
const memoryMax = size(130, 200)
const host = await startHost({ skipsDriftCheck: true })
const home = await newWorkspace(host)
await insertPeople(host.sql, home.uuid, people)
await host.sql.query(`
  update people set email = 'person' || id || '@example.com', title = 'Engineer of waterways',
    department = 'Department of civil works', metadata = '{"badge":"B-1042","site":"north"}'`)
await host.sql.query('vacuum analyze people')

const issue = async () => (await home.issue({ scopes })).token

/** A response whose body is not read yet. */
function begin(base: string, token: string, headers: Record<string, string> = {}) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const url = new URL('/v1/personnel', base)
    get(
      url,
      { headers: { authorization: `Bearer ${token}`, ...headers }, agent: false },
      resolve,
    ).on('error', reject)
  })
}

async function read(reply: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of reply) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

test(
  `streams a complete list of ${people} people within ${memoryMax} MB of memory`,
  { timeout: 300_000 },
  async (t) => {
    const service = await startProcess(host.url)
    const token = await issue()
    const client = new Client(service.base, token)
    for (let warm = 0; warm < 20; warm++) await client.get('/v1/personnel?limit=100')
    const before = service.memory().now

    const whole = await read(await begin(service.base, token))
    const grown = () => (service.memory().peak - before) / 1024 ** 2
    const json = (whole.length / 1024 ** 2).toFixed(0)
    t.diagnostic(`RSS grew ${grown().toFixed(0)} MB for ${json} MB of JSON`)
    assert.ok(grown() <= memoryMax, `RSS grew ${grown()} MB`)
    const { count, data, next_cursor } = JSON.parse(whole.toString())
    assert.equal(count, people)
    assert.equal(new Set(data.map(({ id }: { id: string }) => id)).size, people)
    assert.equal(next_cursor, null)

    const lines = (await read(await begin(service.base, token, { accept: 'application/x-ndjson' })))
      .toString()
      .trimEnd()
      .split('\n')
    assert.equal(lines.length, people + 1)
    const csv = await read(await begin(service.base, token, { accept: 'text/csv' }))
    assert.equal(csv.toString().split('\r\n').length, people + 2)
    const packed = await read(await begin(service.base, token, { 'accept-encoding': 'gzip' }))
    assert.ok(gunzipSync(packed).equals(whole))
    const smaller = await read(
      await begin(service.base, token, { 'accept-encoding': 'zstd, gzip' }),
    )
    assert.ok(zstdDecompressSync(smaller).equals(whole))

    const four = await Promise.all(Array.from({ length: 4 }, () => begin(service.base, token)))
    await Promise.all(four.map(read))

    t.diagnostic(
      `RSS grew ${grown().toFixed(0)} MB in total, after every format and four concurrent lists`,
    )
  },
)

test('completes a list that takes longer than the time limit of other requests', async () => {
  const proxy = await startProxy(host.url)
  const { handlerMs } = requestTimeouts
  const timeouts = { ...longTimeouts, handlerMs: { ...handlerMs, read: 1000, write: 1000 } }
  const service = await startProcess(proxy.url, {}, { timeouts })
  proxy.delay(45)
  const began = performance.now()
  const reply = await begin(service.base, await issue())
  const { count } = JSON.parse((await read(reply)).toString())
  assert.equal(count, people)
  assert.ok(
    performance.now() - began > timeouts.handlerMs.read,
    'it exceeds the time limit of a read',
  )
})

test('releases the database connection before the client reads, so that others are served', async () => {
  const service = await startProcess(host.url, { DATABASE_POOL_MAX: '4' })
  const held: IncomingMessage[] = []
  for (let keys = 0; keys < 4; keys++) {
    const token = await issue()
    for (let streams = 0; streams < 4; streams++) held.push(await begin(service.base, token))
  }
  assert.equal(held.length, 16, '16 complete lists wait for clients that do not read')
  await untilIdle(host.sql)
  const client = new Client(service.base, await issue())
  for (let request = 0; request < 20; request++) {
    assert.equal((await client.get('/v1/personnel?limit=10')).status, 200)
  }
  for (const reply of held) reply.destroy()
})

test('limits concurrent complete lists to four per key', async () => {
  const service = await startProcess(host.url)
  const token = await issue()
  const held = await Promise.all(Array.from({ length: 4 }, () => begin(service.base, token)))
  const fifth = await new Client(service.base, token).get('/v1/personnel')
  assert.equal(`${fifth.status} ${fifth.body.code}`, '429 too_many_streams')
  assert.equal(fifth.headers.get('retry-after'), '1')
  const page = await new Client(service.base, token).get('/v1/personnel?limit=1')
  assert.equal(page.status, 200, 'pages are not limited')
  const other = await begin(service.base, await issue())
  assert.equal(other.statusCode, 200, 'another key is not limited')
  for (const reply of [...held, other]) reply.destroy()
  await sleep(200)
  const again = await begin(service.base, token)
  assert.equal(again.statusCode, 200, 'a closed connection does not count')
  again.destroy()
})

test('shares one snapshot among concurrent requests for the same list', async () => {
  const small = await newWorkspace(host)
  await insertPeople(host.sql, small.uuid, 3000)
  const tokens = await Promise.all(
    Array.from({ length: 10 }, async () => (await small.issue({ scopes })).token),
  )
  const bodies: string[] = []
  const sent = await sentDuring(async () => {
    const replies = await Promise.all(tokens.map((token) => begin(host.base, token)))
    for (const reply of replies) bodies.push((await read(reply)).toString())
  })
  assert.equal(new Set(bodies).size, 1)
  const snapshots = sent.filter(({ sql }) => sql.startsWith('begin isolation level'))
  assert.ok(snapshots.length < 5, `${snapshots.length} snapshots for ten readers`)
})

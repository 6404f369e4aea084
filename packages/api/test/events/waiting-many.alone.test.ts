import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { scopes } from '@muster/contract'
import { measure } from '@muster/testing/measure'

import { administrator } from '#domain/engine/caller'
import { suspendWorkspace } from '#domain/workspace/workspace-lifecycle'
import { startDeployedHaproxy } from '#test/edge/haproxy'
import { Client, type Json, type Reply } from '#test/support/client'
import { type Running, startProcess } from '#test/support/process'
import { isLong } from '#test/support/size'
import { newWorkspace, startHost } from '#test/support/workspace'

import { crowd, joinAll, metricOf, untilFollowing } from './crowds.ts'
import { openStream } from './streams.ts'

const host = await startHost()
const allScopes = [...scopes]

const start = (count: number) =>
  Promise.all(Array.from({ length: count }, () => startProcess(host.url)))

async function stop(processes: readonly Running[]): Promise<void> {
  for (const { process: child } of processes) {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
}

/** Adds the time until each response, and returns the bodies. */
function timesOf(times: number[], replies: readonly Promise<Reply>[]): Promise<Json[]> {
  const began = performance.now()
  return Promise.all(
    replies.map(async (reply) => {
      const { status, body, text } = await reply
      assert.equal(status, 200, text)
      times.push(performance.now() - began)
      return body
    }),
  )
}

const at = (times: readonly number[], share: number) =>
  Math.round(times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN)

test('many requests join at once after a start, hold no connection, and are woken', async (t) => {
  const crowds = await Promise.all(Array.from({ length: isLong ? 5 : 2 }, () => crowd(host, 200)))
  const processes = await start(2)
  const bases = processes.map(({ base }) => base)
  const memory = () => processes.reduce((sum, each) => sum + each.memory().now, 0) / 2 ** 20
  const before = memory()
  const all = crowds.reduce((sum, { count }) => sum + count, 0)
  const joined = performance.now()
  const waiting = joinAll(crowds, bases, 'now')
  await untilFollowing(bases, all)
  t.diagnostic(`${all} joined in ${Math.round(performance.now() - joined)} ms`)
  // The first use of each key is recorded in the background. Then each process asks with one.
  const used = () => metricOf(bases, 'muster_database_connections{state="in_use"}')
  for (let tries = 0; (await used()) > bases.length; tries++) {
    assert.ok(tries < 200, `${await used()} connections in use`)
    await sleep(100)
  }
  measure(t, 'memory of the waiting requests', {
    value: memory() - before,
    unit: 'MiB',
    atMost: 200,
  })
  const woken: number[] = []
  const read: number[] = []
  for (const [place, { writer, count, clientOf }] of crowds.entries()) {
    const replies = waiting.slice(place * count, (place + 1) * count)
    await writer.post('/v1/personnel', { name: 'Mara' })
    const bodies = await timesOf(woken, replies)
    assert.deepEqual([...new Set(bodies.map((body) => body.count))], [1])
    const pages = Array.from({ length: count }, (_, index) =>
      clientOf(index, bases[index % 2] ?? '').get('/v1/events?limit=1'),
    )
    await timesOf(read, pages)
  }
  assert.equal(woken.length, all)
  t.diagnostic(`wake-up: p50 ${at(woken, 0.5)} ms, p99 ${at(woken, 0.99)} ms`)
  t.diagnostic(`as many plain reads at once: p99 ${at(read, 0.99)} ms`)
  const value = at(woken, 0.99) / (100 + at(read, 0.99))
  measure(t, 'p99 of a wake-up', { value, unit: '× 100 ms and a plain read', atMost: 2 })
  await stop(processes)
})

test('SIGTERM behind the proxy: every waiting request is answered, in time', async (t) => {
  // The proxy allows 300 connections of one address.
  const count = isLong ? 200 : 100
  const processes = await start(2)
  const ports = processes.map(({ base }) => Number(new URL(base).port))
  const proxy = await startDeployedHaproxy(ports)
  const crowds = await Promise.all(Array.from({ length: count / 50 }, () => crowd(host, 50)))
  const bases = processes.map(({ base }) => base)
  const [first] = processes
  assert.ok(first)
  const direct = isLong ? [await crowd(host, 200), await crowd(host, 100)] : []
  const waiting = [...joinAll(crowds, [proxy.base], 'now'), ...joinAll(direct, [first.base], 'now')]
  await untilFollowing(bases, waiting.length)
  const own = await metricOf([first.base], 'muster_http_followers{kind="wait"}')
  assert.ok(own > 0)
  const ended = once(first.process, 'exit')
  const began = performance.now()
  first.process.kill('SIGTERM')
  await ended
  measure(t, 'exit with waiting requests', { value: performance.now() - began, atMost: 3000 })
  await untilFollowing(bases.slice(1), waiting.length - own)
  await Promise.all(crowds.map(({ writer }) => writer.post('/v1/personnel', { name: 'Mara' })))
  const replies = await Promise.all(waiting)
  assert.deepEqual(
    replies.flatMap(({ status, text }) => (status === 200 ? [] : [text])),
    [],
  )
  const isEmpty = ({ body }: { body: Json }) => body.count === 0
  assert.equal(replies.filter(isEmpty).length, own, 'those of the process that stopped are empty')
  await stop(processes.slice(1))
})

/** Ends the right to read, and returns the number of that change. */
type End = (home: Awaited<ReturnType<typeof newWorkspace>>, keyId: string) => Promise<void>

const revoke: End = async ({ issue }, keyId) => {
  const { token } = await issue({ scopes: allScopes })
  const { status } = await new Client(host.base, token).post(`/v1/keys/${keyId}/revoke`, {})
  assert.equal(status, 200)
}

const suspend: End = async ({ id }) => {
  await suspendWorkspace(administrator(host.owner, id))
}

const races = isLong ? 100 : 10

for (const [what, end, type] of [
  ['a key is revoked', revoke, 'key.revoked'],
  ['a workspace is suspended', suspend, 'workspace.suspended'],
] as const) {
  test(`when ${what}, a stream shows nothing that was written after it`, async (t) => {
    let shown = 0
    for (let race = 0; race < races; race++) {
      const home = await newWorkspace(host)
      const reader = await home.issue({ scopes: ['personnel.read'] })
      const writer = new Client(host.base, (await home.issue({ scopes: allScopes })).token)
      const stream = await openStream(new Client(host.base, reader.token), { after: 'now' })
      const over = new AbortController()
      const writing = (async () => {
        while (!over.signal.aborted) await writer.post('/v1/personnel', { name: 'Mara' })
      })()
      const seqs: number[] = []
      const readNext = async () => {
        const message = await stream.next()
        if (message?.event === 'person.created') seqs.push(message.data.seq)
        return message !== null
      }
      while (seqs.length === 0) assert.ok(await readNext())
      await sleep(Math.random() * 150)
      await end(home, reader.id)
      while (await readNext());
      over.abort()
      await writing
      const { rows } = await host.sql.query<{ seq: number }>(
        'select seq::int from events where workspace_id = $1 and type = $2',
        [home.uuid, type],
      )
      assert.ok(rows[0], 'the right ended')
      assert.ok(Math.max(0, ...seqs) < rows[0].seq, `${seqs.join()} < ${rows[0].seq}`)
      shown += seqs.length
    }
    t.diagnostic(`${races} races, ${shown} events before the end`)
  })
}

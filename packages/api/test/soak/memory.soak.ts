import assert from 'node:assert/strict'
import { get } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { checkFlat, type Sample } from '#test/soak/checks/flat'
import { Client } from '#test/support/client'
import { createFixture } from '#test/support/fixture'
import { startProcess } from '#test/support/process'
import { metricsOf } from '#test/support/watch'
import { newWorkspace, startHost } from '#test/support/workspace'

import { chance, pick, soak, soakMs, untilEnough } from './length.ts'
import { assertHolds } from './verdict.ts'

/** The part of the soak that is warm-up, during which memory may grow. */
const warm = 1 / 3
const samplesWanted = 120
/** With fewer there is no trend. */
const samplesMin = 20
const clients = 8
/** Each client can leave a connection open, and one that the service has not yet seen closed. */
const openAfterwards = 2 * clients
/** In less than 6 s there are too few samples for a trend. */
const lengthMs = Math.max(soakMs, 6000)

const host = await startHost()
const service = await startProcess(host.url)
const home = await newWorkspace(host)
const client = new Client(service.base, (await home.manager()).token)
const fixture = await createFixture(client)
const project = fixture.fill('/v1/projects/{project_id}')
const rows = Array.from({ length: 1000 }, (_, index) => ({
  title: `Risk ${index}`,
  likelihood: 1 + (index % 5),
  impact: 3,
}))
const batch = await client.post(`${project}/risks/batch`, { data: rows })
const risks: string[] = batch.body.data.map(({ id }: { id: string }) => id)

/** A mix of requests that does not grow the workspace. */
const requests: ((next: () => number) => Promise<unknown>)[] = [
  () => client.get('/v1/risks?limit=100'),
  () => client.get('/v1/risks'),
  () => client.get('/v1/risks/summary'),
  () => client.get('/v1/issues?include=total_count&limit=10'),
  (next) => client.get(`/v1/personnel?q=${String(next()).slice(2, 6)}`),
  (next) => client.get('/v1/risks', { 'if-none-match': `W/"${next()}"` }),
  (next) => client.get('/v1/whoami', { authorization: `Bearer wrong${next()}` }),
  (next) => client.get(`/v1/risks?nothing=${next()}`),
  () => client.send('POST', '/v1/personnel', { body: '{"name":' }),
  (next) => client.post(`${project}/risks/batch`, { data: [rated(next), rated(next)] }),
  (next) => client.post(`${project}/risks/batch?dry_run=true`, { data: [rated(next)] }),
  (next) => client.send('PATCH', `${project}/risks/${pick(risks, next)}`, { body: score(next) }),
  disconnectEarly,
]

const score = (next: () => number) => ({ likelihood: 1 + Math.floor(next() * 5) })
const rated = (next: () => number) => ({ id: pick(risks, next), ...score(next) })

/** Disconnects in the middle of a response. */
function disconnectEarly(): Promise<void> {
  const headers = { authorization: `Bearer ${client.token}` }
  return new Promise((resolve, reject) => {
    const sent = get(new URL('/v1/risks', service.base), { headers, agent: false }, (reply) => {
      reply.once('data', () => reply.destroy())
      reply.once('close', () => resolve())
      reply.on('error', () => {})
    })
    sent.on('error', reject)
  })
}

test(`memory and handles do not grow under a mixed load ${soak.name}`, async (t) => {
  const begin = performance.now()
  const handlesBefore = handlesIn(await metricsOf(service.base))
  const samples: { minute: number; metrics: Record<string, number> }[] = []
  const isOver = untilEnough(lengthMs, () => samples.length >= samplesMin)
  let answered = 0
  const load = Array.from({ length: clients }, async (_, index) => {
    const next = chance(index)
    for (; !isOver(); answered++) await pick(requests, next)(next)
  })
  while (!isOver()) {
    await sleep(lengthMs / samplesWanted / (1 - warm))
    const minute = (performance.now() - begin) / 60_000
    if (minute > (lengthMs / 60_000) * warm)
      samples.push({ minute, metrics: await metricsOf(service.base) })
  }
  await Promise.all(load)

  const seriesOf = (name: string, unit = 1): Sample[] =>
    samples.map(({ minute, metrics }) => ({ minute, value: (metrics[name] ?? Number.NaN) / unit }))
  const megabytes = seriesOf('process_resident_memory_bytes', 2 ** 20)
  const connections = seriesOf(connectionsIn('total'))
  const handles = samples.map(({ minute, metrics }) => ({ minute, value: handlesIn(metrics) }))
  const range = (series: readonly Sample[]) =>
    [Math.min, Math.max].map((of) => of(...series.map(({ value }) => value)).toFixed(0)).join('–')
  t.diagnostic(
    `${answered} responses; memory ${range(megabytes)} MB, handles ${range(handles)}, ` +
      `connections ${range(connections)}`,
  )
  // In a short soak, neither memory nor the number of handles has reached its steady state.
  const isLong = soak.minutes >= 2
  assertHolds(checkFlat(megabytes, isLong ? 15 : 150))
  if (isLong) assertHolds(checkFlat(handles, 5))
  await untilAllIdle(handlesBefore + openAfterwards)
})

/** What a request did not give back is still held after the load. */
async function untilAllIdle(handlesMax: number): Promise<void> {
  for (let tries = 1; ; tries++) {
    const metrics = await metricsOf(service.base)
    const held = ['in_use', 'waiting'].map((state) => metrics[connectionsIn(state)])
    const handles = handlesIn(metrics)
    if (held.every((count) => count === 0) && handles <= handlesMax) return
    const found = `${held[0]} connections are in use, ${held[1]} requests wait`
    assert.ok(tries < 100, `${found}, and ${handles} handles are open (at most ${handlesMax})`)
    await sleep(100)
  }
}

/**
 * The handles without the connections to PostgreSQL: the pool opens one when more requests than
 * before need one at the same time.
 */
const handlesIn = (metrics: Record<string, number>) =>
  (metrics['nodejs_active_handles_total'] ?? Number.NaN) -
  (metrics[connectionsIn('total')] ?? Number.NaN)

const connectionsIn = (state: string) => `muster_database_connections{state="${state}"}`

import { get } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { Client } from '#test/client'
import { startProcess } from '#test/process'
import { setScene } from '#test/scene'
import { metricsOf } from '#test/watch'
import { newWorkspace, startHost } from '#test/workspace'

import { checkFlat, type Sample } from './check-flat.ts'
import { chance, pick, soak, soakMs } from './length.ts'
import { assertHolds } from './verdict.ts'

/** While it warms up it takes what it will keep. */
const warm = 1 / 3
const samplesWanted = 120

const host = await startHost()
const service = await startProcess(host.url)
const home = await newWorkspace(host)
const client = new Client(service.base, (await home.manager()).token)
const scene = await setScene(client)
const project = scene.fill('/v1/projects/{project_id}')
const rows = Array.from({ length: 1000 }, (_, index) => ({
  title: `Risk ${index}`,
  likelihood: 1 + (index % 5),
  impact: 3,
}))
const batch = await client.post(`${project}/risks/batch`, { data: rows })
const risks: string[] = batch.body.data.map(({ id }: { id: string }) => id)

/** A bit of everything that leaves the workspace as large as it was. */
const asks: ((next: () => number) => Promise<unknown>)[] = [
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
  leaveEarly,
]

const score = (next: () => number) => ({ likelihood: 1 + Math.floor(next() * 5) })
const rated = (next: () => number) => ({ id: pick(risks, next), ...score(next) })

/** Someone who goes away in the midst of the answer. */
function leaveEarly(): Promise<void> {
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

test(`memory and handles stay where they are under a mixed load ${soak.name}`, async (t) => {
  const begin = performance.now()
  const end = begin + soakMs
  let answered = 0
  const load = Array.from({ length: 8 }, async (_, index) => {
    const next = chance(index)
    for (; performance.now() < end; answered++) await pick(asks, next)(next)
  })
  const samples: { minute: number; metrics: Record<string, number> }[] = []
  while (performance.now() < end) {
    await sleep(soakMs / samplesWanted / (1 - warm))
    const minute = (performance.now() - begin) / 60_000
    if (minute > soak.minutes * warm)
      samples.push({ minute, metrics: await metricsOf(service.base) })
  }
  await Promise.all(load)

  const seriesOf = (name: string, unit = 1): Sample[] =>
    samples.map(({ minute, metrics }) => ({ minute, value: (metrics[name] ?? Number.NaN) / unit }))
  const megabytes = seriesOf('process_resident_memory_bytes', 2 ** 20)
  const handles = seriesOf('nodejs_active_handles_total')
  const connections = seriesOf('muster_database_connections{state="total"}')
  const range = (series: readonly Sample[]) =>
    [Math.min, Math.max].map((of) => of(...series.map(({ value }) => value)).toFixed(0)).join('–')
  t.diagnostic(
    `${answered} answered; memory ${range(megabytes)} MB, handles ${range(handles)}, ` +
      `connections ${range(connections)}`,
  )
  // In a short soak memory has not yet come to where it will stay.
  assertHolds(checkFlat(megabytes, soak.minutes < 2 ? 150 : 15))
  assertHolds(checkFlat(handles, 5))
  assertHolds(checkFlat(connections, 2))
})

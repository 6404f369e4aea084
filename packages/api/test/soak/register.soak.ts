import assert from 'node:assert/strict'
import { get } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { scopes } from '@muster/contract'
import type { Client as SqlClient } from 'pg'

import { encodeId } from '#storage/id'
import { Client } from '#test/client'
import { connect } from '#test/database'
import { testOfTime } from '#test/test-of-time'
import { timed, untilIdle } from '#test/watch'
import { newWorkspace, startHost } from '#test/workspace'

import { checkRegister, type Reading, type State } from './check-register.ts'
import { Fleet } from './fleet.ts'
import { chance, pick, soak, soakMs } from './length.ts'
import { assertHolds } from './verdict.ts'

/** As many risks as there is time to write and to read. */
const risks = soak.minutes < 2 ? 2000 : 20_000
const readers = 20
const writers = 8

const host = await startHost()
const fleet = await Fleet.start(host.url, 2)
const home = await newWorkspace(host)
const tokens = await Promise.all(
  Array.from({ length: readers + writers }, async () => (await home.issue({ scopes })).token),
)
const clientOf = (index: number) =>
  new Client(fleet.bases[index % 2] ?? '', tokens[index % tokens.length] ?? '')
const project = (await clientOf(0).post('/v1/projects', { code: 'ALL', name: 'All' })).body.id
const ids: string[] = []
for (let first = 0; first < risks; first += 1000) {
  const data = Array.from({ length: Math.min(1000, risks - first) }, (_, index) => ({
    title: `Risk ${first + index}`,
    likelihood: 1 + (index % 5),
    impact: 1 + (index % 3),
  }))
  const batch = await clientOf(0).post(`/v1/projects/${project}/risks/batch`, { data })
  ids.push(...batch.body.data.map(({ id }: { id: string }) => id))
}

/** Some are rated anew, all the time. */
async function rescore(writer: number, end: number): Promise<number> {
  const next = chance(writer)
  const client = clientOf(readers + writer)
  let count = 0
  while (performance.now() < end) {
    const chosen = new Set(Array.from({ length: 100 }, () => pick(ids, next)))
    const data = [...chosen].map((id) => ({
      id,
      likelihood: 1 + Math.floor(next() * 5),
      impact: 1 + Math.floor(next() * 5),
    }))
    const reply = await client.post(`/v1/projects/${project}/risks/batch`, { data })
    assert.equal(reply.status, 200, reply.text)
    count += data.length
  }
  return count
}

async function readAll(reader: number, end: number): Promise<Reading[]> {
  const readings: Reading[] = []
  while (performance.now() < end) {
    const { status, body, text } = await clientOf(reader).get('/v1/risks')
    assert.equal(status, 200, text)
    assert.equal(body.count, body.data.length)
    const rows = body.data.map(({ id, version }: { id: string; version: number }) => [id, version])
    readings.push({ asOf: body.as_of, rows })
  }
  return readings
}

/** The oldest transaction of the service that was ever seen, in seconds. */
async function watchTransactions(sql: SqlClient, end: number): Promise<number> {
  let oldest = 0
  while (performance.now() < end) {
    const { rows } = await sql.query<{ age: number | null }>(
      `select max(extract(epoch from clock_timestamp() - xact_start))::float8 as age
       from pg_stat_activity
       where datname = current_database() and application_name = 'muster'`,
    )
    oldest = Math.max(oldest, rows[0]?.age ?? 0)
    await sleep(100)
  }
  return oldest
}

async function statesOf(sql: SqlClient): Promise<State[]> {
  const { rows } = await sql.query<State>(
    `select id, from_seq::int as from, to_seq::int as to, (data ->> 'score')::int as score,
       (data ->> 'impact')::int as impact,
       data ->> 'status' in ('identified', 'treating', 'monitoring') as "isLive"
     from history where workspace_id = $1 and noun = 'risk'`,
    [home.uuid],
  )
  return rows.map((state) => ({ ...state, id: encodeId('rsk', state.id) }))
}

test(`every complete answer is the register as it was at one moment ${soak.name}`, async (t) => {
  const sql = await connect(host.url)
  const end = performance.now() + soakMs / 2
  const watching = watchTransactions(sql, end)
  const reading = Array.from({ length: readers }, (_, index) => readAll(index, end))
  const writing = Array.from({ length: writers }, (_, index) => rescore(index, end))
  const readings = (await Promise.all(reading)).flat()
  const rescored = (await Promise.all(writing)).reduce((sum, count) => sum + count, 0)
  const oldest = await watching
  const moments = new Set(readings.map(({ asOf }) => asOf)).size
  t.diagnostic(
    `${readings.length} complete answers of ${risks} risks, at ${moments} moments; ` +
      `${rescored} rated anew; oldest transaction ${oldest.toFixed(2)} s`,
  )
  assert.ok(moments > 3 && rescored > risks, 'it was not the same register all the time')
  assertHolds(checkRegister(await statesOf(sql), readings))
  assert.ok(oldest < 5, `${oldest} s`)
  await sql.end()
})

/** How long pages take that four ask for at once. */
async function pageTimes(): Promise<number[]> {
  const headers = { authorization: `Bearer ${tokens[0]}` }
  const times: number[] = []
  const ask = async () => {
    for (let index = 0; index < 100; index++) {
      const { status, ms } = await timed(new URL('/v1/risks?limit=10', fleet.bases[0]), { headers })
      assert.equal(status, 200)
      times.push(ms)
    }
  }
  await Promise.all([ask(), ask(), ask(), ask()])
  return times
}

const p99 = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0

/** Takes the complete register, a KiB a second. Answers how to go away. */
function readSlowly(reader: number): Promise<() => void> {
  const headers = { authorization: `Bearer ${tokens[reader % tokens.length]}` }
  return new Promise((resolve, reject) => {
    const sent = get(new URL('/v1/risks', fleet.bases[0]), { headers, agent: false }, (reply) => {
      assert.equal(reply.statusCode, 200)
      reply.on('error', () => {})
      const timer = setInterval(() => reply.read(1024), 1000)
      resolve(() => {
        clearInterval(timer)
        reply.destroy()
      })
    })
    sent.on('error', reject)
  })
}

testOfTime(`fifty who read slowly hold nothing that others need ${soak.name}`, async (t) => {
  const [without, beside]: [number[], number[]] = [[], []]
  // In turns, so that what the machine does besides is felt by both.
  for (let turn = 0; turn < 3; turn++) {
    without.push(...(await pageTimes()))
    const leave: (() => void)[] = []
    for (let reader = 0; reader < 50; reader++) leave.push(await readSlowly(reader))
    await untilIdle(host.sql)
    beside.push(...(await pageTimes()))
    for (const each of leave) each()
    await sleep(200)
  }
  const [before, during] = [p99(without), p99(beside)]
  t.diagnostic(`99 of 100 within ${before.toFixed(1)} ms, and ${during.toFixed(1)} ms beside them`)
  assert.ok(during < 2 * before, `${during} ms, and ${before} ms before`)
})

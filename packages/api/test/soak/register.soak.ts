import assert from 'node:assert/strict'
import { get } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { scopes } from '@muster/contract'
import { measure } from '@muster/testing/measure'
import type { Client as SqlClient } from 'pg'

import { encodeId } from '#storage/values/id'
import { checkRegister, type Reading, type State } from '#test/soak/checks/register'
import { Client } from '#test/support/client'
import { connect } from '#test/support/database'
import { size } from '#test/support/size'
import { timed, untilIdle } from '#test/support/watch'
import { newWorkspace, startHost } from '#test/support/workspace'

import { Fleet } from './fleet.ts'
import { chance, pick, soak, soakMs, untilEnough } from './length.ts'
import { assertHolds } from './verdict.ts'

/** The number of risks, limited by the length of the soak. */
const risks = soak.minutes < 2 ? 2000 : 20_000
const readers = 20
const writers = 8

const host = await startHost()
const fleet = await Fleet.start(host.url, 2, 'longTimeouts')
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

const done = { readings: [] as Reading[], rescored: 0 }
const snapshots = () => new Set(done.readings.map(({ asOf }) => asOf)).size
const hasEnough = () => snapshots() > 3 && done.rescored > risks

type IsOver = () => boolean

/** Changes random ratings until the end. */
async function rescore(writer: number, isOver: IsOver): Promise<void> {
  const next = chance(writer)
  const client = clientOf(readers + writer)
  while (!isOver()) {
    const chosen = new Set(Array.from({ length: 100 }, () => pick(ids, next)))
    const data = [...chosen].map((id) => ({
      id,
      likelihood: 1 + Math.floor(next() * 5),
      impact: 1 + Math.floor(next() * 5),
    }))
    const reply = await client.post(`/v1/projects/${project}/risks/batch`, { data })
    assert.equal(reply.status, 200, reply.text)
    done.rescored += data.length
  }
}

async function readAll(reader: number, isOver: IsOver): Promise<void> {
  while (!isOver()) {
    const { status, body, text } = await clientOf(reader).get('/v1/risks')
    assert.equal(status, 200, text)
    assert.equal(body.count, body.data.length)
    const rows = body.data.map(({ id, version }: { id: string; version: number }) => [id, version])
    done.readings.push({ asOf: body.as_of, rows })
  }
}

/** The age of the oldest transaction of the service, in seconds. */
async function watchTransactions(sql: SqlClient, isOver: IsOver): Promise<number> {
  let oldest = 0
  while (!isOver()) {
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
    `select id, from_seq::int as from, (data ->> 'score')::int as score,
       lead(from_seq::int) over (partition by id order by from_seq) as to,
       (data ->> 'impact')::int as impact,
       data ->> 'status' in ('identified', 'treating', 'monitoring') as "isLive"
     from history where workspace_id = $1 and noun = 'risk'`,
    [home.uuid],
  )
  return rows.map((state) => ({ ...state, id: encodeId('rsk', state.id) }))
}

test(`every complete response is a consistent snapshot of the register ${soak.name}`, async (t) => {
  const sql = await connect(host.url)
  const isOver = untilEnough(soakMs / 2, hasEnough)
  const watching = watchTransactions(sql, isOver)
  const reading = Array.from({ length: readers }, (_, index) => readAll(index, isOver))
  const writing = Array.from({ length: writers }, (_, index) => rescore(index, isOver))
  await Promise.all([...reading, ...writing])
  const oldest = await watching
  t.diagnostic(
    `${done.readings.length} complete responses of ${risks} risks, ${snapshots()} snapshots; ` +
      `${done.rescored} ratings changed; oldest transaction ${oldest.toFixed(2)} s`,
  )
  assert.ok(hasEnough(), 'the register changed during the test')
  assertHolds(checkRegister(await statesOf(sql), done.readings))
  measure(t, 'oldest transaction', { value: oldest, atMost: 5, unit: 's' })
  await sql.end()
})

/** Latencies of pages read by four concurrent clients. */
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

/** Reads the complete register at 1 KiB/s. Returns a function that disconnects. */
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

test(`50 slow readers hold no resources that others need ${soak.name}`, async (t) => {
  const [without, beside]: [number[], number[]] = [[], []]
  // In turns, so that other load on the machine affects both.
  for (let turn = 0; turn < size(1, 3); turn++) {
    without.push(...(await pageTimes()))
    const disconnect: (() => void)[] = []
    for (let reader = 0; reader < 50; reader++) disconnect.push(await readSlowly(reader))
    await untilIdle(host.sql)
    beside.push(...(await pageTimes()))
    for (const each of disconnect) each()
    await sleep(200)
  }
  const [before, during] = [p99(without), p99(beside)]
  measure(t, 'p99 of pages with slow readers', { value: during, atMost: 2 * before })
})

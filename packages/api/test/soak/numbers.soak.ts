import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { scopes } from '@muster/contract'

import { Client, type Reply } from '#test/client'
import { findDrift } from '#test/drift'
import { startOwnPostgres } from '#test/own-postgres'
import { newWorkspace, startHost } from '#test/workspace'

import { checkNumbers, checkPolls, type Poll } from './check-numbers.ts'
import { Fleet } from './fleet.ts'
import { chance, pick, soak, soakMs } from './length.ts'
import { committedEvents } from './record.ts'
import { assertHolds } from './verdict.ts'

const writers = 12
const readers = 3
const people = 100

const postgres = await startOwnPostgres(['track_commit_timestamp=on'])
const host = await startHost({ url: postgres.url })
const fleet = await Fleet.start(host.url, 2)

/** How often a number was taken in all, whatever became of the step. */
async function numbersTaken(): Promise<number> {
  // The server adds up what a connection did when that has been idle for ten seconds.
  await sleep(11_000)
  const { rows } = await host.sql.query<{ n: number }>(
    `select n_tup_upd::int as n from pg_stat_user_tables where relname = 'workspace_counters'`,
  )
  return rows[0]?.n ?? 0
}

/** Whoever waits too long for their turn at the counter is told that nothing was done, and repeats. */
async function post(client: Client, path: string, body: object): Promise<Reply> {
  for (let tries = 1; ; tries++) {
    const reply = await client.post(path, body)
    if (reply.body.code !== 'unavailable' || tries === 20) return reply
    await sleep(100 * tries)
  }
}

test(`numbers are given out in the order of commits, without a hole ${soak.name}`, async (t) => {
  const home = await newWorkspace(host)
  const { token } = await home.issue({ scopes })
  const clients = fleet.bases.map((base) => new Client(base, token))
  const [first] = clients
  assert.ok(first)
  const batch = await first.post('/v1/personnel/batch', {
    data: Array.from({ length: people }, (_, index) => ({ name: `Person ${index}` })),
  })
  const ids: string[] = batch.body.data.map(({ id }: { id: string }) => id)

  const end = performance.now() + soakMs
  /** Four at once want the same address. Some find it taken when they have taken their number. */
  const collide = async (email: string) => {
    const wish = { name: 'Someone', email }
    const four = [...clients, ...clients]
    const replies = await Promise.all(four.map((each) => post(each, '/v1/personnel', wish)))
    const statuses = new Set(replies.map(({ status }) => status))
    assert.deepEqual(statuses, new Set([201, 409]))
  }
  const write = async (writer: number) => {
    const next = chance(writer)
    for (let index = 0; performance.now() < end; index++) {
      if (next() < 0.25) await collide(`${writer}.${index}@example.com`)
      const title = String(next())
      const chosen = new Set(Array.from({ length: 5 }, () => pick(ids, next)))
      const data = [...chosen].map((id) => ({ id, title }))
      const { status, text } = await post(pick(clients, next), '/v1/personnel/batch', { data })
      assert.equal(status, 200, text)
    }
  }
  const poll = async (reader: number) => {
    const polls: Poll[] = []
    const next = chance(writers + reader)
    while (performance.now() < end) {
      const { body } = await pick(clients, next).get('/v1/personnel')
      const seen = body.data.map(({ id, version }: { id: string; version: number }) => [
        id,
        version,
      ])
      polls.push({ asOf: body.as_of, versions: new Map(seen) })
    }
    return polls
  }
  const writing = Array.from({ length: writers }, (_, index) => write(index))
  const polling = Array.from({ length: readers }, (_, index) => poll(index))
  await Promise.all(writing)
  const polls = await Promise.all(polling)

  const { events, counter } = await committedEvents(host.sql, home.uuid)
  const taken = await numbersTaken()
  const aborted = taken - counter
  t.diagnostic(
    `${events.length} events in ${counter} steps, ${aborted} steps given up; ` +
      `${polls.flat().length} polls by ${readers} readers`,
  )
  assert.ok(aborted >= taken / 10, 'of ten steps at least one is given up')
  const times = new Set(events.map(({ committedAt }) => committedAt))
  assert.ok(times.size > counter / 2, 'the server tells when each was committed')
  assertHolds(checkNumbers(events, counter))
  for (const each of polls) assertHolds(checkPolls(each))
  assert.deepEqual(await findDrift(host.sql, { workspace: home.uuid }), [])
})

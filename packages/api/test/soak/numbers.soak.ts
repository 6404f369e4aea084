import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { scopes } from '@muster/contract'

import { findDrift } from '#test/drift/drift'
import { checkNumbers, checkPolls, type Poll } from '#test/soak/checks/numbers'
import { Client, type Reply } from '#test/support/client'
import { startOwnPostgres } from '#test/support/own-postgres'
import { newWorkspace, startHost } from '#test/support/workspace'

import { Fleet } from './fleet.ts'
import { chance, pick, soak, soakMs, untilEnough } from './length.ts'
import { committedEvents } from './record.ts'
import { assertHolds } from './verdict.ts'

const writers = 12
const readers = 3
const people = 100

const postgres = await startOwnPostgres(['track_commit_timestamp=on'])
const host = await startHost({ url: postgres.url })
const fleet = await Fleet.start(host.url, 2, 'longTimeouts')

/** How many sequence numbers were taken, including those of aborted transactions. */
async function numbersTaken(): Promise<number> {
  // The statistics include a connection only after it has ended.
  await host.sql.query(
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity
     where application_name = 'muster' and datname = current_database()`,
  )
  const { rows } = await host.sql.query<{ n: number }>(
    `select n_tup_upd::int as n from pg_stat_user_tables where relname = 'workspace_counters'`,
  )
  return rows[0]?.n ?? 0
}

/** Retries on `unavailable`: the wait for the counter row timed out and nothing was written. */
async function post(client: Client, path: string, body: object): Promise<Reply> {
  for (let tries = 1; ; tries++) {
    const reply = await client.post(path, body)
    if (reply.body.code !== 'unavailable' || tries === 20) return reply
    await sleep(100 * tries)
  }
}

test(`sequence numbers follow commit order without gaps ${soak.name}`, async (t) => {
  const home = await newWorkspace(host)
  const { token } = await home.issue({ scopes })
  const clients = fleet.bases.map((base) => new Client(base, token))
  const [first] = clients
  assert.ok(first)
  const batch = await first.post('/v1/personnel/batch', {
    data: Array.from({ length: people }, (_, index) => ({ name: `Person ${index}` })),
  })
  const ids: string[] = batch.body.data.map(({ id }: { id: string }) => id)

  let batches = 0
  const isOver = untilEnough(soakMs, () => batches >= 100)
  /** Four concurrent creates with one email: some fail after they took a number. */
  const collide = async (email: string) => {
    const person = { name: 'Someone', email }
    const four = [...clients, ...clients]
    const replies = await Promise.all(four.map((each) => post(each, '/v1/personnel', person)))
    const statuses = new Set(replies.map(({ status }) => status))
    assert.deepEqual(statuses, new Set([201, 409]))
  }
  const write = async (writer: number) => {
    const next = chance(writer)
    for (let index = 0; !isOver(); index++) {
      if (next() < 0.5) await collide(`${writer}.${index}@example.com`)
      const title = String(next())
      const chosen = new Set(Array.from({ length: 5 }, () => pick(ids, next)))
      const data = [...chosen].map((id) => ({ id, title }))
      const { status, text } = await post(pick(clients, next), '/v1/personnel/batch', { data })
      assert.equal(status, 200, text)
      batches += 1
    }
  }
  const poll = async (reader: number) => {
    const polls: Poll[] = []
    const next = chance(writers + reader)
    while (!isOver()) {
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
    `${events.length} events in ${counter} writes, ${aborted} writes aborted; ` +
      `${polls.flat().length} polls by ${readers} readers`,
  )
  assert.ok(aborted >= taken / 10, 'at least 1 write in 10 is aborted')
  const times = new Set(events.map(({ committedAt }) => committedAt))
  assert.ok(times.size > counter / 2, 'the server records commit times')
  assertHolds(checkNumbers(events, counter))
  for (const each of polls) assertHolds(checkPolls(each))
  assert.deepEqual(await findDrift(host.sql, { workspace: home.uuid }), [])
})

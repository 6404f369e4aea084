import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import {
  createClient,
  type ChangeEvent,
  type FollowOptions,
  PositionLostError,
  ProblemError,
} from '@muster/client'
import { Client as SqlClient } from 'pg'

import { clientBehind, type Fault } from './faulty-client.ts'
import { run, startDev } from './follow.ts'

const { settings, url } = await startDev()
const [, base = '', key = ''] = /BASE=(\S+)\nKEY=(\S+)/.exec(settings) ?? []
const client = createClient({ base, key })

/** The first events of a loop, which then ends. */
async function take(count: number, events: AsyncIterable<ChangeEvent>): Promise<ChangeEvent[]> {
  const taken: ChangeEvent[] = []
  if (count === 0) return taken
  for await (const event of events) {
    taken.push(event)
    if (taken.length === count) break
  }
  return taken
}

const now = async () => (await client.events.list({ query: { after: 'now' } })).position
const idsOf = (events: readonly ChangeEvent[]) => events.map(({ id }) => id)

/** Adds people in writes of one and of several events, and returns where they begin. */
async function addPeople(name: string, count: number): Promise<string> {
  const start = await now()
  for (let added = 0; added < count; added += 5) {
    await client.personnel.create({ body: { name } })
    await client.personnel.batch({ body: { data: [{ name }, { name }, { name }, { name }] } })
  }
  return start
}

test('yields every event in order, and those that are written later', async () => {
  const start = await addPeople('Early', 250)
  const all = await client.events.list({ query: { after: start } })
  const taken = take(255, client.events.follow({ after: start }))
  await sleep(500)
  await addPeople('Late', 5)
  const events = await taken
  const later = await client.events.list({ query: { after: start, limit: 1000 } })
  assert.deepEqual(idsOf(events.slice(0, all.count)), idsOf(all.data))
  assert.deepEqual(events, later.data)
  assert.equal(events.length, 255)
})

test('a restart at the stored position loses nothing, whole pages are not repeated', async () => {
  const start = await addPeople('Kept', 200)
  const { data } = await client.events.list({ query: { after: start, limit: 1000 } })
  let stored = start
  const store = (position: string) => void (stored = position)
  const received: ChangeEvent[] = []
  for (let count = 1; received.at(-1)?.id !== data.at(-1)?.id; count = (count * 7) % 23) {
    const { data: left } = await client.events.list({ query: { after: stored } })
    const events = client.events.follow({ after: stored, limit: 6, store })
    received.push(...(await take(Math.min(count, left.length), events)))
  }
  assert.deepEqual([...new Set(idsOf(received))], idsOf(data))
  const places = received.map(({ id }) => data.findIndex((event) => event.id === id))
  const repeated = places.map((place, index) => (places[index - 1] ?? -1) + 1 - place)
  assert.ok(
    repeated.every((count) => count >= 0 && count <= 6),
    repeated.join(' '),
  )
  assert.ok(repeated.some((count) => count > 0))
})

test('stores the position of a page that the loop has finished, or that is empty', async () => {
  const start = await addPeople('Stored', 5)
  const { data, position } = await client.events.list({ query: { after: start } })
  const steps: (string | undefined)[] = []
  const store = async (stored: string) => {
    await sleep(20)
    steps.push(stored)
  }
  const controller = new AbortController()
  const read = async (options: FollowOptions) => {
    const { signal } = controller
    for await (const event of client.events.follow({ ...options, store, signal })) {
      steps.push(event.id)
    }
  }
  const reading = read({ after: start, limit: 3 })
  setTimeout(() => controller.abort(), 1000)
  await assert.rejects(reading, { name: 'AbortError' })
  const ids = idsOf(data)
  assert.deepEqual(steps, [...ids.slice(0, 3), data[2]?.position, ...ids.slice(3), position])
})

test('passes the filters and includes on', async () => {
  const start = await addPeople('Filtered', 5)
  const person = (await client.events.list({ query: { after: start } })).data[3]
  const subject = person?.subject.id ?? ''
  await client.personnel.update({ params: { user_id: subject }, body: { title: 'Diver' } })
  const type = ['person.updated', 'risk.*'] as const
  const [event] = await take(
    1,
    client.events.follow({
      after: start,
      type: [...type],
      subject_id: [subject],
      include: ['states'],
    }),
  )
  assert.deepEqual([event?.type, event?.subject.id], ['person.updated', subject])
  assert.equal(event?.states?.[0]?.state?.['title'], 'Diver')
})

test('a signal ends a wait and a page at once', { timeout: 20_000 }, async () => {
  for (const after of ['now', await addPeople('Aborted', 5)]) {
    const controller = new AbortController()
    const began = performance.now()
    let count = 0
    const reading = (async () => {
      for await (const event of client.events.follow({ after, signal: controller.signal })) {
        count += event.id === '' ? 0 : 1
        if (count === 2) controller.abort(new Error('Enough.'))
      }
    })()
    setTimeout(() => controller.abort(new Error('Enough.')), 500)
    await assert.rejects(reading, { message: 'Enough.' })
    assert.ok(performance.now() - began < 3000)
    assert.equal(count, after === 'now' ? 0 : 2)
  }
})

/** An empty page of this service, with these headers. */
const empty =
  (position: string, headers: Readonly<Record<string, string>> = {}): Fault =>
  (from, to) => {
    from.resume()
    const page = { data: [], count: 0, position, has_more: false, through: 1 }
    to.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(page))
  }

const refused =
  (status: number, headers: Readonly<Record<string, string>>): Fault =>
  (from, to) => {
    from.resume()
    to.writeHead(status, { 'content-type': 'application/problem+json', ...headers })
    to.end(JSON.stringify({ code: 'unavailable', detail: 'Not now.' }))
  }

const cut: Fault = (_, to) => void to.destroy()

test('waits as asked if there is no room, and briefly after an earlier release', async () => {
  const start = await addPeople('Waited', 5)
  const faults = [
    empty(start, { 'retry-after': '7' }),
    empty(start, { 'retry-after': 'Wed, 18 Nov 2026 09:00:00 GMT' }),
    empty(start),
    // The service held the request for less than it promised: it is about to end.
    empty(start, { 'preference-applied': 'wait=50' }),
  ]
  const { proxied, seen, waited } = await clientBehind({ base, key, faults })
  const events = await take(5, proxied.events.follow({ after: start }))
  assert.equal(events.length, 5)
  const [asked, unclear, older = 0, early = -1] = waited
  assert.deepEqual([asked, unclear, waited.length], [7000, 5000, 4])
  assert.ok(older >= 1000 && older <= 2000 && early >= 0 && early <= 3000, waited.join(' '))
  assert.deepEqual([...new Set(seen.map(({ headers }) => headers['prefer']))], ['wait=50'])
})

test('asks again at once if the service held the request', async () => {
  const start = await addPeople('Held', 5)
  const held: Fault = (from, to, pass) => {
    setTimeout(() => empty(start, { 'preference-applied': 'wait=1' })(from, to, pass), 950)
  }
  const { proxied, seen, waited } = await clientBehind({ base, key, faults: [held, held] })
  // The usual time limit is shorter than the wait.
  const hasty = await clientBehind({ base, key, faults: [held], timeoutMs: 300, retriesMax: 0 })
  const options = { after: start, wait_seconds: 1 }
  await take(1, proxied.events.follow(options))
  assert.deepEqual([seen.length, waited], [3, []])
  await take(1, hasty.proxied.events.follow(options))
  assert.equal(hasty.seen.length, 2)
})

test('one request waits in the service for the next event', async () => {
  const { proxied, seen, waited } = await clientBehind({ base, key, faults: [] })
  const start = await now()
  const reading = take(5, proxied.events.follow({ after: start, limit: 5 }))
  await sleep(1500)
  assert.equal(seen.length, 1)
  const began = performance.now()
  await addPeople('Awaited', 5)
  const events = await reading
  assert.ok(performance.now() - began < 5000)
  assert.deepEqual([events.length, waited], [5, []])
})

test('continues after interruptions of any length, with jitter', async () => {
  const start = await addPeople('Interrupted', 10)
  const { data } = await client.events.list({ query: { after: start } })
  const outage = [...Array.from({ length: 12 }, () => cut), refused(503, { 'retry-after': '200' })]
  const faults = [cut, (...[, , pass]: Parameters<Fault>) => pass(), ...outage]
  const { proxied, waited } = await clientBehind({ base, key, faults })
  const events = await take(10, proxied.events.follow({ after: start, limit: 5 }))
  assert.deepEqual(idsOf(events), idsOf(data))
  const [first = -1, second = -1] = waited
  assert.ok(first >= 0 && first <= 3000 && second >= 0 && second <= 3000, waited.join(' '))
  assert.ok(waited.length === 14 && Math.max(...waited.slice(0, 13)) <= 30_000, waited.join(' '))
  assert.equal(waited[13], 200_000)
})

test('gives up a first request without a response, and a refusal', async () => {
  const { proxied, seen } = await clientBehind({ base, key, faults: [cut, cut, cut, cut] })
  await assert.rejects(take(1, proxied.events.follow()), { name: 'NoAnswerError' })
  assert.equal(seen.length, 4)
  const other = createClient({ base, key: 'muster_key_unknown' })
  await assert.rejects(take(1, other.events.follow()), ProblemError)
})

const isLost = (reason: string, resume: readonly [string | null, number | null]) => {
  return (error: unknown) => {
    assert.ok(error instanceof PositionLostError && error instanceof ProblemError)
    const { name, code, status, resumeAfter, resumeSeq } = error
    assert.deepEqual([name, code, status], ['PositionLostError', 'position_lost', 410])
    assert.deepEqual([error.reason, resumeAfter, resumeSeq], [reason, ...resume])
    return true
  }
}

async function openDatabase() {
  const sql = new SqlClient({ connectionString: url, options: '-c search_path=muster' })
  await sql.connect()
  return { sql, [Symbol.asyncDispose]: () => sql.end() }
}

interface Counters {
  readonly workspace_id: string
  readonly seq: string
  readonly terms: unknown
  readonly term_firsts: unknown
}

/** Takes the workspace back to a number, as a failover to a standby that lags does. */
async function lose(
  sql: SqlClient,
  { workspace_id, seq, terms, term_firsts }: Counters,
): Promise<void> {
  for (const [table, column] of [
    ['events', 'seq'],
    ['history', 'from_seq'],
    ['term_starts', 'first_seq'],
  ]) {
    const lost = `delete from ${table} where workspace_id = $1 and ${column} > $2`
    await sql.query(lost, [workspace_id, seq])
  }
  await sql.query(
    `update workspace_counters set seq = $2, terms = $3, term_firsts = $4, term_server = 'other'
     where workspace_id = $1`,
    [workspace_id, seq, terms, term_firsts],
  )
}

test('throws PositionLostError after a failover that loses changes', async () => {
  await using database = await openDatabase()
  const { sql } = database
  const kept = await addPeople('Surviving', 5).then(now)
  const { rows } = await sql.query<Counters>(
    `select workspace_id, seq, terms, term_firsts from workspace_counters
     order by seq desc limit 1`,
  )
  const [counters] = rows
  assert.ok(counters)
  await addPeople('Lost', 5)
  const after = await now()
  await lose(sql, counters)
  const resume = [kept, Number(counters.seq)] as const
  await assert.rejects(take(1, client.events.follow({ after })), isLost('numbers_lost', resume))
  await client.personnel.create({ body: { name: 'After the failover' } })
  const [event] = await take(1, client.events.follow({ after: kept }))
  assert.equal(event?.type, 'person.created')
})

test('throws PositionLostError in a wait, when an administrator renews the epoch', async () => {
  const waiting = take(1, client.events.follow({ after: 'now', wait_seconds: 2 }))
  const lost = assert.rejects(waiting, isLost('unknown_term', [null, null]))
  await sleep(500)
  const renewed = await run('npm run -s admin -- epoch renew', { env: { DATABASE_URL: url } })
  assert.equal(renewed.code, 0, renewed.stderr)
  await lost
})

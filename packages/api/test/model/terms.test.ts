import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { migrate } from '#storage/migration/migrate'
import { randomFrom } from '#test/support/bulk'
import { Client, type Reply, type Sent } from '#test/support/client'
import { connect, createEmptyDatabase, createLosable } from '#test/support/database'
import { seed, size } from '#test/support/size'
import { newWorkspace, startHost } from '#test/support/workspace'

/** A response that a client has kept. */
interface Seen {
  readonly path: string
  readonly tag: string
  readonly text: string
  readonly number: number
  /** Whether the number started a term. */
  readonly isStart: boolean
  isLost: boolean
}

/** A copy of the database, and the last number in it. */
interface Copy {
  readonly name: string
  readonly number: number
}

const database = await createLosable()
const host = await startHost({ url: database.url, skipsDriftCheck: true })
const home = await newWorkspace(host)
const { token } = await home.issue({ scopes: ['personnel.read', 'personnel.manage'] })

/** Connections break at a failover, so a request may be refused once or twice. */
async function send(method: string, path: string, sent: Sent = {}): Promise<Reply> {
  for (let tries = 0; tries < 50; tries++) {
    const reply = await new Client(host.base, token).send(method, path, sent)
    if (reply.status !== 503) return reply
    await sleep(50)
  }
  return assert.fail(`${method} ${path} stays unavailable`)
}

const numberOf = ({ body }: Reply): number => body.as_of ?? body.version

const person = await send('POST', '/v1/personnel', { body: { name: 'Ada' } })
const paths = ['/v1/personnel?limit=10', '/v1/personnel', `/v1/personnel/${person.body.id}`]
const item = paths.at(-1) ?? ''
let names = 0
let last = numberOf(person)
/** The first number after the last failover; null until there is one. */
let start: number | null = null

function keep(path: string, reply: Reply): Seen {
  assert.equal(reply.status, 200)
  const [tag, number] = [reply.headers.get('etag') ?? '', numberOf(reply)]
  return { path, tag, text: reply.text, number, isStart: number === start, isLost: false }
}

const read = async (path: string) => keep(path, await send('GET', path))

/** Writes, and keeps the response: its ETag may be of a term that this write started. */
async function write(): Promise<Seen> {
  names += 1
  const reply = await send('PATCH', item, { body: { name: `Ada ${names}` } })
  last = numberOf(reply)
  start ??= last
  return keep(item, reply)
}

/** Requests by what their tag is of. Lost numbers have been reached again. */
const counts = { unchanged: 0, changed: 0, lost: 0, lostStarts: 0 }

function count({ number, isStart, isLost }: Seen, isSame: boolean, requests: number): void {
  if (isSame) counts.unchanged += requests
  else if (!isLost || number > last) counts.changed += requests
  else counts.lost += requests
  if (isLost && isStart && number <= last) counts.lostStarts += requests
}

/**
 * A kept response is current exactly if a fresh read returns the same text: only then 304, and only
 * then does `If-Match` pass.
 */
async function check(kept: readonly Seen[]): Promise<void> {
  const fresh = new Map<string, Seen>()
  for (const path of paths) fresh.set(path, await read(path))
  for (const each of kept) {
    const { path, tag, text } = each
    const now = fresh.get(path)
    assert.ok(now)
    const isSame = now.text === text
    const what = `${path} ${tag}, now ${now.tag}`
    const reply = await send('GET', path, { headers: { 'if-none-match': tag } })
    assert.equal(reply.status, isSame ? 304 : 200, what)
    if (path === item) {
      const { name } = JSON.parse(now.text) as { name: string }
      const sent = { body: { name }, headers: { 'if-match': tag } }
      const changed = await send('PATCH', path, sent)
      assert.equal(changed.status, isSame ? 200 : 412, what)
    }
    count(each, isSame, path === item ? 2 : 1)
  }
}

/** Histories are added until this many requests had a tag of a lost number. */
const lostMin = size(150, 10_000)
const historiesMax = size(9, 60)
/** Writes and reads between two failovers. */
const steps = size(4, 12)

const { below } = randomFrom(seed)
const upTo = (max: number) => below(max + 1)
const isBelow = (part: number) => below(1000) < part * 1000

async function copyDatabase(): Promise<Copy> {
  return { number: last, name: await database.copy() }
}

/** Writes and reads. The copy that is made meanwhile lacks the last writes, or none. */
async function live(): Promise<{ copy: Copy; kept: Seen[] }> {
  const kept: Seen[] = []
  const copied = upTo(steps)
  let copy: Copy | null = null
  for (let index = 0; index <= steps; index++) {
    if (index === copied) copy = await copyDatabase()
    if (index < steps && isBelow(0.7)) kept.push(await write())
    for (const path of paths) if (isBelow(0.5)) kept.push(await read(path))
  }
  assert.ok(copy)
  return { copy, kept }
}

/** Continues from a copy: the numbers after it are lost. */
async function failOver({ name, number }: Copy, kept: readonly Seen[]): Promise<void> {
  await database.continueFrom(name)
  for (const each of kept) each.isLost ||= each.number > number
  last = number
  start = null
}

/** Some reads before the first write, which starts a term; then lost numbers are reached again. */
async function liveOn(kept: Seen[]): Promise<void> {
  if (isBelow(0.5)) await check(kept)
  for (let index = upTo(steps); index > 0; index--) {
    kept.push(await write())
    await check(kept)
  }
}

async function runHistory(): Promise<void> {
  const kept: Seen[] = []
  const copies = [await copyDatabase()]
  for (let failover = 0; failover < 3; failover++) {
    const lived = await live()
    kept.push(...lived.kept)
    copies.push(lived.copy)
    const copy = copies.at(isBelow(0.7) ? -1 : upTo(failover))
    assert.ok(copy)
    await failOver(copy, kept)
    await liveOn(kept)
  }
  await check(kept)
}

test(`no ETag of a lost number matches, and every other one does (seed ${seed})`, async (t) => {
  let histories = 0
  while (histories < historiesMax && (counts.lost < lostMin || counts.lostStarts === 0)) {
    await runHistory()
    histories += 1
  }
  const { unchanged, changed, lost, lostStarts } = counts
  t.diagnostic(`histories: ${histories}; requests: ${unchanged} unchanged, ${changed} changed`)
  t.diagnostic(`${lost} requests with tags of lost numbers that have been reached again`)
  t.diagnostic(`${lostStarts} of them with tags of a lost start of a term`)
  assert.ok(unchanged > 0 && changed > 0 && lostStarts > 0)
  assert.ok(lost >= lostMin, `${lost} of ${lostMin} requests`)
})

test('an ETag stays the same through any number of terms', async () => {
  const untouched = await send('POST', '/v1/personnel', { body: { name: 'Bo' } })
  const path = `/v1/personnel/${untouched.body.id}`
  // The groups of this workspace have never changed, and its people change with every term.
  const kept = [await read(path), await read('/v1/groups'), await read('/v1/groups?limit=5')]
  const earlier = [await write(), await read('/v1/personnel')]
  const sql = await connect(database.url)
  for (let server = 0; server < 17; server++) {
    await sql.query(`update workspace_counters set term_server = 'other'`)
    await write()
  }
  const { rows } = await sql.query(
    `select count(*)::int as terms, min(first_seq)::int as first,
       (select term_firsts[1]::int from workspace_counters where workspace_id = $1) as kept
     from term_starts where workspace_id = $1`,
    [home.uuid],
  )
  await sql.end()
  assert.ok(rows[0].kept > (earlier[0]?.number ?? Infinity), 'the counters have forgotten the term')
  assert.equal(rows[0].first, 1)
  assert.ok(rows[0].terms >= 18)
  for (const { path: at, tag } of kept) {
    assert.equal((await read(at)).tag, tag, at)
    const reply = await send('GET', at, { headers: { 'if-none-match': tag } })
    assert.equal(reply.status, 304, at)
  }
  const headers = { 'if-match': kept[0]?.tag ?? '' }
  const changed = await send('PATCH', path, { body: { name: 'Bo Ek' }, headers })
  assert.equal(changed.status, 200, changed.text)
  const again = await send('PATCH', path, { body: { name: 'Bo Ek' }, headers })
  assert.equal(again.status, 412)
  for (const { path: at, tag } of earlier) {
    assert.equal((await send('GET', at, { headers: { 'if-none-match': tag } })).status, 200, at)
  }
})

test('a missing row of a term is inserted with the next term', async () => {
  const sql = await connect(database.url)
  await sql.query(`update workspace_counters set term_server = 'other'`)
  const { tag } = await write()
  const forget = 'delete from term_starts where workspace_id = $1 and first_seq = $2'
  const { rowCount } = await sql.query(forget, [home.uuid, last])
  assert.equal(rowCount, 1)
  await write()
  await sql.query(`update workspace_counters set term_server = 'other'`)
  await write()
  const { rows } = await sql.query(
    'select term from term_starts where workspace_id = $1 order by first_seq desc limit 2',
    [home.uuid],
  )
  await sql.end()
  assert.ok(tag.includes(rows[1].term))
})

test('the migration keeps the terms of all workspaces', async () => {
  const url = await createEmptyDatabase()
  await migrate(url, { last: '0013_imported_audit_entries' })
  const sql = await connect(url)
  const termNames = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb', 'cccccccccccc']
  const expected: object[] = []
  for (const [index, length] of [3, 0, 1].entries()) {
    const id = `00000000-0000-7000-8000-00000000000${index}`
    await sql.query(
      `insert into workspaces (id, name, time_zone, created_at, updated_at)
       values ($1, $2, 'UTC', now(), now())`,
      [id, `Workspace ${index}`],
    )
    const started = termNames.slice(0, length).map((term, at) => ({ id, term, first: 1 + at * 5 }))
    await sql.query(
      `insert into workspace_counters (workspace_id, terms, term_firsts, people_max, groups_max,
         projects_max, live_risks_max, open_issues_max, open_tasks_max, keys_max)
       values ($1, $2, $3, 1, 1, 1, 1, 1, 1, 1)`,
      [id, started.map(({ term }) => term), started.map(({ first }) => first)],
    )
    expected.push(...started)
  }
  await migrate(url)
  const { rows } = await sql.query(
    `select workspace_id as id, term, first_seq::int as first from term_starts order by 1, 3`,
  )
  await sql.end()
  assert.deepEqual(rows, expected)
})

test('the counters have the last 16 terms', async () => {
  const sql = await connect(database.url)
  const seen: Seen[] = []
  for (let server = 0; server < 20; server++) {
    await sql.query(`update workspace_counters set term_server = 'other'`)
    seen.push(await write())
  }
  const { rows } = await sql.query(
    'select terms, term_firsts from workspace_counters where workspace_id = $1',
    [home.uuid],
  )
  await sql.end()
  const numbers = seen.slice(-16).map(({ number }) => String(number))
  assert.deepEqual(rows[0].term_firsts, numbers)
  assert.equal(new Set(rows[0].terms).size, 16)
  for (const { tag } of seen.slice(-16)) {
    assert.ok(rows[0].terms.some((term: string) => tag.includes(term)))
  }
})

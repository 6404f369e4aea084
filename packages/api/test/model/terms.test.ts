import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { randomFrom } from '#test/support/bulk'
import { Client, type Reply, type Sent } from '#test/support/client'
import { connect, createLosable } from '#test/support/database'
import { seed, size } from '#test/support/size'
import { newWorkspace, startHost } from '#test/support/workspace'

/** A response that a client has kept. */
interface Seen {
  readonly path: string
  readonly tag: string
  readonly text: string
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

async function read(path: string): Promise<Seen> {
  const reply = await send('GET', path)
  assert.equal(reply.status, 200)
  const tag = reply.headers.get('etag') ?? ''
  return { path, tag, text: reply.text, number: numberOf(reply) }
}

/** Writes, and keeps the response: its ETag may be of a term that this write started. */
async function write(): Promise<Seen> {
  names += 1
  const reply = await send('PATCH', item, { body: { name: `Ada ${names}` } })
  assert.equal(reply.status, 200)
  const tag = reply.headers.get('etag') ?? ''
  return { path: item, tag, text: reply.text, number: numberOf(reply) }
}

const counts = { unchanged: 0, lost: 0, changed: 0 }

/**
 * A kept response is current exactly if a fresh read returns the same text: only then 304, and only
 * then does `If-Match` pass.
 */
async function check(kept: readonly Seen[]): Promise<void> {
  const fresh = new Map<string, Seen>()
  for (const path of paths) fresh.set(path, await read(path))
  for (const { path, tag, text, number } of kept) {
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
    if (isSame) counts.unchanged += 1
    else counts[number === now.number ? 'lost' : 'changed'] += 1
  }
}

const histories = size(3, 60)

const { below } = randomFrom(seed)
const upTo = (max: number) => below(max + 1)
const isBelow = (part: number) => below(1000) < part * 1000

/** Writes and reads. The copy that is made meanwhile lacks the last writes, or none. */
async function live(): Promise<{ copy: string; kept: Seen[] }> {
  const kept: Seen[] = []
  const copied = upTo(4)
  let copy = ''
  for (let index = 0; index <= 4; index++) {
    if (index === copied) copy = await database.copy()
    if (index < 4 && isBelow(0.7)) kept.push(await write())
    for (const path of paths) if (isBelow(0.5)) kept.push(await read(path))
  }
  return { copy, kept }
}

/** Some reads before the first write, which starts a term; then lost numbers are reached again. */
async function liveOn(kept: Seen[]): Promise<void> {
  if (isBelow(0.5)) await check(kept)
  for (let index = upTo(4); index > 0; index--) {
    kept.push(await write())
    await check(kept)
  }
}

test(`no ETag of a lost number matches, and every other one does (seed ${seed})`, async (t) => {
  for (let history = 0; history < histories; history++) {
    const kept: Seen[] = []
    const copies = [await database.copy()]
    for (let failover = 0; failover < 3; failover++) {
      const lived = await live()
      kept.push(...lived.kept)
      copies.push(lived.copy)
      await database.continueFrom(copies.at(isBelow(0.7) ? -1 : upTo(failover)) ?? '')
      await liveOn(kept)
    }
    await check(kept)
  }
  t.diagnostic(`${counts.unchanged} unchanged, ${counts.changed} changed`)
  t.diagnostic(`${counts.lost} with a lost number that has been reached again`)
  assert.ok(counts.unchanged > 0 && counts.changed > 0 && counts.lost > 0)
})

test('the last 16 terms are kept', async () => {
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

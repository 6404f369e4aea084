import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { commonPast, termsUpTo } from '#domain/events/position'
import type { TermStart } from '#storage/numbers/term-starts'
import { Client, type Json } from '#test/support/client'
import { seed, size } from '#test/support/size'
import { newWorkspace, startHost } from '#test/support/workspace'

import { openStream } from './streams.ts'

const host = await startHost({ skipsDriftCheck: true })

async function newHome() {
  const home = await newWorkspace(host)
  const { token } = await home.issue({ scopes: ['personnel.manage', 'projects.read'] })
  return { ...home, client: new Client(host.base, token) }
}

const at = (after: string) => `/v1/events?after=${after}`

const restart = (uuid: string) =>
  host.sql.query(`update workspace_counters set term_server = 'other' where workspace_id = $1`, [
    uuid,
  ])

async function write(client: Client): Promise<string> {
  assert.equal((await client.post('/v1/personnel', { name: 'Ada' })).status, 201)
  return (await client.get('/v1/events?after=now')).body.position
}

test('every position stays valid over 40 restarts', async () => {
  const { client, uuid } = await newHome()
  const positions: string[] = []
  for (let count = 0; count < 40; count++) {
    await restart(uuid)
    positions.push(await write(client))
  }
  for (const [index, position] of positions.entries()) {
    const { status, body } = await client.get(at(position))
    assert.deepEqual([status, body.count], [200, positions.length - 1 - index])
  }
})

/** Takes the workspace back to a number, as a failover to a standby that lags does. */
async function lose(uuid: string, saved: Json): Promise<void> {
  await host.sql.query('delete from events where workspace_id = $1 and seq > $2', [uuid, saved.seq])
  await host.sql.query('delete from history where workspace_id = $1 and from_seq > $2', [
    uuid,
    saved.seq,
  ])
  await host.sql.query('delete from term_starts where workspace_id = $1 and first_seq > $2', [
    uuid,
    saved.seq,
  ])
  await host.sql.query(
    `update workspace_counters set seq = $2, terms = $3, term_firsts = $4, term_server = 'other'
     where workspace_id = $1`,
    [uuid, saved.seq, saved.terms, saved.term_firsts],
  )
}

test('a position of lost numbers says where to continue, and others are not disturbed', async () => {
  const { client, uuid } = await newHome()
  const kept = await write(client)
  await restart(uuid)
  const last = await write(client)
  const { rows } = await host.sql.query(
    'select seq, terms, term_firsts from workspace_counters where workspace_id = $1',
    [uuid],
  )
  const lost = [await write(client)]
  await restart(uuid)
  lost.push(await write(client), await write(client))
  await lose(uuid, rows[0])
  const refused = async () => {
    for (const position of lost) {
      const { status, body } = await client.get(at(position))
      assert.deepEqual([status, body.code, body.reason], [410, 'position_lost', 'numbers_lost'])
      assert.deepEqual([body.resume_after, body.resume_seq], [last, Number(rows[0].seq)])
    }
  }
  await refused()
  for (const position of [kept, last]) assert.equal((await client.get(at(position))).status, 200)
  for (let count = 0; count < 5; count++) await write(client)
  await refused()
  const { body } = await client.get(at(last))
  assert.equal(body.count, 5)
})

test('who waits when numbers are lost is answered at once, and others go on', async () => {
  const { client, uuid } = await newHome()
  await write(client)
  await restart(uuid)
  const last = await write(client)
  const { rows } = await host.sql.query(
    'select seq, terms, term_firsts from workspace_counters where workspace_id = $1',
    [uuid],
  )
  const wait = (after: string) => client.get(at(after), { prefer: 'wait=20' })
  for (let count = 0; count < 50; count++) await client.post('/v1/personnel', { name: 'Ada' })
  const tip = await write(client)
  const waiting = wait(tip)
  const stream = await openStream(client, { after: tip })
  await stream.next()
  await sleep(300)
  const began = performance.now()
  await lose(uuid, rows[0])
  const { status, body } = await waiting
  assert.deepEqual([status, body.reason, body.resume_after], [410, 'numbers_lost', last])
  const end = await stream.next()
  assert.deepEqual([end?.event, end?.data.resume_after], ['end', last])
  assert.ok(performance.now() - began < 10_000)
  const resumed = wait(last)
  await sleep(300)
  await write(client)
  assert.deepEqual([(await resumed).status, (await resumed).body.count], [200, 1])
})

test('a position of another database or another reader is refused', async () => {
  const [{ client, issue }, other] = [await newHome(), await newHome()]
  const position = await write(client)
  await write(other.client)
  const foreign = await other.client.get(at(position))
  assert.deepEqual(
    [foreign.status, foreign.body.reason, foreign.body.resume_after],
    [410, 'unknown_term', null],
  )
  const { token } = await issue({ scopes: ['personnel.read'] })
  const changed = await new Client(host.base, token).get(at(position))
  assert.deepEqual([changed.status, changed.body.reason], [410, 'view_changed'])
  for (const text of ['x', 'WzFd', Buffer.from('["a",-1,0,[],""]').toString('base64url')]) {
    const { status, body } = await client.get(at(text))
    assert.deepEqual([status, body.code], [400, 'invalid_parameter'], text)
  }
})

/** A workspace of the model: its writes by number, and its terms. */
interface Copy {
  readonly log: readonly string[]
  readonly starts: readonly TermStart[]
  readonly isTermDue: boolean
}

let state = seed
const random = () => (state = (state * 1_103_515_245 + 12_345) & 0x7f_ff_ff_ff) / 0x7f_ff_ff_ff
const below = (max: number) => Math.floor(random() * max)

let names = 0
function grow({ log, starts, isTermDue }: Copy): Copy {
  const name = (++names).toString(16).padStart(12, '0')
  return {
    log: [...log, name],
    starts: isTermDue ? [...starts, [name, log.length + 1]] : starts,
    isTermDue: false,
  }
}

/** The last common number by the rule; null if no term is known. */
function judge({ log, starts }: Copy, terms: readonly TermStart[]): number | null {
  const index = starts.findLastIndex(([term, first]) =>
    terms.some(([name, number]) => name === term && number === first),
  )
  const start = starts[index]
  if (start === undefined) return null
  const nextFirst = starts[index + 1]?.[1] ?? null
  return commonPast({ terms }, { start, nextFirst }, log.length)
}

function commonLength(one: readonly string[], other: readonly string[]): number {
  const end = one.findIndex((name, index) => other[index] !== name)
  return end < 0 ? one.length : end
}

interface Reader {
  readonly terms: readonly TermStart[]
  readonly seen: readonly string[]
}

interface World {
  server: Copy
  standby: Copy
  readonly readers: Reader[]
}

/** Writes, a restart, a standby that catches up, a failover that loses its lag, or a new reader. */
function advance(world: World): void {
  const { server, standby, readers } = world
  const chance = random()
  if (chance < 0.55) {
    for (let left = below(4); left >= 0; left--) world.server = grow(world.server)
  } else if (chance < 0.65) world.server = { ...server, isTermDue: true }
  else if (chance < 0.8) world.standby = server
  else if (chance < 0.86) world.server = world.standby = { ...standby, isTermDue: true }
  else if (server.log.length > 0) {
    const seen = server.log.slice(0, 1 + below(server.log.length))
    readers.push({ terms: termsUpTo(server.starts, seen.length), seen })
  }
}

/** Returns whether the rule found no past although there is one. */
function isUnknown({ server }: World, { terms, seen }: Reader): boolean {
  const [found, common] = [judge(server, terms), commonLength(seen, server.log)]
  if (found === null) return common > 0
  if (found >= seen.length) assert.equal(common, seen.length)
  else assert.equal(found, common)
  return false
}

test('the rule finds the end of the common past in random histories', (t) => {
  let checks = 0
  let unknown = 0
  const empty: Copy = { log: [], starts: [], isTermDue: true }
  for (let run = 0; run < size(100, 4000); run++) {
    const world: World = { server: empty, standby: empty, readers: [] }
    for (let step = 0; step < 60; step++) {
      advance(world)
      const recent = world.readers.slice(-20)
      checks += recent.length
      unknown += recent.filter((reader) => isUnknown(world, reader)).length
    }
  }
  t.diagnostic(`${checks} checks, ${unknown} unknown although a past is shared`)
  assert.equal(unknown, 0)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Client as SqlClient } from 'pg'

import { insertAuditEntry } from '#storage/nouns/audit'
import { Client, type Json } from '#test/support/client'
import { connect } from '#test/support/database'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()

async function open() {
  const home = await newWorkspace(host)
  return { home, manager: await home.manager() }
}

type Home = Awaited<ReturnType<typeof open>>['home']

const origin = { network: '203.0.113.0/24', userAgent: 'Tester/1.0' }

/** Adds an entry in a transaction of its own. */
const add = ({ id: workspaceId, admin }: Home, reason: string) =>
  host.owner.writeUnnumbered({ workspaceId }, (read) =>
    insertAuditEntry(read, {
      type: 'key.created',
      actor: admin.actor,
      reason,
      ...origin,
    }).execute(),
  )

/** Begins a transaction on a connection of its own, and adds an entry to it. */
async function begin({ uuid }: Home, reason: string): Promise<SqlClient> {
  const client = await connect(host.url)
  await client.query('begin')
  await client.query(
    `insert into audit_entries (workspace_id, id, type, actor_type, reason, occurred_at)
     values ($1, gen_random_uuid(), 'key.created', 'system', $2, now())`,
    [uuid, reason],
  )
  return client
}

/** Reads on from a position to the end. */
async function follow(manager: Client, after: string, limit = 100) {
  const reasons: string[] = []
  let position = after
  for (;;) {
    const { status, body, text } = await manager.get(`/v1/audit?after=${position}&limit=${limit}`)
    assert.equal(status, 200, text)
    assert.equal(body.count, body.data.length)
    reasons.push(...body.data.map(({ reason }: Json) => reason ?? ''))
    position = body.position
    if (!body.has_more) return { reasons, position }
  }
}

/** Reads on until as many entries came. Transactions of other databases may delay them. */
async function followUntil(manager: Client, after: string, count: number) {
  const reasons: string[] = []
  let position = after
  for (let tries = 0; tries < 600 && reasons.length < count; tries++) {
    const page = await follow(manager, position)
    reasons.push(...page.reasons)
    position = page.position
    if (reasons.length < count) await sleep(100)
  }
  return { reasons, position }
}

test('follows the log from the beginning, oldest first, in pages', async () => {
  const { home, manager } = await open()
  for (const reason of ['1', '2', '3', '4', '5']) await add(home, reason)
  // The first entry is that of the key.
  const all = await followUntil(manager, 'beginning', 6)
  assert.deepEqual(all.reasons.slice(1), ['1', '2', '3', '4', '5'])
  const paged = await follow(manager, 'beginning', 2)
  assert.deepEqual(paged, all)
  await add(home, '6')
  assert.deepEqual((await followUntil(manager, all.position, 1)).reasons, ['6'])
  assert.deepEqual((await follow(manager, all.position)).reasons, ['6'], 'a position is kept')
})

test('starts with the next entry at `now`, also in an empty log', async () => {
  const { home, manager } = await open()
  await followUntil(manager, 'beginning', 1)
  const { position, reasons } = await follow(manager, 'now')
  assert.deepEqual(reasons, [])
  await host.sql.query('delete from audit_entries where workspace_id = $1', [home.uuid])
  assert.deepEqual((await follow(manager, position)).reasons, [])
  const { position: start } = await follow(manager, 'beginning')
  await add(home, 'next')
  assert.deepEqual((await followUntil(manager, position, 1)).reasons, ['next'])
  assert.deepEqual((await followUntil(manager, start, 1)).reasons, ['next'])
})

test('loses no entry of a transaction that is held open', async () => {
  const { home, manager } = await open()
  const { position } = await followUntil(manager, 'beginning', 1)
  const held = await begin(home, 'held')
  const abandoned = await begin(home, 'abandoned')
  await add(home, 'later')
  assert.deepEqual((await follow(manager, position)).reasons, [], 'later entries wait for it')
  const newest = await manager.get('/v1/audit?limit=1')
  assert.equal(newest.body.data[0].reason, 'later', 'the list shows them at once')
  const { position: now } = await follow(manager, 'now')
  await held.query('commit')
  await abandoned.query('rollback')
  await Promise.all([held.end(), abandoned.end()])
  const { reasons } = await followUntil(manager, position, 2)
  assert.deepEqual(reasons, ['held', 'later'], 'in the order of the transactions')
  assert.deepEqual((await follow(manager, now)).reasons, ['held', 'later'])
})

test('every entry comes once, while others are written out of order', async () => {
  const { home, manager } = await open()
  const { position: start } = await followUntil(manager, 'beginning', 1)
  const clients = await Promise.all(Array.from({ length: 6 }, () => connect(host.url)))
  const writers = clients.map(async (client, writer) => {
    for (let step = 0; step < 20; step++) {
      await client.query('begin')
      await client.query(
        `insert into audit_entries (workspace_id, id, type, actor_type, reason, occurred_at)
         values ($1, gen_random_uuid(), 'key.created', 'system', $2, now())`,
        [home.uuid, `${writer}.${step}`],
      )
      await sleep((writer * 7 + step * 5) % 11)
      await client.query(step % 5 === 4 ? 'rollback' : 'commit')
    }
    await client.end()
  })
  const written = Promise.all(writers)
  const seen: string[] = []
  let position = start
  const state = { isWriting: true }
  void written.finally(() => (state.isWriting = false))
  while (state.isWriting) {
    const page = await follow(manager, position, 7)
    seen.push(...page.reasons)
    position = page.position
  }
  await written
  seen.push(...(await followUntil(manager, position, 96 - seen.length)).reasons)
  const { rows } = await host.sql.query(
    `select reason from audit_entries where workspace_id = $1 and reason is not null
     order by written_xid, id`,
    [home.uuid],
  )
  assert.equal(rows.length, 96)
  assert.deepEqual(
    seen,
    rows.map(({ reason }) => reason),
  )
})

test('continues after a failover, a restore and a move to another server', async () => {
  const { home, manager } = await open()
  for (const reason of ['1', '2', '3', '4']) await add(home, reason)
  const { rows } = await host.sql.query('select muster.audit_server() as name')
  const [system = ''] = rows[0].name.split('.')
  const earlier = { 1: '', 2: '7999999999999999999.00000004', 3: `${system}.00000000` }
  for (const [reason, server] of Object.entries(earlier)) {
    await host.sql.query(
      `update audit_entries set written_on = $3, written_xid = 9e15 - $2::integer
       where workspace_id = $1 and reason = $2::text`,
      [home.uuid, reason, server],
    )
  }
  const first = await host.sql.query(
    `delete from audit_entries where workspace_id = $1 and reason is null`,
    [home.uuid],
  )
  assert.equal(first.rowCount, 1)
  const all = await followUntil(manager, 'beginning', 4)
  assert.deepEqual(all.reasons, ['1', '2', '3', '4'])
  for (const count of [1, 2, 3]) {
    const { body } = await manager.get(`/v1/audit?after=beginning&limit=${count}`)
    assert.equal(body.has_more, true)
    const { reasons } = await follow(manager, body.position)
    assert.deepEqual(reasons, ['1', '2', '3', '4'].slice(count))
  }
})

test('returns NDJSON, whose last line has the position', async () => {
  const { home, manager } = await open()
  await add(home, '1')
  const { position } = await followUntil(manager, 'beginning', 2)
  const accept = { accept: 'application/x-ndjson' }
  const reply = await manager.get('/v1/audit?after=beginning&limit=1', accept)
  assert.equal(reply.headers.get('content-type'), 'application/x-ndjson')
  const [first, end] = linesOf(reply.text)
  assert.equal(first?.['type'], 'key.created')
  const { position: next, ...counts } = end?.['_end'] ?? {}
  assert.deepEqual([counts.count, counts.has_more], [1, true])
  const last = await manager.get(`/v1/audit?after=${next}`, accept)
  const [second, ending] = linesOf(last.text)
  assert.equal(second?.['reason'], '1')
  const { position: at, has_more } = ending?.['_end'] ?? {}
  assert.deepEqual([at, has_more], [position, false])
})

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line): Json => JSON.parse(line))

test('refuses other positions, other parameters and CSV', async () => {
  const [{ manager }, other] = [await open(), await open()]
  const { position } = await followUntil(other.manager, 'beginning', 1)
  const parts = JSON.parse(Buffer.from(position, 'base64url').toString())
  const changed = (place: number, value: unknown) =>
    Buffer.from(JSON.stringify(parts.with(place, value))).toString('base64url')
  const get = async (sender: Client, query: string, headers = {}) => {
    const { status, body } = await sender.get(`/v1/audit?${query}`, headers)
    return `${status} ${body.code}`
  }
  const invalid = '400 invalid_parameter'
  assert.equal(await get(manager, `after=${position}`), invalid, 'of another workspace')
  for (const text of ['then', 'W10', 'bnVsbA', changed(2, '1'), changed(3, 'x'), changed(1, 5)]) {
    assert.equal(await get(other.manager, `after=${text}`), invalid, text)
  }
  for (const query of ['type=key.created', 'include=total_count', 'cursor=x', 'user_id=none']) {
    assert.equal(await get(other.manager, `after=now&${query}`), invalid, query)
  }
  assert.equal(await get(other.manager, 'after=now&limit=1001'), invalid)
  assert.equal(await get(other.manager, 'after=now', { accept: 'text/csv' }), '406 not_acceptable')
  const unknown = changed(1, '7000000000000000000.00000001')
  assert.equal(await get(other.manager, `after=${unknown}`), '410 position_lost')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Client as SqlClient } from 'pg'

import { Client } from '#test/support/client'
import { connect } from '#test/support/database'
import { createFixture } from '#test/support/fixture'
import { startOwnPostgres } from '#test/support/own-postgres'
import { isLong } from '#test/support/size'
import { listen, newWorkspace, startHost } from '#test/support/workspace'

/**
 * `npm test -- --long workspace-move`: copies one workspace to another server by logical
 * replication with row filters, while it is written to.
 */
const skip = isLong ? false : 'runs only with --long: npm test -- --long workspace-move'

/** The tables with rows of workspaces, and the column of the workspace. */
async function tenantTables(sql: SqlClient): Promise<Map<string, string>> {
  const { rows } = await sql.query<{ name: string; has_column: boolean }>(
    `select c.relname as name, exists (select from pg_attribute a
       where a.attrelid = c.oid and a.attname = 'workspace_id') as has_column
     from pg_class c where c.relnamespace = 'muster'::regnamespace and c.relkind = 'r'
       and c.relname <> all ('{cluster,job_locks,migration_checksums}')
       and c.relname not like 'kysely%'`,
  )
  return new Map(rows.map(({ name, has_column }) => [name, has_column ? 'workspace_id' : 'id']))
}

/** For each table the number of rows of the workspace, their checksum, and the number of others. */
async function contents(sql: SqlClient, tables: Map<string, string>, workspace: string) {
  const found: Record<string, { rows: number; sum: string; others: number }> = {}
  for (const [table, column] of tables) {
    const isOurs = `${column} = '${workspace}'`
    const { rows } = await sql.query(
      `select count(*) filter (where ${isOurs})::int as rows,
         count(*) filter (where not ${isOurs})::int as others,
         md5(string_agg(t::text, e'\\n' order by t::text) filter (where ${isOurs})) as sum
       from muster.${table} as t`,
    )
    found[table] = rows[0]
  }
  return found
}

async function until(what: string, isDone: () => Promise<boolean>): Promise<number> {
  const began = performance.now()
  while (!(await isDone())) {
    assert.ok(performance.now() - began < 60_000, `not ${what} within 60 s`)
    await sleep(20)
  }
  return performance.now() - began
}

const isTrue = async (sql: SqlClient, query: string) => {
  const { rows } = await sql.query<{ done: boolean }>(`select ${query} as done`)
  return rows[0]?.done === true
}

/** Creates, changes and deletes rows until it is stopped. Returns the number of requests. */
async function write(manager: Client, signal: AbortSignal): Promise<number> {
  const { body: group } = await manager.post('/v1/groups', { name: 'Moving' })
  let count = 0
  for (; !signal.aborted; count += 4) {
    const name = `Person ${count}`
    const { status, body } = await manager.post('/v1/personnel', { name })
    assert.equal(status, 201)
    const person = `/v1/personnel/${body.id}`
    const member = `/v1/groups/${group.id}/members/${body.id}`
    for (const [method, path] of [
      ['PATCH', person],
      ['PUT', member],
      ['DELETE', member],
    ] as const) {
      const done = await manager.send(method, path, method === 'PATCH' ? { body: { name } } : {})
      assert.ok(done.status < 300, `${method} ${path}: ${done.text}`)
    }
  }
  return count
}

/** Publishes the rows of one workspace, and subscribes to them from the other server. */
async function replicate(
  { source, target }: { source: SqlClient; target: SqlClient },
  { url, uuid }: { url: string; uuid: string },
): Promise<Map<string, string>> {
  const tables = await tenantTables(source)
  const filtered = [...tables].map(
    ([table, column]) => `muster.${table} where (${column} = '${uuid}')`,
  )
  await source.query(`create publication moved for table ${filtered.join(', ')}`)
  // As the superuser: PostgreSQL refuses to apply rows as an owner with row level security.
  await target.query(`create subscription moved connection '${url}' publication moved
    with (run_as_owner = true)`)
  return tables
}

const isCopied = `not exists (select from pg_subscription_rel where srsubstate <> 'r')`

/**
 * Sends ETags and a cursor of the source to the target, and returns the statuses: a list and an
 * item with If-None-Match, the next page, and a change with If-Match.
 */
async function useEarlier(source: Client, target: Client): Promise<number[]> {
  const list = await source.get('/v1/personnel?limit=1')
  const path = `/v1/personnel/${list.body.data[0].id}`
  const item = await source.get(path)
  const tagOf = ({ headers }: typeof list) => headers.get('etag') ?? ''
  const replies = [
    await target.get('/v1/personnel?limit=1', { 'if-none-match': tagOf(list) }),
    await target.get(path, { 'if-none-match': tagOf(item) }),
    await target.get(`/v1/personnel?limit=1&cursor=${list.body.next_cursor}`),
    await target.send('PATCH', path, {
      headers: { 'if-match': tagOf(item) },
      body: { name: 'Ada' },
    }),
  ]
  return replies.map(({ status }) => status)
}

test('a workspace is copied and followed while it is written to', { skip }, async (t) => {
  const [from, to] = [await startOwnPostgres(['wal_level=logical']), await startOwnPostgres()]
  const host = await startHost({ url: from.url })
  const [moved, other] = [await newWorkspace(host), await newWorkspace(host)]
  const [ours, theirs] = [await moved.manager(), await other.manager()]
  await createFixture(ours, 'moved')
  await createFixture(theirs, 'other')
  const [source, target] = [host.sql, await connect(to.url)]
  const stop = new AbortController()
  const writing = Promise.all([write(ours, stop.signal), write(theirs, stop.signal)])

  const connection = { url: from.url, uuid: moved.uuid }
  const tables = await replicate({ source, target }, connection)
  const copied = await until('copied', () => isTrue(target, isCopied))
  await sleep(1000)
  stop.abort()
  const [requests] = await writing
  const { rows } = await source.query('select pg_current_wal_lsn() as lsn')
  const isFollowed = `exists (select from pg_replication_slots
    where slot_name = 'moved' and confirmed_flush_lsn >= '${rows[0].lsn}')`
  const followed = await until('followed', () => isTrue(source, isFollowed))
  const times = `copied in ${copied.toFixed()} ms, last write followed in ${followed.toFixed()} ms`
  t.diagnostic(`${tables.size} tables, ${requests} writes: ${times}`)

  const [before, after] = [
    await contents(source, tables, moved.uuid),
    await contents(target, tables, moved.uuid),
  ]
  for (const [table, { rows: count, sum }] of Object.entries(before)) {
    assert.deepEqual(after[table], { rows: count, sum, others: 0 }, table)
  }
  const filled = Object.values(before).filter((each) => each.rows > 0 && each.others > 0)
  assert.ok(filled.length > 10, `${filled.length} tables have rows of both workspaces`)

  await target.query('drop subscription moved')
  const there = new Client(await listen(to.url), ours.token)
  const [here, now] = [await ours.get('/v1/personnel'), await there.get('/v1/personnel')]
  assert.deepEqual(now.body, here.body, 'the key and the data are on the other server')
  const { body } = await ours.get('/v1/personnel?limit=1')
  const [next, same] = [ours, there].map((client) =>
    client.get(`/v1/personnel?limit=1&cursor=${body.next_cursor}`),
  )
  assert.deepEqual((await same)?.body, (await next)?.body, 'a cursor is valid on the other server')
  assert.deepEqual(await useEarlier(ours, there), [200, 200, 200, 412], 'the epochs differ')
  const { rows: epochs } = await source.query('select epoch from muster.cluster')
  await target.query('update muster.cluster set epoch = $1', [epochs[0].epoch])
  assert.deepEqual(await useEarlier(ours, there), [304, 304, 200, 200], 'the epochs are equal')
  assert.equal((await there.post('/v1/personnel', { name: 'Ada' })).status, 201)
  const stranger = new Client(there.base, theirs.token)
  assert.equal((await stranger.get('/v1/personnel')).status, 401)
  await target.end()
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import * as fc from 'fast-check'

import type { Client, Json, Reply, Sent } from '#test/support/client'
import { type Fixture, createFixture } from '#test/support/fixture'
import { keyOperations } from '#test/support/operations'
import { seed, size } from '#test/support/size'
import { newWorkspace, startHost } from '#test/support/workspace'

import { arbitraryBody, arbitraryTable, tableOf } from './arbitraries.ts'
import { type Batch, batches, freshFor, type Kind, kindOf } from './batch-rows.ts'

const host = await startHost()
const rounds = Number(process.env['ROUNDS'] ?? size(30, 300))
const asCsv = { 'content-type': 'text/csv' }

async function setup(batch?: Batch) {
  const home = await newWorkspace(host)
  const manager = await home.manager()
  const fixture = await createFixture(manager)
  const path = fixture.fill(batch?.operation.path ?? '')
  return { ...home, manager, fixture, path, fresh: batch ? freshFor(batch, fixture) : {} }
}

const rowsFor = ({ item, change }: Kind, { ids }: Fixture, fresh: Json): Json[] => [
  fresh,
  { id: ids[item], ...change },
]

/** Every stored row, without the last use of keys, which a read also records. */
async function dump(): Promise<Record<string, unknown>> {
  const { rows: tables } = await host.sql.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'muster'::regnamespace and relkind = 'r'`,
  )
  const all: Record<string, unknown> = {}
  for (const { name } of tables) {
    const { rows } = await host.sql.query(
      `select to_jsonb(t) - 'last_used_at' as row from ${name} t order by t::text`,
    )
    all[name] = rows
  }
  return all
}

const instant = /\d{4}-\d\d-\d\dT[\d:.]{12}Z/g
const anyId = /\b[a-z]{3}_[0-9a-z]{26}\b/g

/** A response without the parts that differ each time: instants, and ids that were not sent. */
function stable({ status, text, headers }: Reply, sent: string): unknown[] {
  const plain = text
    .replaceAll(instant, 'then')
    .replaceAll(anyId, (id) => (sent.includes(id) ? id : id.slice(0, 3)))
  return [status, headers.get('content-type'), headers.get('cache-control'), JSON.parse(plain)]
}

const dryRunOf = (path: string) => `${path}?dry_run=true`
const outcome = ({ status, body }: Reply) => `${status} ${body.code ?? ''}`.trim()

/** Sends a dry run, then the batch, and asserts equal responses. */
async function assertEqualOutcome(manager: Client, path: string, sent: Sent): Promise<Reply> {
  const dryRun = await manager.send('POST', dryRunOf(path), sent)
  const done = await manager.send('POST', path, sent)
  const text = Buffer.isBuffer(sent.body) ? sent.body.toString() : JSON.stringify(sent.body)
  assert.deepEqual(stable(dryRun, path + text), stable(done, path + text), text.slice(0, 300))
  return done
}

for (const batch of batches) {
  const { name, operation, kind } = batch
  test(`${name}: a dry run returns the response of the batch, and leaves no trace`, async () => {
    const { manager, fixture, path, fresh } = await setup(batch)
    const body = { data: rowsFor(kind, fixture, fresh) }
    const before = await dump()

    const dryRun = await manager.post(dryRunOf(path), body)
    const twice = await manager.post(dryRunOf(path), body)
    const after = await dump()
    const done = await manager.post(`${path}?dry_run=false`, body)

    assert.deepEqual([dryRun.body.created, dryRun.body.changed], [1, 1], dryRun.text)
    assert.deepEqual(after, before)
    const sent = path + JSON.stringify(body)
    assert.deepEqual(stable(dryRun, sent), stable(done, sent), 'refs and versions too')
    assert.deepEqual(stable(twice, sent), stable(done, sent))
    assert.notDeepEqual(await dump(), before)
  })

  test(`${name}: a dry run of a CSV table returns the response of the batch`, async () => {
    const { manager, path, fresh } = await setup(batch)
    const before = await dump()
    const sent = { body: Buffer.from(tableOf([fresh], ';')), headers: asCsv }
    assert.equal((await manager.send('POST', dryRunOf(path), sent)).body.created, 1)
    assert.deepEqual(await dump(), before)
    assert.equal((await assertEqualOutcome(manager, path, sent)).body.created, 1)
    const unknown = { body: Buffer.from('titel;nam\na;b\n'), headers: asCsv }
    assert.equal(outcome(await assertEqualOutcome(manager, path, unknown)), '400 bad_csv')
  })

  test(`${name}: dry run and batch agree on ${rounds} arbitrary bodies and tables (seed ${seed})`, async () => {
    const { manager, fixture, path } = await setup(batch)
    const bodies = fc.sample(arbitraryBody(operation, fixture), { seed, numRuns: rounds })
    const tables = fc.sample(arbitraryTable(operation, fixture), { seed, numRuns: rounds })
    const sent = [
      ...bodies.map((body) => ({ body: Buffer.from(JSON.stringify(body)) })),
      ...tables.map((body) => ({ body, headers: asCsv })),
    ]
    const codes = new Set<string>()
    for (const each of sent) codes.add(outcome(await assertEqualOutcome(manager, path, each)))
    for (const code of ['200', '400 bad_csv', '422 validation_failed']) {
      const isSeen = codes.has(code) || rounds < 150
      assert.ok(isSeen, `${code} is not among ${[...codes].join()}`)
    }
  })

  test(`${name}: a dry run invalidates no ETag`, async () => {
    const { manager, fixture, path, fresh } = await setup(batch)
    const etags = new Map<string, string>()
    for (const each of [
      'personnel',
      'groups',
      'projects',
      'risks',
      'issues',
      'tasks',
      'risks/summary',
    ]) {
      const { headers } = await manager.get(`/v1/${each}`)
      etags.set(`/v1/${each}`, headers.get('etag') ?? '')
    }
    await manager.post(dryRunOf(path), { data: rowsFor(kind, fixture, fresh) })
    for (const [each, etag] of etags) {
      assert.equal((await manager.get(each, { 'if-none-match': etag })).status, 304, each)
    }
  })

  test(`${name}: a dry run neither uses nor replays an Idempotency-Key`, async () => {
    const { manager, path, fresh } = await setup(batch)
    const headers = { 'idempotency-key': 'import' }
    const [body, other] = [{ data: [fresh] }, { data: [{ ...fresh, tags: 1 }] }]
    assert.equal((await manager.post(dryRunOf(path), other, headers)).status, 422)
    assert.equal((await manager.post(dryRunOf(path), body, headers)).status, 200)
    const done = await manager.post(path, body, headers)
    assert.deepEqual([done.status, done.headers.get('idempotent-replayed')], [200, null])

    const dryRun = await manager.post(dryRunOf(path), body, headers)
    assert.equal(dryRun.headers.get('idempotent-replayed'), null)
    const isUnique = 'email' in fresh || 'code' in fresh
    assert.equal(outcome(dryRun), isUnique ? '422 validation_failed' : '200', 'current state')
    const again = await manager.post(path, body, headers)
    assert.deepEqual([again.text, again.headers.get('idempotent-replayed')], [done.text, 'true'])
    const invalid = await manager.post(dryRunOf(path), body, { 'idempotency-key': 'two words' })
    assert.equal(outcome(invalid), '400 bad_header')
  })

  test(`${name}: a dry run reports an exceeded quota`, async () => {
    const { manager, fixture, path, uuid, fresh } = await setup(batch)
    const { quota, item, change } = kind
    await host.sql.query(
      `update workspace_counters set ${quota}_max = ${quota} + 1 where workspace_id = $1`,
      [uuid],
    )
    const others = 'code' in fresh ? { code: 'OTHER' } : {}
    const full = [fresh, { ...fresh, ...others, email: undefined, external_id: undefined }]
    const refused = await assertEqualOutcome(manager, path, { body: { data: full } })
    assert.equal(outcome(refused), '403 quota_exceeded')
    await assertEqualOutcome(manager, path, {
      body: { data: [{ id: fixture.ids[item], ...change }] },
    })
    assert.equal((await manager.post(dryRunOf(path), { data: [fresh] })).status, 200)
    assert.equal(
      (await manager.post(dryRunOf(path), { data: [fresh] })).status,
      200,
      'a repeated dry run succeeds',
    )
  })

  test(`${name}: a dry run requires the scope of the batch`, async () => {
    const { key, stranger, path, fresh } = await setup(batch)
    const reader = await key('personnel.read', 'projects.read', 'keys.manage')
    const body = { data: [fresh] }
    assert.equal(outcome(await reader.post(dryRunOf(path), body)), '403 insufficient_scope')
    assert.equal(outcome(await stranger.post(dryRunOf(path), body)), '401 missing_credentials')
  })

  test(`${name}: accepts only true or false for dry_run, and otherwise writes nothing`, async () => {
    const { manager, path, fresh } = await setup(batch)
    const before = await dump()
    const body = { data: [fresh] }
    for (const query of ['dry_run=yes', 'dry_run=1', 'dry_run=TRUE', 'dry_run=', 'dry_run']) {
      const reply = await manager.post(`${path}?${query}`, body)
      assert.equal(outcome(reply), '400 invalid_parameter', query)
      assert.equal(reply.body.detail, 'The parameter dry_run must be true or false.')
    }
    const both = await manager.post(`${path}?dry_run=true&dry_run=false`, body)
    assert.equal(outcome(both), '400 invalid_parameter')
    const typo = await manager.post(`${path}?dryrun=true`, body)
    assert.equal(outcome(typo), '400 unknown_parameter')
    assert.deepEqual(await dump(), before)
  })
}

test('refuses dry_run for operations without a dry run', async () => {
  const { manager, fixture } = await setup()
  const before = await dump()
  for (const { name, operation } of keyOperations()) {
    if (operation.method === 'GET' || operation.rows) continue
    const reply = await manager.send(operation.method, dryRunOf(fixture.fill(operation.path)))
    assert.equal(outcome(reply), '400 unknown_parameter', name)
  }
  assert.deepEqual(await dump(), before)
})

test('reports conflicts between rows in a dry run', async () => {
  const { manager, fixture } = await setup()
  const [ada, bo] = [fixture.ids['user_id'], fixture.colleague]
  await manager.send('PATCH', `/v1/personnel/${ada}`, {
    body: { email: 'ada@example.com', external_id: 'a' },
  })
  const data = [
    { name: 'First', email: 'new@example.com', external_id: 'n' },
    { name: 'Same email', email: 'NEW@example.com' },
    { name: 'Same external id', external_id: 'n' },
    { name: 'Email of Ada', email: 'Ada@example.com' },
    { name: 'External id of Ada', external_id: 'a' },
    { id: bo, email: 'ada@example.com', manager_user_id: ada },
    { id: ada, manager_user_id: bo },
    { id: ada, name: 'Twice' },
  ]
  const { body } = await assertEqualOutcome(manager, '/v1/personnel/batch', { body: { data } })
  assert.deepEqual(
    body.errors.map(({ pointer, code }: Json) => `${pointer} ${code}`),
    [
      '/data/1/email email_taken',
      '/data/2/external_id external_id_taken',
      '/data/3/email email_taken',
      '/data/4/external_id external_id_taken',
      '/data/5/manager_user_id manager_cycle',
      '/data/6/manager_user_id manager_cycle',
      '/data/7/id repeated',
    ],
  )
})

test('reports an archived or unknown project in a dry run', async () => {
  const { manager, fixture } = await setup()
  const [here, nowhere] = ['{project_id}', 'prj_01ktrr9d3hen4v9q9t9m2g8x5c']
  await manager.post(fixture.fill(`/v1/projects/${here}/archive`), { if_live_items: 'close' })
  for (const noun of ['risks', 'issues', 'tasks']) {
    const sent = { body: { data: [kindOf(`${noun}.batch`)?.fresh] } }
    const archived = fixture.fill(`/v1/projects/${here}/${noun}/batch`)
    assert.equal(outcome(await assertEqualOutcome(manager, archived, sent)), '409 project_archived')
    const missing = `/v1/projects/${nowhere}/${noun}/batch`
    assert.equal(outcome(await assertEqualOutcome(manager, missing, sent)), '404 not_found')
  }
})

test('does not wait for concurrent writes in a dry run', async () => {
  const { manager, fixture, uuid } = await setup()
  await host.sql.query('begin')
  await host.sql.query('select from workspace_counters where workspace_id = $1 for update', [uuid])
  try {
    for (const batch of batches) {
      const path = fixture.fill(batch.operation.path)
      const reply = await manager.post(dryRunOf(path), { data: [freshFor(batch, fixture)] })
      assert.equal(reply.status, 200, `${batch.name}: ${reply.text}`)
    }
  } finally {
    await host.sql.query('rollback')
  }
})

test('answers concurrent dry runs and batches, and writes only the batches', async () => {
  const { manager, fixture } = await setup()
  const count = async (path: string) => (await manager.get(path)).body.count
  const lists = ['/v1/personnel', '/v1/risks', '/v1/issues']
  const before = await Promise.all(lists.map(count))
  const times = 8
  // Nine at a time: a busy machine would refuse more as overloaded.
  for (let time = 0; time < times; time++) {
    const counted = batches.filter(({ name }) => /^(personnel|risks|issues)\.batch$/.test(name))
    const calls = counted.flatMap(({ operation, kind }) => {
      const path = fixture.fill(operation.path)
      const { email: _, external_id: __, ...fresh } = kind.fresh
      const change = { id: fixture.ids[kind.item], ...kind.change }
      const data = [...Array.from({ length: 20 }, () => fresh), change]
      return [dryRunOf(path), path, dryRunOf(path)].map((each) => manager.post(each, { data }))
    })
    for (const { status, text, body } of await Promise.all(calls)) {
      assert.equal(status, 200, text)
      assert.equal(body.created, 20)
    }
  }
  const after = await Promise.all(lists.map(count))
  assert.deepEqual(
    after,
    before.map((was) => was + 20 * times),
  )
  // The server publishes its statistics with a delay.
  await sleep(1500)
  const { rows } = await host.sql.query(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  )
  assert.equal(rows[0].deadlocks, 0, 'no deadlocks')
})

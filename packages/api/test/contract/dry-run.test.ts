import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { everyOperation, type Operation } from '@muster/contract'
import * as fc from 'fast-check'

import type { Client, Json, Reply, Sent } from './client.ts'
import { oddBody, oddTable, tableOf } from './odd.ts'
import { type Scene, setScene } from './scene.ts'
import { newWorkspace, startHost } from './workspace.ts'

const host = await startHost()
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const rounds = Number(process.env['ROUNDS'] ?? 150)
const asCsv = { 'content-type': 'text/csv' }

/** What can be sent to each batch: something new, and a change of what the scene has. */
interface Kind {
  readonly item: string
  readonly quota: string
  readonly fresh: Json
  readonly change: Json
}

const kinds: Readonly<Record<string, Kind>> = {
  'personnel.batch': {
    item: 'user_id',
    quota: 'people',
    fresh: { name: 'Nils Moe', email: 'nils@example.com', external_id: 'n-1' },
    change: { title: 'Diver', department: 'Locks' },
  },
  'risks.batch': {
    item: 'risk_id',
    quota: 'live_risks',
    fresh: { title: 'Ice on the gates', likelihood: 2, impact: 5, tags: ['ice'] },
    change: { likelihood: 5, title: 'Rated anew' },
  },
  'issues.batch': {
    item: 'issue_id',
    quota: 'open_issues',
    fresh: { title: 'Gate 3 is stuck', severity: 4, tags: ['gates'] },
    change: { severity: 5, status: 'blocked' },
  },
}

const batches = everyOperation()
  .filter(({ operation }) => operation.rows)
  .map(({ name, operation }) => {
    const kind = kinds[name]
    assert.ok(kind, `${name} is rehearsed too`)
    return { name, operation, kind }
  })

async function settle(operation?: Operation) {
  const home = await newWorkspace(host)
  const manager = await home.manager()
  const scene = await setScene(manager)
  return { ...home, manager, scene, path: scene.fill(operation?.path ?? '') }
}

const rowsFor = ({ item, fresh, change }: Kind, { ids }: Scene): Json[] => [
  fresh,
  { id: ids[item], ...change },
]

/** Everything that is stored, but for when a key was last used: that is noted of a look as well. */
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

/** An answer but for what differs whenever it is given: instants, and ids that were not sent. */
function lasting({ status, text, headers }: Reply, sent: string): unknown[] {
  const plain = text
    .replaceAll(instant, 'then')
    .replaceAll(anyId, (id) => (sent.includes(id) ? id : id.slice(0, 3)))
  return [status, headers.get('content-type'), headers.get('cache-control'), JSON.parse(plain)]
}

const dry = (path: string) => `${path}?dry_run=true`
const said = ({ status, body }: Reply) => `${status} ${body.code ?? ''}`.trim()

/** Rehearses, then does: nothing differs but that it is done. */
async function assertAlike(manager: Client, path: string, sent: Sent): Promise<Reply> {
  const rehearsed = await manager.send('POST', dry(path), sent)
  const done = await manager.send('POST', path, sent)
  const text = Buffer.isBuffer(sent.body) ? sent.body.toString() : JSON.stringify(sent.body)
  assert.deepEqual(lasting(rehearsed, path + text), lasting(done, path + text), text.slice(0, 300))
  return done
}

for (const { name, operation, kind } of batches) {
  test(`${name}: a rehearsal is answered as the batch will be, and leaves no trace`, async () => {
    const { manager, scene, path } = await settle(operation)
    const body = { data: rowsFor(kind, scene) }
    const before = await dump()

    const rehearsed = await manager.post(dry(path), body)
    const twice = await manager.post(dry(path), body)
    const after = await dump()
    const done = await manager.post(`${path}?dry_run=false`, body)

    assert.deepEqual([rehearsed.body.created, rehearsed.body.changed], [1, 1], rehearsed.text)
    assert.deepEqual(after, before)
    const sent = path + JSON.stringify(body)
    assert.deepEqual(lasting(rehearsed, sent), lasting(done, sent), 'refs and versions too')
    assert.deepEqual(lasting(twice, sent), lasting(done, sent))
    assert.notDeepEqual(await dump(), before)
  })

  test(`${name}: so is one of a table`, async () => {
    const { manager, path } = await settle(operation)
    const before = await dump()
    const sent = { body: Buffer.from(tableOf([kind.fresh], ';')), headers: asCsv }
    assert.equal((await manager.send('POST', dry(path), sent)).body.created, 1)
    assert.deepEqual(await dump(), before)
    assert.equal((await assertAlike(manager, path, sent)).body.created, 1)
    const unknown = { body: Buffer.from('titel;nam\na;b\n'), headers: asCsv }
    assert.equal(said(await assertAlike(manager, path, unknown)), '400 bad_csv')
  })

  test(`${name}: ${rounds} odd bodies and tables are answered alike (seed ${seed})`, async () => {
    const { manager, scene, path } = await settle(operation)
    const bodies = fc.sample(oddBody(operation, scene), { seed, numRuns: rounds })
    const tables = fc.sample(oddTable(operation, scene), { seed, numRuns: rounds })
    const sent = [
      ...bodies.map((body) => ({ body: Buffer.from(JSON.stringify(body)) })),
      ...tables.map((body) => ({ body, headers: asCsv })),
    ]
    const codes = new Set<string>()
    for (const each of sent) codes.add(said(await assertAlike(manager, path, each)))
    for (const code of ['200', '400 bad_csv', '422 validation_failed']) {
      assert.ok(codes.has(code), `${code} is not among ${[...codes].join()}`)
    }
  })

  test(`${name}: after a rehearsal every copy is still the present one`, async () => {
    const { manager, scene, path } = await settle(operation)
    const etags = new Map<string, string>()
    for (const each of ['personnel', 'groups', 'projects', 'risks', 'issues', 'risks/summary']) {
      const { headers } = await manager.get(`/v1/${each}`)
      etags.set(`/v1/${each}`, headers.get('etag') ?? '')
    }
    await manager.post(dry(path), { data: rowsFor(kind, scene) })
    for (const [each, etag] of etags) {
      assert.equal((await manager.get(each, { 'if-none-match': etag })).status, 304, each)
    }
  })

  test(`${name}: a key is neither used up by a rehearsal nor answers it`, async () => {
    const { manager, path } = await settle(operation)
    const headers = { 'idempotency-key': 'import' }
    const [body, other] = [{ data: [kind.fresh] }, { data: [{ ...kind.fresh, tags: 1 }] }]
    assert.equal((await manager.post(dry(path), other, headers)).status, 422)
    assert.equal((await manager.post(dry(path), body, headers)).status, 200)
    const done = await manager.post(path, body, headers)
    assert.deepEqual([done.status, done.headers.get('idempotent-replayed')], [200, null])

    const rehearsed = await manager.post(dry(path), body, headers)
    assert.equal(rehearsed.headers.get('idempotent-replayed'), null)
    const isUnique = 'email' in kind.fresh
    assert.equal(said(rehearsed), isUnique ? '422 validation_failed' : '200', 'as it would be now')
    const again = await manager.post(path, body, headers)
    assert.deepEqual([again.text, again.headers.get('idempotent-replayed')], [done.text, 'true'])
    const odd = await manager.post(dry(path), body, { 'idempotency-key': 'two words' })
    assert.equal(said(odd), '400 bad_header')
  })

  test(`${name}: a full workspace is told`, async () => {
    const { manager, scene, path, uuid } = await settle(operation)
    const { quota, fresh, item, change } = kind
    await host.sql.query(
      `update workspace_counters set ${quota}_max = ${quota} + 1 where workspace_id = $1`,
      [uuid],
    )
    const full = [fresh, { ...fresh, email: undefined, external_id: undefined }]
    const refused = await assertAlike(manager, path, { body: { data: full } })
    assert.equal(said(refused), '403 quota_exceeded')
    await assertAlike(manager, path, { body: { data: [{ id: scene.ids[item], ...change }] } })
    assert.equal((await manager.post(dry(path), { data: [fresh] })).status, 200)
    assert.equal((await manager.post(dry(path), { data: [fresh] })).status, 200, 'and again')
  })

  test(`${name}: who may not do it may not rehearse it`, async () => {
    const { key, stranger, path } = await settle(operation)
    const reader = await key('personnel.read', 'projects.read', 'keys.manage')
    const body = { data: [kind.fresh] }
    assert.equal(said(await reader.post(dry(path), body)), '403 insufficient_scope')
    assert.equal(said(await stranger.post(dry(path), body)), '401 missing_credentials')
  })

  test(`${name}: dry_run is true or false, and nothing is done when it is neither`, async () => {
    const { manager, path } = await settle(operation)
    const before = await dump()
    const body = { data: [kind.fresh] }
    for (const query of ['dry_run=yes', 'dry_run=1', 'dry_run=TRUE', 'dry_run=', 'dry_run']) {
      const reply = await manager.post(`${path}?${query}`, body)
      assert.equal(said(reply), '400 invalid_parameter', query)
      assert.equal(reply.body.detail, 'The parameter dry_run must be true or false.')
    }
    const both = await manager.post(`${path}?dry_run=true&dry_run=false`, body)
    assert.equal(said(both), '400 invalid_parameter')
    const typo = await manager.post(`${path}?dryrun=true`, body)
    assert.equal(said(typo), '400 unknown_parameter')
    assert.deepEqual(await dump(), before)
  })
}

test('what cannot be rehearsed is not done instead', async () => {
  const { manager, scene } = await settle()
  const before = await dump()
  for (const { name, operation } of everyOperation()) {
    if (operation.method === 'GET' || operation.rows) continue
    const reply = await manager.send(operation.method, dry(scene.fill(operation.path)))
    assert.equal(said(reply), '400 unknown_parameter', name)
  }
  assert.deepEqual(await dump(), before)
})

test('people who are in each other’s way are told of it before they are', async () => {
  const { manager, scene } = await settle()
  const [ada, bo] = [scene.ids['user_id'], scene.colleague]
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
  const { body } = await assertAlike(manager, '/v1/personnel/batch', { body: { data } })
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

test('a project that is archived, or is not there, is told', async () => {
  const { manager, scene } = await settle()
  const { 'risks.batch': risk, 'issues.batch': issue } = kinds
  const [here, nowhere] = ['{project_id}', 'prj_01ktrr9d3hen4v9q9t9m2g8x5c']
  await manager.post(scene.fill(`/v1/projects/${here}/archive`), { if_live_items: 'close' })
  for (const [noun, kind] of [['risks', risk] as const, ['issues', issue] as const]) {
    const sent = { body: { data: [kind?.fresh] } }
    const archived = scene.fill(`/v1/projects/${here}/${noun}/batch`)
    assert.equal(said(await assertAlike(manager, archived, sent)), '409 project_archived')
    const missing = `/v1/projects/${nowhere}/${noun}/batch`
    assert.equal(said(await assertAlike(manager, missing, sent)), '404 not_found')
  }
})

test('a rehearsal does not wait for those who write', async () => {
  const { manager, scene, uuid } = await settle()
  await host.sql.query('begin')
  await host.sql.query('select from workspace_counters where workspace_id = $1 for update', [uuid])
  try {
    for (const { name, operation, kind } of batches) {
      const reply = await manager.post(dry(scene.fill(operation.path)), { data: [kind.fresh] })
      assert.equal(reply.status, 200, `${name}: ${reply.text}`)
    }
  } finally {
    await host.sql.query('rollback')
  }
})

test('rehearsals and batches at once are all answered, and only the batches are done', async () => {
  const { manager, scene } = await settle()
  const count = async (path: string) => (await manager.get(path)).body.count
  const lists = ['/v1/personnel', '/v1/risks', '/v1/issues']
  const before = await Promise.all(lists.map(count))
  const times = 8
  // Nine at a time: more would be told that there is too much to do, on a machine that is busy.
  for (let time = 0; time < times; time++) {
    const calls = batches.flatMap(({ operation, kind }) => {
      const path = scene.fill(operation.path)
      const { email: _, external_id: __, ...fresh } = kind.fresh
      const change = { id: scene.ids[kind.item], ...kind.change }
      const data = [...Array.from({ length: 20 }, () => fresh), change]
      return [dry(path), path, dry(path)].map((each) => manager.post(each, { data }))
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
  // The server tells its counts a little later.
  await sleep(1500)
  const { rows } = await host.sql.query(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  )
  assert.equal(rows[0].deadlocks, 0, 'nobody waited for anybody in a circle')
})

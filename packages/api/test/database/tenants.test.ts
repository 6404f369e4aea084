import assert from 'node:assert/strict'
import { test } from 'node:test'

import { everyOperation, isList, type ListOperation, type Operation } from '@muster/contract'
import { exampleOf } from '@muster/contract/openapi'

import { addGroup } from '#domain/groups'
import { Database } from '#storage/database'
import { uuidOf } from '#storage/id'
import { createPool } from '#storage/pool'
import { selectRegister } from '#storage/register'
import { selectRoster } from '#storage/roster'

import { atEnd } from './at-end.ts'
import { Client, type Json, type Reply } from './client.ts'
import { forgetful } from './forgetful.ts'
import { exampleFor, exampleId, newExampleFor, senderOf, setScene, setSceneFor } from './scene.ts'
import { sentDuring } from './statements.ts'
import { listen, newWorkspace, startHost } from './workspace.ts'

const host = await startHost()
const walless = await listen(host.url, { plugins: [forgetful()] })

/** Two of these hold the same; what differs is the canary in every text. */
async function settle(canary: string) {
  const workspace = await newWorkspace(host)
  const manager = await workspace.manager()
  const scene = await setScene(manager, canary)
  const member = scene.ids['user_id'] ?? ''
  const group = { name: `Group ${canary}`, member_user_ids: [member], lead_user_ids: [] }
  const { id: grp } = await addGroup(workspace.admin, group)
  await addGroup(workspace.admin, { ...group, name: `Second ${canary}` })
  for (const { name, operation } of everyOperation()) {
    // Two of everything, and two steps in every history: so every list has a second page.
    if (!/\.(create|update)$/.test(name)) continue
    const body = newExampleFor(operation, scene)
    const done = await manager.send(operation.method, scene.fill(operation.path), { body })
    assert.equal(done.status, operation.status, done.text)
  }
  await manager.send('PUT', scene.fill(`/v1/groups/{group_id}/members/${scene.colleague}`))
  const ids: Record<string, string> = { wsp: workspace.id, grp }
  for (const id of Object.values(scene.ids)) ids[id.slice(0, 3)] = id
  return { ...workspace, manager, scene, ids, canary }
}

const ours = await settle('oursoursours')
const theirs = await settle('theirstheirs')

const at = (base: string) => new Client(base, ours.manager.token)

/** A request with an id in it for which another can be put. */
interface Attempt {
  readonly method: string
  readonly path: string
  readonly body: Json
}

/** Every request that can be made of an operation with ids of nobody's, at least one in each. */
function attempts(operation: Operation): Attempt[] {
  const { method, path, query } = operation
  const body = exampleFor(operation, ours.scene)
  const elsewhere = pathsElsewhere(path).map((each) => ({ method, path: each, body }))
  const here = ours.scene.fill(path)
  const queries = Object.entries(query?.properties ?? {}).flatMap(([name, schema]) => {
    const id = idsIn(schema)
    return id === null ? [] : [{ method, path: `${here}?${name}=${id}`, body }]
  })
  const bodies = bodiesElsewhere(operation).map((each) => ({ method, path: here, body: each }))
  return [...elsewhere, ...queries, ...bodies]
}

/** Each of the ids in a path by itself, the others being ours; and all of them. */
function pathsElsewhere(path: string): string[] {
  const names = [...path.matchAll(/\{\w+\}/g)].map(([name]) => name)
  if (names.length === 0) return []
  const single = names.map((name) => ours.scene.fill(path.replace(name, nobodys(name))))
  const all = path.replaceAll(/\{\w+\}/g, nobodys)
  return [...new Set([...single, all])]
}

const nobodys = (name: string) => `${ours.scene.fill(name).slice(0, 3)}_01ktrr9d3hen4v9q9t9m2g8x5c`

/** The id that a field can hold, as the reference shows it; null when it holds none. */
function idsIn(schema: object): string | null {
  const prefix = /\b(usr|grp|prj|rsk|iss|tsk|key)_\[/.exec(JSON.stringify(schema))?.[1]
  return prefix === undefined ? null : `${prefix}_01ktrr9d3hen4v9q9t9m2g8x5c`
}

/** For each field that holds an id: a good body, but for that field. In a batch: in a row. */
function bodiesElsewhere(operation: Operation): Json[] {
  const { body, rows } = operation
  const good: Json = exampleFor(operation, ours.scene)
  const odd = Object.entries((rows ?? body)?.properties ?? {}).flatMap(([name, schema]) => {
    const example = exampleOf(schema)
    const hasId = JSON.stringify(example).search(exampleId) >= 0
    return hasId ? [{ [name]: example, ...companions[name] }] : []
  })
  if (rows === undefined) return odd.map((fields) => ({ ...good, ...fields }))
  const own = operation.path.includes('/risks/') ? ours.ids['rsk'] : ours.ids['iss']
  return odd.flatMap((fields) => [
    { data: [{ ...good.data[0], ...fields }] },
    { data: [...good.data, { id: own, ...fields }] },
  ])
}

/** What else has to be said for a field to be looked at. */
const companions: Readonly<Record<string, object>> = {
  to_project_id: { if_live_items: 'transfer' },
}

/** The attempt with ids of theirs where there are ids of nobody's. */
const aimed = (attempt: Attempt): Attempt =>
  JSON.parse(
    JSON.stringify(attempt).replaceAll(exampleId, (_, prefix: string) => theirs.ids[prefix] ?? ''),
  )

function assertNothingOfTheirs({ status, text }: Reply, sent: object): void {
  assert.ok(!text.includes(theirs.canary), `a text of theirs came back: ${text.slice(0, 300)}`)
  for (const id of Object.values(theirs.ids)) {
    const isEcho = status >= 400 && JSON.stringify(sent).includes(id)
    assert.ok(isEcho || !text.includes(id), `${id} of theirs came back`)
  }
}

/** Everything that is stored in a workspace, to see whether any of it has changed. */
async function stored(uuid: string): Promise<Record<string, string>> {
  const { rows: tables } = await host.sql.query(
    `select relname from pg_class c join pg_attribute a on a.attrelid = c.oid
     where relnamespace = 'muster'::regnamespace and relkind = 'r' and attname = 'workspace_id'`,
  )
  const found: Record<string, string> = {}
  for (const { relname } of tables) {
    const { rows } = await host.sql.query(
      `select coalesce(string_agg(t::text, e'\\n' order by t::text), '') as text
       from ${relname} t where workspace_id = $1`,
      [uuid],
    )
    found[relname] = rows[0].text
  }
  return found
}

/** A list in every format, and with each of its extras. */
const formsOf = ({ includes }: ListOperation, path: string) => [
  ...['application/json', 'text/csv', 'application/x-ndjson'].map((accept) => ({ path, accept })),
  ...Object.keys(includes).map((extra) => ({ path: `${path}?include=${extra}`, accept: '*/*' })),
]
const theirsBefore = await stored(theirs.uuid)

for (const { name, operation } of everyOperation()) {
  for (const [build, base] of [
    ['', host.base],
    [', with row level security alone', walless],
  ] as const) {
    test(`${name} shows and takes nothing of another workspace${build}`, async () => {
      const client = at(base)
      for (const attempt of attempts(operation)) {
        const { method, path, body } = aimed(attempt)
        const reply = await client.send(method, path, { body })
        assertNothingOfTheirs(reply, { path, body })
        const unknown = await client.send(method, attempt.path, { body: attempt.body })
        const isTaken = reply.status < 300 && method !== 'GET'
        if (isTaken) assert.ok(operation.rows, 'only a batch leaves out what we set ourselves')
        else assert.equal(bare(reply), bare(unknown), 'as one that does not exist, to the byte')
        if (path !== ours.scene.fill(operation.path) && !path.includes('?')) {
          assert.equal(reply.status, 404)
        }
        if (path.includes('?')) assert.equal(reply.body.count, 0, path)
      }
      const scene = await setSceneFor(ours.manager, operation, ours.canary)
      const own = { path: scene.fill(operation.path), body: newExampleFor(operation, scene) }
      const sender = await senderOf(client, operation)
      const reply = await sender.send(operation.method, own.path, { body: own.body })
      assert.equal(reply.status, operation.status, reply.text)
      assertNothingOfTheirs(reply, {})
      for (const { path, accept } of isList(operation) ? formsOf(operation, own.path) : []) {
        const list = await client.get(path, { accept })
        assert.equal(list.status, 200)
        assertNothingOfTheirs(list, {})
        const known = [ours.canary, ...Object.values(scene.ids)]
        assert.ok(
          known.some((text) => list.text.includes(text)),
          'what is ours is there',
        )
      }
      assert.deepEqual(await stored(theirs.uuid), theirsBefore)
    })
  }

  test(`${name} names the workspace wherever it looks, and without conditions nowhere`, async () => {
    const look = async (base: string) => {
      const scene = await setSceneFor(ours.manager, operation, ours.canary)
      const path = scene.fill(operation.path)
      const body = newExampleFor(operation, scene)
      const variants = isList(operation) ? formsOf(operation, path) : []
      return sentDuring(async () => {
        for (const each of attempts(operation)) {
          await at(base).send(each.method, each.path, { body: each.body })
        }
        await (await senderOf(at(base), operation)).send(operation.method, path, { body })
        for (const each of variants) await at(base).get(each.path)
      })
    }
    const [careful, careless] = [await look(host.base), await look(walless)]
    for (const { sql } of careful) assert.ok(conditionsIn(sql) >= tablesIn(sql), sql)
    for (const { sql } of careless) assert.equal(conditionsIn(sql), 0, sql)
    const hasLooked = careful.some(({ sql }) => tablesIn(sql) > 0)
    // The workspace itself is found by its own id.
    assert.equal(hasLooked, operation.cache !== 'revision' && name !== 'workspace.view')
  })
}

/** How often a statement says which workspace it is about. */
const conditionsIn = (sql: string) => sql.match(/workspace_id"? = /g)?.length ?? 0

const tenantTables = Object.keys(theirsBefore).join('|')

/** How often a statement looks into a table that holds several workspaces. */
const tablesIn = (sql: string) =>
  sql.match(new RegExp(`\\b(from|join|update|using)\\s+"?(${tenantTables})\\b`, 'g'))?.length ?? 0

test('nothing of theirs is in any row of ours', async () => {
  const text = JSON.stringify(await stored(ours.uuid))
  assert.ok(text.includes(ours.canary))
  assert.ok(!text.includes(theirs.canary))
  for (const id of Object.values(theirs.ids)) {
    assert.ok(!text.includes(id) && !text.includes(uuidOf(id)), id)
  }
})

test('it is row level security that holds: without it, the forgetful build shows everything', async () => {
  const pool = createPool({ url: host.url, role: null, max: 1 })
  const superuser = new Database(pool, { plugins: [forgetful()] })
  atEnd(() => superuser[Symbol.asyncDispose]())
  const order = { by: 'name', isDescending: false } as const
  const page = { after: null, limit: 10_000 }
  const everyone = {
    statuses: ['active', 'suspended'],
    userIds: null,
    groupIds: null,
    managerIds: null,
    title: null,
    department: null,
    q: null,
  }
  const everything: Parameters<typeof selectRegister>[1] = {
    ids: null,
    projectIds: null,
    ownerIds: null,
    categories: null,
    responses: null,
    statuses: null,
    flags: null,
    tags: null,
    ranks: [{ low: -999, high: 0 }],
    q: null,
  }
  const [people, risks] = await superuser.read({ workspaceId: ours.id }, (read) =>
    Promise.all([
      selectRoster(read, { filter: everyone, order, page }),
      selectRegister(read, everything, page),
    ]),
  )
  for (const { items } of [people, risks]) {
    assert.ok(JSON.stringify(items).includes(ours.canary))
    assert.ok(JSON.stringify(items).includes(theirs.canary))
  }
})

test('who has entered no workspace gets an error, not an empty answer', async () => {
  const pool = createPool({ url: host.url, role: 'muster_app', max: 1 })
  const service = new Database(pool)
  atEnd(() => service[Symbol.asyncDispose]())
  const look = () => service.ask((db) => db.selectFrom('people').select('id').execute())
  await assert.rejects(look(), { meaning: 'bug', code: '42704' })
  await service.read({ workspaceId: ours.id }, (read) =>
    read.db.selectFrom('people').select('id').execute(),
  )
  await assert.rejects(look(), { meaning: 'bug', code: '22P02' })
})

for (const { name, operation } of everyOperation()) {
  const { path, cache, method } = operation
  const [here, there] = [ours.scene.fill(path), theirs.scene.fill(path)]

  if (isList(operation)) {
    test(`${name}: a cursor of theirs means nothing here`, async () => {
      const { body } = await theirs.manager.get(`${there}?limit=1`)
      assert.ok(body.next_cursor)
      const cursor = await ours.manager.get(`${here}?cursor=${body.next_cursor}`)
      assert.equal(cursor.body.code, 'invalid_cursor')
    })
  }

  if (method === 'GET' && ['collection', 'version'].includes(cache)) {
    test(`${name}: an ETag of theirs means nothing here`, async () => {
      const tag = (await theirs.manager.get(there)).headers.get('etag') ?? ''
      const epoch = /[0-9a-f]{12}/.exec(tag)?.[0] ?? ''
      const own = (await ours.manager.get(here)).headers.get('etag') ?? ''
      const mixed = own.replace(/[0-9a-f]{12}/, epoch)
      assert.notEqual(mixed, own)
      for (const each of [tag, mixed]) {
        assert.equal((await ours.manager.get(here, { 'if-none-match': each })).status, 200)
      }
      if (cache !== 'version' || !path.includes('/projects/')) return
      const guarded = { headers: { 'if-match': mixed }, body: {} }
      const changed = await ours.manager.send('PATCH', here, guarded)
      assert.equal(`${changed.status} ${changed.body.code}`, '412 version_mismatch')
    })
  }

  if (method !== 'GET') {
    test(`${name}: an Idempotency-Key of theirs means nothing here`, async () => {
      const headers = { 'idempotency-key': 'the-same' }
      for (const { manager } of [theirs, ours]) {
        const scene = await setSceneFor(manager, operation)
        const body = exampleFor(operation, scene)
        const sender = await senderOf(manager, operation)
        const done = await sender.send(method, scene.fill(path), { body, headers })
        assert.equal(done.status, operation.status, done.text)
        assert.equal(done.headers.get('idempotent-replayed'), null)
      }
    })
  }
}

/** A connection is closed after so many requests, and each is one less of those that are left. */
const ofThisRequest = new Set(['request-id', 'date', 'connection', 'keep-alive', 'ratelimit'])

/** An answer without what must differ: the id that was asked for, the request, the time. */
function bare({ status, headers, body }: Reply): string {
  const kept = [...headers].filter(([name]) => !ofThisRequest.has(name))
  const ids = new RegExp(Object.values(theirs.ids).join('|'), 'g')
  return JSON.stringify([status, kept, { ...body, request_id: '' }])
    .replaceAll(ids, 'ID')
    .replaceAll(exampleId, 'ID')
}

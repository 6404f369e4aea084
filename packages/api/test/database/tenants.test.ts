import assert from 'node:assert/strict'
import { test } from 'node:test'

import { isList, type ListOperation, type Operation } from '@muster/contract'
import { exampleOf } from '@muster/contract/openapi'
import { atEnd } from '@muster/testing/at-end'

import { addGroup } from '#domain/people/groups'
import { createPool } from '#storage/connection/pool'
import { selectPage } from '#storage/lists/index-ranges'
import { rollupList } from '#storage/lists/rollup'
import { register } from '#storage/nouns/register'
import { rosterList } from '#storage/nouns/roster'
import { nouns } from '#storage/schema/nouns'
import { View } from '#storage/statements/view'
import { Database } from '#storage/transaction/database'
import { uuidOf } from '#storage/values/id'
import { Client, type Json, type Reply } from '#test/support/client'
import {
  exampleFor,
  exampleId,
  newExampleFor,
  clientFor,
  createFixture,
  createFixtureFor,
} from '#test/support/fixture'
import { includeQueries, itemsIn, keyOperations } from '#test/support/operations'
import { sentDuring } from '#test/support/statements'
import { listen, newWorkspace, startHost } from '#test/support/workspace'

import { removeTenantConditions } from './without-tenant-conditions.ts'

const host = await startHost()
/** Every response is read from the database. */
const uncached = await listen(host.url, { responseMemoryBytes: 0 })
const plugins = [removeTenantConditions()]
const withoutConditions = await listen(host.url, { plugins, responseMemoryBytes: 0 })

/** Two such workspaces hold equal data, except for the canary in every text. */
async function setup(canary: string) {
  const workspace = await newWorkspace(host)
  const manager = await workspace.manager()
  const fixture = await createFixture(manager, canary)
  const member = fixture.ids['user_id'] ?? ''
  const group = { name: `Group ${canary}`, member_user_ids: [member], lead_user_ids: [] }
  const { id: grp } = await addGroup(workspace.admin, group)
  await addGroup(workspace.admin, { ...group, name: `Second ${canary}` })
  for (const { name, operation } of keyOperations()) {
    // Two of everything, and two events in every history, so that every list has a second page.
    if (!/\.(create|update)$/.test(name)) continue
    const body = newExampleFor(operation, fixture)
    const done = await manager.send(operation.method, fixture.fill(operation.path), { body })
    assert.equal(done.status, operation.status, done.text)
  }
  await manager.send('PUT', fixture.fill(`/v1/groups/{group_id}/members/${fixture.colleague}`))
  const accept = fixture.fill('/v1/projects/{project_id}/risks/{risk_id}/accept')
  const acceptance = { accepted_by_user_id: member, expires_on: '2099-12-31' }
  for (const rationale of [`First ${canary}`, `Second ${canary}`])
    await manager.post(accept, { ...acceptance, rationale })
  const ids: Record<string, string> = { wsp: workspace.id, grp }
  for (const id of Object.values(fixture.ids)) ids[id.slice(0, 3)] = id
  return { ...workspace, manager, fixture, ids, canary }
}

const ours = await setup('oursoursours')
const theirs = await setup('theirstheirs')

const at = (base: string) => new Client(base, ours.manager.token)

/** A request whose id can be replaced. */
interface Attempt {
  readonly method: string
  readonly path: string
  readonly body: Json
}

/** All requests to an operation with at least one id that does not exist. */
function attempts(operation: Operation): Attempt[] {
  const { method, path, query } = operation
  const body = exampleFor(operation, ours.fixture)
  const elsewhere = unknownIdPaths(path).map((each) => ({ method, path: each, body }))
  const here = ours.fixture.fill(path)
  const queries = Object.entries(query?.properties ?? {}).flatMap(([name, schema]) => {
    const id = idsIn(schema)
    const mark = here.includes('?') ? '&' : '?'
    return id === null ? [] : [{ method, path: `${here}${mark}${name}=${id}`, body }]
  })
  const bodies = unknownIdBodies(operation).map((each) => ({ method, path: here, body: each }))
  return [...elsewhere, ...queries, ...bodies]
}

/** Each id in a path replaced alone, and all of them together. */
function unknownIdPaths(path: string): string[] {
  const names = [...path.matchAll(/\{\w+\}/g)].map(([name]) => name)
  if (names.length === 0) return []
  const single = names.map((name) => ours.fixture.fill(path.replace(name, unknownIn(name))))
  const all = path.replaceAll(/\{\w+\}/g, unknownIn)
  return [...new Set([...single, all])]
}

const unknownIn = (name: string) =>
  `${ours.fixture.fill(name).slice(0, 3)}_01ktrr9d3hen4v9q9t9m2g8x5c`

/** The example id that fits a field; null when the field holds none. */
function idsIn(schema: object): string | null {
  const prefix = /\b(usr|grp|prj|rsk|iss|tsk|key)_\[/.exec(JSON.stringify(schema))?.[1]
  return prefix === undefined ? null : `${prefix}_01ktrr9d3hen4v9q9t9m2g8x5c`
}

/** For each field that holds an id: a valid body with that field replaced. For a batch: a row. */
function unknownIdBodies(operation: Operation): Json[] {
  const { body, rows } = operation
  const good: Json = exampleFor(operation, ours.fixture)
  const replaced = Object.entries((rows ?? body)?.properties ?? {}).flatMap(([name, schema]) => {
    const example = exampleOf(schema)
    const hasId = JSON.stringify(example).search(exampleId) >= 0
    return hasId ? [{ [name]: example, ...companions[name] }] : []
  })
  if (rows === undefined) return replaced.map((fields) => ({ ...good, ...fields }))
  const own = ours.ids[batchedPrefix(operation)]
  return replaced.flatMap((fields) => [
    { data: [{ ...good.data[0], ...fields }] },
    { data: [...good.data, { id: own, ...fields }] },
  ])
}

/** The prefix of the ids of the records that a batch changes. */
const batchedPrefix = ({ path }: Operation) =>
  Object.values(nouns).find(({ collection }) => path.endsWith(`${collection}/batch`))?.prefix ?? ''

/** Other fields that a field needs to be evaluated. */
const companions: Readonly<Record<string, object>> = {
  to_project_id: { if_live_items: 'transfer' },
}

/** The attempt with ids of the other workspace instead of unknown ids. */
const withForeignIds = (attempt: Attempt): Attempt =>
  JSON.parse(
    JSON.stringify(attempt).replaceAll(exampleId, (_, prefix: string) => theirs.ids[prefix] ?? ''),
  )

function assertNothingOfTheirs({ status, text }: Reply, sent: object): void {
  assert.ok(
    !text.includes(theirs.canary),
    `a text of the other workspace is in the response: ${text.slice(0, 300)}`,
  )
  for (const id of Object.values(theirs.ids)) {
    const isEcho = status >= 400 && JSON.stringify(sent).includes(id)
    assert.ok(isEcho || !text.includes(id), `${id} of the other workspace is in the response`)
  }
}

/** Every stored row of a workspace, to detect changes. */
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

/** A list in every format, and with each include. */
const formsOf = ({ includes }: ListOperation, path: string) => [
  ...['application/json', 'text/csv', 'application/x-ndjson'].map((accept) => ({ path, accept })),
  ...includeQueries({ includes }).map((query) => ({ path: `${path}?${query}`, accept: '*/*' })),
]
const theirsBefore = await stored(theirs.uuid)

for (const { name, operation } of keyOperations()) {
  for (const [build, base] of [
    ['', host.base],
    [', with row level security alone', withoutConditions],
  ] as const) {
    test(`${name} neither reads nor writes another workspace${build}`, async () => {
      const client = at(base)
      for (const attempt of attempts(operation)) {
        const { method, path, body } = withForeignIds(attempt)
        const reply = await client.send(method, path, { body })
        assertNothingOfTheirs(reply, { path, body })
        const unknown = await client.send(method, attempt.path, { body: attempt.body })
        const isTaken = reply.status < 300 && method !== 'GET'
        if (isTaken) assert.ok(operation.rows, 'only a batch ignores fields that the service sets')
        else assert.equal(comparable(reply), comparable(unknown), 'as for an unknown id')
        if (path !== ours.fixture.fill(operation.path) && !path.includes('?')) {
          assert.equal(reply.status, 404)
        }
        if (path.includes('?')) assert.equal(itemsIn(reply.body), 0, path)
      }
      const fixture = await createFixtureFor(ours.manager, operation, ours.canary)
      const own = { path: fixture.fill(operation.path), body: newExampleFor(operation, fixture) }
      const sender = await clientFor(client, operation)
      const reply = await sender.send(operation.method, own.path, { body: own.body })
      assert.equal(reply.status, operation.status, reply.text)
      assertNothingOfTheirs(reply, {})
      for (const { path, accept } of isList(operation) ? formsOf(operation, own.path) : []) {
        const list = await client.get(path, { accept })
        assert.equal(list.status, 200)
        assertNothingOfTheirs(list, {})
        const known = [ours.canary, ...Object.values(fixture.ids)]
        assert.ok(
          known.some((text) => list.text.includes(text)),
          'own data are in the list',
        )
      }
      assert.deepEqual(await stored(theirs.uuid), theirsBefore)
    })
  }

  test(`${name} has a tenant condition for every tenant table, and none in the build without them`, async () => {
    const look = async (base: string) => {
      const fixture = await createFixtureFor(ours.manager, operation, ours.canary)
      const path = fixture.fill(operation.path)
      const body = newExampleFor(operation, fixture)
      const variants = isList(operation) ? formsOf(operation, path) : []
      const searches = name === 'search.find' ? [{ path: `${path}?q=${ours.canary}` }] : []
      return sentDuring(async () => {
        for (const each of attempts(operation)) {
          await at(base).send(each.method, each.path, { body: each.body })
        }
        await (await clientFor(at(base), operation)).send(operation.method, path, { body })
        for (const each of [...variants, ...searches]) await at(base).get(each.path)
      })
    }
    const [normal, unconditional] = [await look(uncached), await look(withoutConditions)]
    for (const { sql } of normal) assert.ok(conditionsIn(sql) >= tablesIn(sql), sql)
    for (const { sql } of unconditional) assert.equal(conditionsIn(sql), 0, sql)
    const hasLooked = normal.some(({ sql }) => tablesIn(sql) > 0)
    // The workspace itself is selected by its own id; authentication reads what whoami shows.
    const isOwnId = name === 'workspace.view' || name === 'keys.whoami'
    assert.equal(hasLooked, operation.cache !== 'revision' && !isOwnId)
  })
}

/** The number of tenant conditions in a statement. */
const conditionsIn = (sql: string) => sql.match(/workspace_id"? = /g)?.length ?? 0

const tenantTables = Object.keys(theirsBefore).join('|')

/** The number of tenant tables in a statement. */
const tablesIn = (sql: string) =>
  sql.match(new RegExp(`\\b(from|join|update|using)\\s+"?(${tenantTables})\\b`, 'g'))?.length ?? 0

test('stores no data of another workspace', async () => {
  const text = JSON.stringify(await stored(ours.uuid))
  assert.ok(text.includes(ours.canary) && !text.includes(theirs.canary))
  for (const id of Object.values(theirs.ids)) {
    assert.ok(!text.includes(id) && !text.includes(uuidOf(id)), id)
  }
})

test('relies on row level security: without it, the build without tenant conditions returns all rows', async () => {
  const pool = createPool({ url: host.url, role: null, max: 1 })
  const superuser = new Database(pool, { plugins: [removeTenantConditions()] })
  atEnd(() => superuser[Symbol.asyncDispose]())
  const order = { by: 'name', isDescending: false } as const
  const page = { after: null, limit: 10_000 }
  const [userIds, groupIds, managerIds] = [null, null, null]
  const texts = { emails: null, externalIds: null, title: null, department: null, q: null }
  const statuses = ['active', 'suspended']
  const roster = rosterList({ userIds, groupIds, managerIds, statuses, ...texts }, order)
  const filter = { query: {}, projects: View.all.scope(), ranges: [{ low: -999, high: 0 }] }
  const [people, risks] = await superuser.read({ workspaceId: ours.id }, (read) =>
    Promise.all([
      selectPage(read, roster, page),
      selectPage(read, rollupList(register, filter), page),
    ]),
  )
  for (const { items } of [people, risks]) {
    assert.ok(JSON.stringify(items).includes(ours.canary))
    assert.ok(JSON.stringify(items).includes(theirs.canary))
  }
})

test('raises an error, not an empty result, outside a workspace', async () => {
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

for (const { name, operation } of keyOperations()) {
  const { path, cache, method } = operation
  const [here, there] = [ours.fixture.fill(path), theirs.fixture.fill(path)]

  if (isList(operation)) {
    test(`${name}: refuses a cursor of another workspace`, async () => {
      const { body } = await theirs.manager.get(`${there}?limit=1`)
      assert.ok(body.next_cursor)
      const cursor = await ours.manager.get(`${here}?cursor=${body.next_cursor}`)
      assert.equal(cursor.body.code, 'invalid_cursor')
    })
  }

  if (method === 'GET' && ['collection', 'version'].includes(cache)) {
    test(`${name}: ignores an ETag of another workspace`, async () => {
      const tag = (await theirs.manager.get(there)).headers.get('etag') ?? ''
      const term = /[0-9a-f]{24}/.exec(tag)?.[0] ?? ''
      const own = (await ours.manager.get(here)).headers.get('etag') ?? ''
      const mixed = own.replace(/[0-9a-f]{24}/, term)
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
    test(`${name}: ignores an Idempotency-Key of another workspace`, async () => {
      const headers = { 'idempotency-key': 'the-same' }
      for (const { manager } of [theirs, ours]) {
        const fixture = await createFixtureFor(manager, operation)
        const body = exampleFor(operation, fixture)
        const sender = await clientFor(manager, operation)
        const done = await sender.send(method, fixture.fill(path), { body, headers })
        assert.equal(done.status, operation.status, done.text)
        assert.equal(done.headers.get('idempotent-replayed'), null)
      }
    })
  }
}

/** Headers that differ each time: connection limits and the remaining quota change per request. */
const varying = 'request-id traceparent date connection keep-alive ratelimit'
const ofThisRequest = new Set(varying.split(' '))

/** A response without the parts that must differ: the requested id, the request id, the time. */
function comparable({ status, headers, body }: Reply): string {
  const kept = [...headers].filter(([name]) => !ofThisRequest.has(name))
  const ids = new RegExp(Object.values(theirs.ids).join('|'), 'g')
  return JSON.stringify([status, kept, { ...body, request_id: '' }])
    .replaceAll(ids, 'ID')
    .replaceAll(exampleId, 'ID')
}

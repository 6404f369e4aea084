import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'

import { everyOperation, isList } from '@muster/contract'

import type { Caller } from '#domain/caller'
import { Door } from '#domain/door'
import type { Listing } from '#domain/listing'
import { Database } from '#storage/database'
import { encodeId } from '#storage/id'
import { createPool } from '#storage/pool'

import { atEnd } from './at-end.ts'
import { openPlans, type PlansOf } from './large-plans.ts'
import { listings } from './lists.ts'
import { startOwnPostgres } from './own-postgres.ts'
import { assertSearchPlan, toldOf } from './search-bound.ts'
import { fillSearch, inLongTexts, ownRows, type SearchTable, updateSome } from './search-rows.ts'
import { sentDuring } from './statements.ts'
import { type Host, newWorkspace, startHost } from './workspace.ts'

interface Truth {
  readonly table: SearchTable
  readonly prefix: string
  readonly statuses: readonly string[]
  /** The columns of the order, for each value of `sort`. */
  readonly orders: Readonly<Record<string, string>>
}

const directory = {
  created_at: 'created_at, id',
  name: 'sort_name, id',
  updated_at: 'version, id',
}

/** What each list contains, and in which order. A list with `q` that is not here fails the test. */
const truths: Readonly<Record<string, Truth>> = {
  'personnel.list': {
    table: 'people',
    prefix: 'usr',
    statuses: ['active', 'suspended'],
    orders: directory,
  },
  'groups.list': { table: 'groups', prefix: 'grp', statuses: ['active'], orders: directory },
  'projects.list': {
    table: 'projects',
    prefix: 'prj',
    statuses: ['planned', 'active', 'on_hold', 'completed', 'cancelled'],
    orders: directory,
  },
  'risks.list': {
    table: 'risks',
    prefix: 'rsk',
    statuses: ['identified', 'treating', 'monitoring'],
    orders: { '': 'rank_key, id' },
  },
  'issues.list': {
    table: 'issues',
    prefix: 'iss',
    statuses: ['open', 'in_progress', 'blocked'],
    orders: { '': 'severity_key, opened_at, id' },
  },
}

const pageRows = 500

/** In one text of seven, and in texts that are too long for the index. */
const texts = ['ab', inLongTexts]
/** In no text, so that all entries are scanned. */
const absent = 'zz'

const started = {
  'the server that the tests run on': async () => startHost({ isByHand: true }),
  'PostgreSQL 18': async () => {
    const { url } = await startOwnPostgres(['fsync=off', 'autovacuum=off'])
    return startHost({ url, isByHand: true })
  },
}

for (const [server, start] of Object.entries(started)) {
  test(`search on ${server}`, async (t) => {
    const host = await start()
    const { rows } = await host.sql.query('show server_version')
    const homes = [await newWorkspace(host), await newWorkspace(host), await newWorkspace(host)]
    await fillSearch(
      host.sql,
      homes.map(({ uuid }) => uuid),
    )
    t.diagnostic(`PostgreSQL ${rows[0].server_version}`)
    const scene = await openScene(host, homes[1])
    await t.test('after VACUUM', (s) => assertSearches(s, scene, () => 0))
    await updateSome(host.sql)
    // An update leaves the old entry beside the new one.
    await t.test('after 5 % of the rows were updated, without VACUUM', (s) =>
      assertSearches(s, scene, (own) => Math.ceil(own * 1.1)),
    )
  })
}

interface Scene {
  readonly host: Host
  readonly uuid: string
  readonly caller: Caller<never>
  readonly plansOf: PlansOf
}

type Home = Awaited<ReturnType<typeof newWorkspace>>

async function openScene(host: Host, home: Home | undefined): Promise<Scene> {
  assert.ok(home)
  const way = { url: host.url, role: 'muster_app', max: 2, isPatient: true } as const
  const database = new Database(createPool(way))
  atEnd(() => database[Symbol.asyncDispose]())
  const { id: keyId } = await home.issue()
  const caller = new Door(database).caller(
    { workspaceId: home.id, keyId, scopes: [], allowedCidrs: [], expiresAt: null },
    { requestId: null, repeatable: null, onlyIf: null },
  )
  return { host, uuid: home.uuid, caller, plansOf: await openPlans(host.url, home.uuid) }
}

/** Every list with `q` and every order of it, from the contract. */
function searches(): [list: string, sort: string][] {
  return everyOperation().flatMap(({ name, operation }) => {
    if (!isList(operation) || !('q' in operation.query.properties)) return []
    const { sort } = operation.query.properties as { sort?: { enum: string[] } }
    return (sort?.enum ?? ['']).map((each): [string, string] => [name, each])
  })
}

async function assertSearches(
  t: TestContext,
  scene: Scene,
  heapFetchesMax: (own: number) => number,
): Promise<void> {
  for (const [name, sort] of searches()) {
    const truth = truths[name]
    assert.ok(truth, `${name} takes q, and is not in this test`)
    const own = ownRows[truth.table]
    const asked = (q: string) => listingOf(scene, name, { q, ...(sort && { sort }) })
    for (const q of texts) {
      const expected = await expectedIds(scene, truth, { q, sort })
      assert.ok(expected.length > 0)
      assert.deepEqual(await idsOf(asked(q), expected.length), expected, `${name} ${sort} q=${q}`)
    }
    const plans = [
      ...(await plansOfPage(scene, asked('ab'), 100)),
      ...(await plansOfPage(scene, asked(absent), 0)),
    ]
    const bound = { own, page: pageRows, heapFetches: heapFetchesMax(own) }
    for (const plan of plans) assertSearchPlan(plan, bound)
    t.diagnostic(`${name} ${sort}: ${toldOf(plans, bound)}`)
  }
}

function listingOf({ caller }: Scene, name: string, query: object): Listing<{ id: string }> {
  const listing = listings[name]
  assert.ok(listing)
  // The cast holds because every item of these lists has an id.
  return listing(caller, query, {}) as Listing<{ id: string }>
}

/** By brute force, as a superuser, without the column that the index has. */
async function expectedIds(
  { host, uuid }: Scene,
  { table, prefix, statuses, orders }: Truth,
  { q, sort }: { q: string; sort: string },
): Promise<string[]> {
  const order = orders[sort.replace('-', '')]
  assert.ok(order, `${table} has no order ${sort}`)
  const by = order.split(', ').map((column) => `${column} ${sort.startsWith('-') ? 'desc' : ''}`)
  const { rows } = await host.sql.query<{ id: string }>(
    `select id from ${table}
     where workspace_id = $1 and status = any($2) and search_text like $3 order by ${by.join()}`,
    [uuid, statuses, `%${q}%`],
  )
  return rows.map(({ id }) => encodeId(prefix, id))
}

/** Pages to the end; `total_count` must say the same. */
async function idsOf(list: Listing<{ id: string }>, total: number): Promise<string[]> {
  const ids: string[] = []
  let page = await list.page({ after: null, limit: pageRows, countMax: total })
  assert.equal(page.total, total)
  for (;;) {
    ids.push(...page.items.map(({ id }) => id))
    if (page.next === null) return ids
    page = await list.page({ after: page.next, limit: pageRows, countMax: null })
  }
}

/** Of the page that follows this many rows. */
async function plansOfPage({ plansOf }: Scene, list: Listing<object>, passed: number) {
  const ask = { after: null, limit: pageRows, countMax: null }
  const { next } = passed > 0 ? await list.page({ ...ask, limit: passed }) : { next: null }
  const sent = await sentDuring(() => list.page({ ...ask, after: next }))
  const statements = sent.filter(({ sql }) => sql.includes('search_key'))
  assert.equal(statements.length, 1)
  return plansOf(statements)
}

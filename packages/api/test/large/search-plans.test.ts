import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'

import { everyOperation, isList } from '@muster/contract'
import { atEnd } from '@muster/testing/at-end'

import { administrator, type Caller } from '#domain/engine/caller'
import type { Listing } from '#domain/engine/listing'
import { createPool } from '#storage/connection/pool'
import { Database } from '#storage/transaction/database'
import { encodeId } from '#storage/values/id'
import { listingOf } from '#test/contract/lists'
import { startOwnPostgres } from '#test/support/own-postgres'
import { sentDuring } from '#test/support/statements'
import { type Host, newWorkspace, startHost } from '#test/support/workspace'

import { openPlans, type PlansOf } from './plans.ts'
import { assertSearchPlan, describeReads } from './search-bound.ts'
import { fillSearch, inLongTexts, ownRows, type SearchTable, updateSome } from './search-rows.ts'

interface Truth {
  readonly table: SearchTable
  readonly prefix: string
  readonly statuses: readonly string[]
  /** The columns of the order, separated by semicolons, for each value of `sort`. */
  readonly orders: Readonly<Record<string, string>>
}

const directory = {
  '': 'created_at; id',
  created_at: 'created_at; id',
  name: 'sort_name; id',
  updated_at: 'version; id',
}

/** The title is the search text after the reference. */
const title = `left(substr(search_text, length(ref) + 2), 64) collate "C"; id`
const nameOf = (column: string) =>
  `(select sort_name from people where workspace_id = $1 and id = ${column}); id`
const worst = `lpad((3255 + case when status in ('completed', 'cancelled') then 3000 else 0 end
  + coalesce((select min(rank_key) from risks where workspace_id = $1 and is_live
      and project_id = projects.id), 0))::text, 4, '0'); id`

/**
 * The contents and orders of each list. The test fails for a list with `q` that is missing here.
 */
const truths: Readonly<Record<string, Truth>> = {
  'personnel.list': {
    table: 'people',
    prefix: 'usr',
    statuses: ['active', 'suspended'],
    orders: {
      ...directory,
      title: `nullif(title_key, ''); id`,
      department: `nullif(department_key, ''); id`,
    },
  },
  'groups.list': { table: 'groups', prefix: 'grp', statuses: ['active'], orders: directory },
  'projects.list': {
    table: 'projects',
    prefix: 'prj',
    statuses: ['planned', 'active', 'on_hold', 'completed', 'cancelled'],
    orders: { ...directory, worst, owner: nameOf('owner_user_id'), due_on: 'due_on; id' },
  },
  'risks.list': {
    table: 'risks',
    prefix: 'rsk',
    statuses: ['identified', 'treating', 'monitoring'],
    orders: {
      '': 'rank_key; id',
      score: 'score; id',
      title,
      owner: nameOf('owner_user_id'),
      review_on: 'review_on; id',
      updated_at: 'version; id',
    },
  },
  'issues.list': {
    table: 'issues',
    prefix: 'iss',
    statuses: ['open', 'in_progress', 'blocked'],
    orders: {
      '': 'severity_key; opened_at; id',
      severity: 'severity; id',
      title,
      assignee: nameOf('assignee_user_id'),
      opened_at: 'opened_at; id',
      due_on: 'due_on; id',
      updated_at: 'version; id',
    },
  },
  'risks.list_closed': {
    table: 'risks',
    prefix: 'rsk',
    statuses: ['occurred', 'closed'],
    orders: { '': 'closed_key desc; id desc', closed_at: 'closed_key; id' },
  },
  'issues.list_closed': {
    table: 'issues',
    prefix: 'iss',
    statuses: ['closed'],
    orders: { '': 'closed_at desc; id desc', closed_at: 'closed_at; id' },
  },
  'tasks.list': {
    table: 'tasks',
    prefix: 'tsk',
    statuses: ['todo', 'in_progress', 'blocked'],
    orders: {
      '': 'due_key; id',
      due_on: 'due_on; id',
      title,
      assignee: nameOf('assignee_user_id'),
      updated_at: 'version; id',
    },
  },
}

const pageRows = 500

/** One text in 1 of 7 rows, and one in texts too long for the index. */
const texts = ['ab', inLongTexts]
/** In no row, so that all index entries are scanned. */
const absent = 'zz'

const started = {
  'the server that the tests run on': async () => startHost({ skipsDriftCheck: true }),
  'PostgreSQL 18': async () => {
    const { url } = await startOwnPostgres(['fsync=off', 'autovacuum=off'])
    return startHost({ url, skipsDriftCheck: true })
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
    const search = await openSearch(host, homes[1])
    await t.test('after VACUUM', (s) => assertSearches(s, search, () => 0))
    await updateSome(host.sql)
    // An update leaves the old index entry in place until VACUUM.
    await t.test('after 5 % of the rows were updated, without VACUUM', (s) =>
      assertSearches(s, search, (own) => Math.ceil(own * 1.1)),
    )
  })
}

interface Search {
  readonly host: Host
  readonly uuid: string
  readonly caller: Caller<never>
  readonly plansOf: PlansOf
}

type Home = Awaited<ReturnType<typeof newWorkspace>>

async function openSearch(host: Host, home: Home | undefined): Promise<Search> {
  assert.ok(home)
  const pool = { url: host.url, role: 'muster_app', max: 2, hasLongTimeouts: true } as const
  const database = new Database(createPool(pool))
  atEnd(() => database[Symbol.asyncDispose]())
  const caller = administrator(database, home.id)
  return { host, uuid: home.uuid, caller, plansOf: await openPlans(host.url, home.uuid) }
}

/** Every list with `q` and every order of it, from the contract. */
function searches(): [list: string, sort: string][] {
  return everyOperation().flatMap(({ name, operation }) => {
    if (!isList(operation) || !('q' in operation.query.properties)) return []
    const { sort } = operation.query.properties as { sort?: { enum: string[] } }
    return ['', ...(sort?.enum ?? [])].map((each): [string, string] => [name, each])
  })
}

async function assertSearches(
  t: TestContext,
  search: Search,
  heapFetchesMax: (own: number) => number,
): Promise<void> {
  for (const [name, sort] of searches()) {
    const truth = truths[name]
    assert.ok(truth, `${name} takes q, but is missing in this test`)
    const own = ownRows[truth.table]
    const asked = (q: string) => searchListing(search, name, { q, ...(sort && { sort }) })
    for (const q of texts) {
      const expected = await expectedIds(search, truth, { q, sort })
      assert.ok(expected.length > 0)
      assert.deepEqual(await idsOf(asked(q), expected.length), expected, `${name} ${sort} q=${q}`)
    }
    const plans = [
      ...(await plansOfPage(search, asked('ab'), 100)),
      ...(await plansOfPage(search, asked(absent), 0)),
    ]
    const bound = { own, page: pageRows, heapFetches: heapFetchesMax(own) }
    for (const plan of plans) assertSearchPlan(plan, bound)
    t.diagnostic(`${name} ${sort}: ${describeReads(plans, bound)}`)
  }
}

function searchListing({ caller }: Search, name: string, query: object): Listing<{ id: string }> {
  const operation = everyOperation().find((each) => each.name === name)?.operation
  assert.ok(operation && isList(operation), name)
  // The cast holds because every item of these lists has an id.
  return listingOf(name, operation, {})(caller, query) as Listing<{ id: string }>
}

/** The expected ids, from a query as superuser on `search_text`, not the indexed `search_key`. */
async function expectedIds(
  { host, uuid }: Search,
  { table, prefix, statuses, orders }: Truth,
  { q, sort }: { q: string; sort: string },
): Promise<string[]> {
  const order = orders[sort.replace('-', '')]
  assert.ok(order, `${table} has no order ${sort}`)
  const direction = sort.startsWith('-') ? 'desc' : ''
  const by = order.split('; ').map((column) => `${column} ${direction} nulls last`)
  const { rows } = await host.sql.query<{ id: string }>(
    `select id from ${table}
     where workspace_id = $1 and status = any($2) and search_text like $3 order by ${by.join()}`,
    [uuid, statuses, `%${q}%`],
  )
  return rows.map(({ id }) => encodeId(prefix, id))
}

/** Reads all pages, and asserts that `total_count` agrees. */
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

/** The plans of the page after this many rows. */
async function plansOfPage({ plansOf }: Search, list: Listing<object>, passed: number) {
  const ask = { after: null, limit: pageRows, countMax: null }
  const { next } = passed > 0 ? await list.page({ ...ask, limit: passed }) : { next: null }
  const sent = await sentDuring(() => list.page({ ...ask, after: next }))
  const statements = sent.filter(({ sql }) => sql.includes('search_key'))
  // An order by name also searches for the people, whose names it then sorts.
  assert.equal(statements.filter(({ sql }) => !sql.startsWith('select named')).length, 1)
  return plansOf(statements)
}

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { ListVariant } from '#test/contract/lists'
import { type Statement, sentDuring } from '#test/support/statements'

import { assertBound, assertNoScan, isRead, type Large, probe, rowsOf } from './plans.ts'
import { describeReads, type SearchBound, searchBuffersMax } from './search-bound.ts'
import { full, past } from './spread.ts'

/** The rows that a list without filters can have in the full workspace. */
const rows: Readonly<Record<string, number>> = {
  'personnel.list': full.people,
  'projects.list': full.projects,
  'risks.list': full.risks,
  'issues.list': full.issues,
  'tasks.list': full.tasks,
  // Half of the tasks are in the first 20 projects.
  'tasks.list_in_project': full.tasks * past,
}

const orderOf = ({ query }: ListVariant) =>
  'sort' in query ? String(query.sort).replace('-', '') : ''

/** True for an order that has an index: a page reads a part of it. */
const isIndexed = ({ name, ...variant }: ListVariant) => {
  const order = orderOf({ name, ...variant })
  const isRollup = /^(risks|issues|tasks)\.list /.test(name) || name.startsWith('tasks.')
  return /^(created_at|name|closed_at|seq)$/.test(order) || (order === 'updated_at' && !isRollup)
}

/** True for a list in an order without an index: its rows are sorted for each page. */
export const isSorted = (variant: ListVariant) => orderOf(variant) !== '' && !isIndexed(variant)

/** Chooses the ids of a page in their order. */
const isPlacing = ({ sql }: Statement) => sql.startsWith('select sorted.*')
/** Reads the names that the ids are sorted by. */
const isNaming = ({ sql }: Statement) => sql.startsWith('select named.id')

/**
 * Every order without an index reads the index entries of the workspace, and no row of the table.
 * The rows of the page are then read by id. A project of a list has its own worst risk looked up.
 */
export function testSorted({ caller, plansOf, variants }: Large): void {
  for (const variant of variants.filter(isSorted)) {
    const [list = ''] = variant.name.split(' ')
    const own = rows[list]
    test(`${variant.name}: a page reads the index of one workspace, first and deep`, async (t) => {
      assert.ok(own, `${list} has no bound`)
      const page = rowsOf(list)
      const listing = variant.listing(caller)
      const { next } = await listing.page({ after: null, limit: own / 2, countMax: null })
      const looked = orderOf(variant) === 'worst' ? own : 0
      const bound = { own, page: looked, heapFetches: Math.max(200, own / 100) }
      for (const after of [null, next]) {
        const sent = await sentDuring(() => listing.page({ after, limit: page, countMax: null }))
        assert.equal(sent.filter(isPlacing).length, 1)
        for (const plan of await plansOf(sent.filter(isRead))) {
          const { statement } = plan
          if (isPlacing(statement)) assertIndexOnly(plan, list, bound)
          else if (isNaming(statement)) assertIndexOnly(plan, list, { ...bound, page: 1001 })
          else assertBound(plan, (page + 1) * probe)
        }
        const placed = await plansOf(sent.filter(isPlacing))
        t.diagnostic(describeReads(placed, bound))
      }
    })
  }
}

type Plans = Awaited<ReturnType<Large['plansOf']>>

/** One index-only scan of the workspace; other rows are looked up by a key. */
function assertIndexOnly(plan: Plans[number], list: string, bound: SearchBound): void {
  assertNoScan(plan)
  for (const { condition } of plan.entered) assert.match(condition, /workspace_id = /, plan.text)
  const scans = plan.entered.filter(({ condition }) => !/\b(project_)?id = /.test(condition))
  const expected = list === 'tasks.list_in_project' ? [] : [true]
  assert.deepEqual(
    scans.map(({ isIndexOnly }) => isIndexOnly),
    expected,
    plan.text,
  )
  const most = searchBuffersMax({ ...bound, heapFetches: plan.heapFetches })
  assert.ok(plan.buffers <= most, `${plan.buffers} buffers of ${most}\n${plan.text}`)
}

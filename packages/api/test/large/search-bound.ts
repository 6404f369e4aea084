import assert from 'node:assert/strict'

import type { Plan } from './plan.ts'
import { assertNoScan, probe } from './plans.ts'

export interface SearchBound {
  /** How many rows of the table the workspace has. */
  readonly own: number
  /** How many rows a page has. */
  readonly page: number
  readonly heapFetches: number
}

/**
 * Proportional to the rows of the workspace, independent of other workspaces. For every row at most
 * one buffer of the visibility map (a large table has several, and adjacent index entries point to
 * distant heap pages), and for every 25 rows one page of the index. Then the rows of the page are
 * looked up by key, and so is the 1 row in 1000 whose text is too long for the index. A heap fetch
 * reads one more buffer.
 */
export const searchBuffersMax = ({ own, page, heapFetches }: SearchBound) =>
  own + own / 25 + heapFetches + (page + 1 + own / 1000) * probe + 50

/** One index-only scan within the workspace finds the rows; each is then looked up by its key. */
export function assertSearchPlan(plan: Plan, bound: SearchBound): void {
  assertNoScan(plan)
  for (const { condition } of plan.entered) assert.match(condition, /workspace_id = /, plan.text)
  // The worst risk of a project is looked up by the id of the project.
  const scans = plan.entered.filter(({ condition }) => !/\b(project_)?id = /.test(condition))
  const kinds = scans.map(({ isIndexOnly }) => isIndexOnly)
  assert.deepEqual(kinds, [true], plan.text)
  const { heapFetches, buffers, text } = plan
  assert.ok(heapFetches <= bound.heapFetches, `${heapFetches} heap fetches\n${text}`)
  const most = searchBuffersMax({ ...bound, heapFetches })
  assert.ok(buffers <= most, `${buffers} buffers of ${most}\n${text}`)
}

/** Describes the most that these plans read. */
export function describeReads(plans: readonly Plan[], bound: SearchBound): string {
  const fetches = Math.max(...plans.map((plan) => plan.heapFetches))
  const buffers = Math.max(...plans.map((plan) => plan.buffers))
  const most = searchBuffersMax({ ...bound, heapFetches: fetches })
  return (
    `${buffers} of ${most} buffers, ${fetches} of ${bound.heapFetches} heap fetches, ` +
    `${bound.own} rows`
  )
}

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { RowTexts } from '#domain/engine/row-texts'
import { WorkspaceMemory } from '#domain/engine/workspace-memory'
import { View } from '#storage/statements/view'
import { encodeId } from '#storage/values/id'
import { isLong } from '#test/support/size'
import { sentDuring } from '#test/support/statements'

import {
  assertBound,
  assertPages,
  indexRangesOf,
  isRead,
  type Large,
  probe,
  rowsOf,
} from './plans.ts'

/** The lists of all projects, without a filter. */
const isAcrossProjects = /^(risks|issues|tasks|projects|acceptances)\.list(_closed)? \{\}$/

/** The most buffers of a page, by the number of projects that the key is bound to. */
const bounds = [
  { projects: 3, most: 250 },
  { projects: 50, most: 500 },
] as const

/** Each status of a project is an index range of the tasks: 150 ranges for 50 projects. */
const tasksMax = 50 * 3 * probe

/**
 * Of a million rows, these read up to 711, 262 and 1 024 buffers: an index-only scan also reads the
 * visibility map, and there the rows of a page are on several of its pages.
 */
const notReached = (name: string, count: number) =>
  name.startsWith('tasks.') || (name === 'issues.list {}' && count === 50)

/** A page for a key that is bound to projects reads few buffers, first and deep. */
export async function testViews({ host, home, caller, plansOf, variants }: Large): Promise<void> {
  const { rows } = await host.sql.query<{ id: string }>(
    'select id from projects where workspace_id = $1 order by id limit 50',
    [home.uuid],
  )
  const projects = rows.map(({ id }) => encodeId('prj', id))
  const lists = variants.filter(({ name }) => isAcrossProjects.test(name))
  assert.equal(lists.length, 7, lists.map(({ name }) => name).join())
  for (const { name, listing } of lists) {
    for (const { projects: count, most } of bounds) {
      const titled = `${name}: a page of a key bound to ${count} projects reads few buffers`
      test(titled, { todo: isLong && notReached(name, count) }, async (t) => {
        const rowTexts = new RowTexts(new WorkspaceMemory(64 * 1024 ** 2))
        const view = View.listed(projects.slice(0, count))
        const list = listing({ ...caller, rowTexts, view })
        const isWideTasks = name.startsWith('tasks.') && count === 50
        const bound = { rows: rowsOf(name), most: () => (isWideTasks ? tasksMax : most) }
        t.diagnostic(await assertPages(plansOf, list, bound))
      })
    }
  }

  test('a complete list of a bound key reads a page after the other', async () => {
    const view = View.listed(projects.slice(0, 3))
    for (const { name, listing } of lists) {
      const sent = await sentDuring(() => listing({ ...caller, view }).all(async () => {}))
      const ranged = sent.filter(isRead).filter((each) => indexRangesOf(each) !== null)
      assert.ok(ranged.length > 0, name)
      const [first] = ranged
      assert.ok(first)
      for (const plan of await plansOf([first])) assertBound(plan, 3 * 500 * probe)
    }
  })
}

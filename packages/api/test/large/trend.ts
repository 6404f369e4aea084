import assert from 'node:assert/strict'
import { test } from 'node:test'

import { measure } from '@muster/testing/measure'

import { viewTrend } from '#domain/time/trend'
import { View } from '#storage/statements/view'
import { encodeId } from '#storage/values/id'
import { size } from '#test/support/size'
import { sentDuring } from '#test/support/statements'

import { assertNoScan, isRead, type Large, modes } from './plans.ts'

const projects = size(200, 2000)

/** Each row of a project is on a page of its own, because the rows of a day are written together. */
const rowsEach = Math.floor(365 / 3) + 1
const besides = 2000

/** Every project has figures on a third of the days, as the workspace has on each day. */
const fill = `
  with ending as (
    select seq, (now() at time zone time_zone)::date as today
    from workspaces join workspace_counters on workspace_id = id where id = $1
  ), closed as (
    insert into days (workspace_id, day, ends_at, last_seq)
    select $1, today - n, now() - make_interval(days => n - 1), seq
    from ending cross join generate_series(1, 365) as n
    on conflict do nothing
  )
  insert into daily_figures
  select $1, project.id, today - n, array_fill(1 + n % 3, '{25}'), n % 5, n % 2, n % 4, n % 3,
    n % 2, 0, n % 9, n % 2, n % 2, n % 4, n % 9, n % 4, n % 2
  from ending cross join generate_series(1, 365) as n cross join (
    (select id, 3 as step from projects where workspace_id = $1 order by id limit $2)
    union all select '00000000-0000-0000-0000-000000000000', 1
  ) as project
  where n % step = 0
  on conflict do nothing`

interface Case {
  readonly query: Parameters<typeof viewTrend>[1]
  readonly view?: View
  /** The most buffers of all statements. */
  readonly most: number
  /** The time that the design allows, in milliseconds. */
  readonly ms: number
}

/** A year by day reads the rows of the workspace, not those of its projects. */
export async function testTrend({ host, home, caller, plansOf }: Large): Promise<void> {
  await host.sql.query(fill, [home.uuid, projects])
  await host.sql.query('analyze days, daily_figures')
  const { rows } = await host.sql.query<{ id: string }>(
    'select id from projects where workspace_id = $1 order by id limit 50',
    [home.uuid],
  )
  const some = rows.map(({ id }) => encodeId('prj', id))
  const from = new Date(Date.now() - 364 * 86_400_000).toISOString().slice(0, 10)
  const cases: Readonly<Record<string, Case>> = {
    'a year by day': { query: { from }, most: besides, ms: 300 },
    'a year by day of 50 projects': {
      query: { from },
      view: View.listed(some),
      most: 50 * rowsEach * 1.2 + besides,
      ms: 900,
    },
    [`a year by week of each of ${projects} projects`]: {
      query: { from, step: 'week', include: ['projects'] },
      most: projects * (rowsEach + 20) * 1.2 + besides,
      ms: 3000,
    },
  }
  for (const [what, { query, view = View.all, most, ms }] of Object.entries(cases)) {
    test(`trend: ${what} reads few buffers`, async (t) => {
      const reader = { ...caller, view }
      const sent = await sentDuring(async () => {
        const { points } = await viewTrend(reader, query)
        assert.equal(points.length >= 52, true, `${points.length} points`)
      })
      const start = performance.now()
      await viewTrend(reader, query)
      measure(t, what, { value: performance.now() - start, atMost: ms })
      const plans = await plansOf(sent.filter(isRead))
      for (const mode of modes) {
        const those = plans.filter((plan) => plan.mode === mode)
        for (const plan of those) assertNoScan(plan)
        const buffers = those.map((plan) => plan.buffers)
        const sum = buffers.reduce((total, each) => total + each, 0)
        t.diagnostic(`${mode}: ${buffers.join(' + ')} = ${sum} buffers`)
        assert.ok(sum <= most, `${sum} buffers\n${those.map(({ text }) => text).join('\n')}`)
      }
    })
  }
}

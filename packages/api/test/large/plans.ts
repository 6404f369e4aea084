import assert from 'node:assert/strict'

import type { Caller } from '#domain/caller'
import type { Listing } from '#domain/listing'
import { planning } from '#storage/pool'

import { atEnd } from './at-end.ts'
import { connect } from './database.ts'
import type { ListVariant } from './lists.ts'
import { type Plan, planOf } from './plan.ts'
import { type Statement, sentDuring } from './statements.ts'
import type { Host, newWorkspace } from './workspace.ts'

/** The full workspace, someone who may do everything in it, and the plans of what they ask. */
export interface Large {
  readonly host: Host
  readonly home: Awaited<ReturnType<typeof newWorkspace>>
  readonly caller: Caller<'personnel.manage'> & Caller<'projects.manage'>
  readonly plansOf: PlansOf
  readonly variants: readonly ListVariant[]
}

/** A look-up by a key goes down one index, of four levels at most, and to the row. */
export const probe = 5

/** What is asked beside a list: who is there, whether the project is, a thousand names. */
export const besides = 20

/** The statement of a list begins with its lanes: as many as its first parameter has values. */
export const lanesOf = ({ sql, parameters: [first] }: Statement) =>
  sql.includes('as lane') && Array.isArray(first) ? first.length : null

/** What reads; `set_config` only says in which workspace. */
export const isRead = ({ sql }: Statement) =>
  /^\s*(select|with)/.test(sql) && !sql.includes('set_config')

export const distinct = (sent: Statement[]) => [
  ...new Map(sent.map((each) => [each.sql, each])).values(),
]

export const modes = ['force_custom_plan', 'force_generic_plan']

interface ModePlan extends Plan {
  readonly mode: string
  readonly statement: Statement
}

/** Every plan of these statements: made for their values, and for any. */
export type PlansOf = (sent: Statement[], plan?: typeof planOf) => Promise<ModePlan[]>

/**
 * Plans as the service gets them: its role, its row level security, the statistics of the tables.
 */
export async function openPlans(url: string, workspace: string): Promise<PlansOf> {
  const service = await connect(url)
  atEnd(() => service.end())
  await service.query(`set role muster_app; set timezone = 'UTC'`)
  for (const [name, value] of Object.entries(planning)) {
    await service.query(`set ${name} = ${value}`)
  }
  await service.query(`select set_config('app.ws', $1, false)`, [workspace])
  return async (sent, plan = planOf) => {
    const plans: ModePlan[] = []
    for (const mode of modes) {
      await service.query(`set plan_cache_mode = ${mode}`)
      for (const statement of sent) {
        plans.push({ ...(await plan(service, statement)), mode, statement })
      }
    }
    return plans
  }
}

export function assertBound(
  { buffers, scanned, text, mode }: Omit<ModePlan, 'statement'>,
  most: number,
) {
  assert.ok(buffers <= most, `${buffers} buffers of ${most}, ${mode}\n${text}`)
  assertNoScan({ scanned, text })
}

/** The table of a single row is read as it is. */
export function assertNoScan({ scanned, text }: Pick<Plan, 'scanned' | 'text'>): void {
  const large = scanned.filter((table) => table !== 'cluster')
  assert.deepEqual(large, [], text)
}

/** A page as the console asks for it: of people and groups it shows more. */
export const rowsOf = (list: string) => (/^(personnel|groups)\./.test(list) ? 100 : 50)

/**
 * The most buffers that a page may read. Its rows lie on as many pages of the heap as there are
 * rows, and a lane of a filter may fill the page by itself. Marks and memberships lead to each row
 * by its id; and who is asked for by id is a lane alone. A step of a history looks up what was
 * before and what was told; of a batch, all that was told.
 */
export function buffersMax(list: string, query: object, lanes: number): number {
  const rows = rowsOf(list)
  if (list.includes('.history')) return rows * 3 * probe
  if ('user_id' in query) return lanes * probe
  const isThrough = ['tag', 'flag', 'group_id'].some((name) => name in query)
  if (isThrough) return lanes * (rows + 1) * (probe + 1)
  return rows + 50 + (lanes - 1) * (rows + 6)
}

/** Where the second half begins; of a long list, where ten thousand rows have been passed. */
async function middleOf(list: Listing<object>) {
  const first = await list.page({ after: null, countMax: null, limit: 10_000 })
  if (first.next !== null || first.items.length < 2) return first.next
  const limit = Math.floor(first.items.length / 2)
  return (await list.page({ after: null, countMax: null, limit })).next
}

interface PageBound {
  readonly rows: number
  readonly most: (lanes: number) => number
}

/** A page reads no more than it may, first and deep. Tells how much it reads. */
export async function assertPages(
  plansOf: PlansOf,
  list: Listing<object>,
  { rows, most }: PageBound,
): Promise<string> {
  const seen: string[] = []
  for (const after of [null, await middleOf(list)]) {
    const sent = await sentDuring(() => list.page({ after, limit: rows, countMax: null }))
    for (const plan of await plansOf(sent.filter(isRead))) {
      const lanes = lanesOf(plan.statement)
      const isList = lanes !== null || /\bhistory\b/.test(plan.statement.sql)
      const allowed = isList ? most(lanes ?? 1) : besides
      assertBound(plan, allowed)
      if (isList) seen.push(`${plan.buffers} of ${allowed}`)
    }
  }
  assert.ok(seen.length > 0, 'nothing was read')
  return `${seen.join(', ')} buffers`
}

/** What beside the workspace leads to one row; where nothing does, there is one for each. */
const keys: Readonly<Record<string, readonly string[]>> = {
  workspace_counters: [],
  workspaces: [],
  sweeps: [],
  risk_marks: ['value', 'id'],
  issue_marks: ['value', 'id'],
  tallies: ['value'],
  memberships: ['group_id', 'user_id'],
}

/** Whatever a change touches it finds by its key. */
export function assertByKey({ entered, text, scanned }: Plan): void {
  assertNoScan({ text, scanned })
  for (const { table, condition } of entered) {
    for (const column of keys[table] ?? ['id']) {
      const isGiven = new RegExp(`\\b${column} = `).test(condition)
      assert.ok(isGiven, `${table} is entered by ${condition} and not by its ${column}\n${text}`)
    }
  }
}

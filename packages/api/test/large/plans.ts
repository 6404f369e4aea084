import assert from 'node:assert/strict'

import { atEnd } from '@muster/testing/at-end'

import type { Caller } from '#domain/engine/caller'
import type { Listing, PageRequest } from '#domain/engine/listing'
import { planning } from '#storage/connection/pool'
import type { ListVariant } from '#test/contract/lists'
import { connect } from '#test/support/database'
import { type Statement, sentDuring } from '#test/support/statements'
import type { Host, newWorkspace } from '#test/support/workspace'

import { type Plan, planOf } from './plan.ts'
import { scale } from './spread.ts'

/** The full workspace, a caller with every scope, and a function that returns plans. */
export interface Large {
  readonly host: Host
  readonly home: Awaited<ReturnType<typeof newWorkspace>>
  readonly caller: Caller<'personnel.manage'> & Caller<'projects.manage'>
  readonly plansOf: PlansOf
  readonly variants: readonly ListVariant[]
}

/** Buffers of a lookup by key: at most four index levels, and the row. */
export const probe = 5

/** Buffers of the other statements of a list: authentication, the project, a thousand names. */
export const besides = 20

/** The number of keyset ranges of a list statement: the length of its first parameter. */
export const indexRangesOf = ({ sql, parameters: [first] }: Statement) =>
  sql.includes('as index_range') && Array.isArray(first) ? first.length : null

/** True for a statement that changes rows, also one that starts with the rows it changes. */
export const isChange = ({ sql }: Statement) =>
  /^\s*(insert|update|delete)\b/.test(sql) || /^\s*with\b[^]*\binsert into\b/.test(sql)

/** True for a query. */
export const isRead = (statement: Statement) =>
  /^\s*(select|with)/.test(statement.sql) && !isChange(statement)

export const distinct = (sent: Statement[]) => [
  ...new Map(sent.map((each) => [each.sql, each])).values(),
]

export const modes = ['force_custom_plan', 'force_generic_plan']

interface ModePlan extends Plan {
  readonly mode: string
  readonly statement: Statement
}

/** Returns the custom plan and the generic plan of each statement. */
export type PlansOf = (sent: Statement[], plan?: typeof planOf) => Promise<ModePlan[]>

/** Plans as the service gets them: with its role, row level security and planner settings. */
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

/** Only the single-row table `cluster` may be scanned. */
export function assertNoScan({ scanned, text }: Pick<Plan, 'scanned' | 'text'>): void {
  const large = scanned.filter((table) => table !== 'cluster')
  assert.deepEqual(large, [], text)
}

/** The page size of the console: 100 for people and groups, 50 for other lists. */
export const rowsOf = (list: string) => (/^(personnel|groups)\./.test(list) ? 100 : 50)

/**
 * The most buffers that a page may read. Each row can be on its own heap page, and each keyset
 * range of a filter can fill the page alone. Tag and flag index rows and memberships lead to each
 * row by its id. A filter of people by user id has one range per id. A history entry also reads the
 * previous state, the earlier metadata if they changed, and its events; for a batch, all events.
 */
export function buffersMax(list: string, query: object, indexRanges: number): number {
  const rows = rowsOf(list)
  // A page reads one row more than it has, to know whether there is a next one.
  if (list.includes('.history')) return (rows + 1) * 3 * probe
  if ('user_id' in query && list.startsWith('personnel.')) return indexRanges * probe
  const isThrough = ['tag', 'flag', 'group_id'].some((name) => name in query)
  if (isThrough) return indexRanges * (rows + 1) * (probe + 1)
  return rows + 50 + (indexRanges - 1) * (rows + 6)
}

/** The cursor in the middle of a list, or after a tenth of a long one. */
async function middleOf(list: Listing<object>) {
  const first = await list.page({ after: null, countMax: null, limit: 10_000 * scale })
  if (first.next !== null || first.items.length < 2) return first.next
  const limit = Math.floor(first.items.length / 2)
  return (await list.page({ after: null, countMax: null, limit })).next
}

interface PageBound {
  readonly rows: number
  readonly most: (indexRanges: number) => number
}

/** Asserts the bound for the first page and a deep one. Returns the buffers read, for printing. */
export async function assertPages(
  plansOf: PlansOf,
  list: Listing<object>,
  { rows, most }: PageBound,
): Promise<string> {
  const seen: string[] = []
  for (const after of [null, await middleOf(list)]) {
    const ask = { after, limit: rows, countMax: null }
    const sent = await sentDuring(() => list.page(ask))
    const known = await keysSentFor(list, ask)
    for (const plan of await plansOf([...sent.filter(isRead), ...known])) {
      const indexRanges = indexRangesOf(plan.statement)
      const isList = indexRanges !== null || /\bhistory\b/.test(plan.statement.sql)
      const others = known.includes(plan.statement) ? besides : 0
      const allowed = isList ? most(indexRanges ?? 1) + others : besidesOf(plan.statement)
      assertBound(plan, allowed)
      if (isList) seen.push(`${plan.buffers} of ${allowed}`)
    }
  }
  assert.ok(seen.length > 0, 'nothing was read')
  return `${seen.join(', ')} buffers`
}

/** A statement that finds ids by codes or emails reads an index entry and a row for each. */
function besidesOf({ sql, parameters }: Statement): number {
  const names = /= any\(\$2::text\[\]\)/.test(sql) ? parameters[1] : []
  return Array.isArray(names) ? besides + names.length * probe : besides
}

/** The statement of a page of known rows; none for a list that is always read with its rows. */
async function keysSentFor(list: Listing<object>, ask: PageRequest): Promise<Statement[]> {
  if ((await list.pageTexts(ask)) === null) return []
  // The second or third time, the service asks for the keys first.
  for (let tries = 0; tries < 3; tries++) {
    const sent = await sentDuring(() => list.pageTexts(ask))
    const keys = sent.filter(({ sql }) => sql.startsWith('with page as'))
    if (keys.length > 0 && sent.length === 2) return keys
  }
  return assert.fail('the rows of a page are not known after it was read')
}

/** Key columns of each table besides the workspace. Empty means one row per workspace. */
const keys: Readonly<Record<string, readonly string[]>> = {
  workspace_counters: [],
  workspaces: [],
  sweeps: [],
  risk_index_rows: ['value', 'id'],
  issue_index_rows: ['value', 'id'],
  summary_counts: ['value'],
  memberships: ['group_id', 'user_id'],
  // A person has few of these. All end with a suspension or a departure.
  sessions: ['user_id'],
  sign_in_links: ['user_id'],
  passkeys: ['user_id'],
  identities: ['user_id'],
  binding_holds: ['user_id'],
  departures: ['user_id'],
  visits: ['user_id'],
  access_entries: ['subject_id'],
  // Erasure finds entries about a person and by a person, by two indexes.
  audit_entries: [],
}

/** Asserts that a write finds every row by its key. */
export function assertByKey({ entered, text, scanned }: Plan): void {
  assertNoScan({ text, scanned })
  for (const { table, condition } of entered) {
    for (const column of keys[table] ?? ['id']) {
      const isGiven = new RegExp(`\\b${column} = `).test(condition)
      assert.ok(isGiven, `${table} is read by ${condition}, not by ${column}\n${text}`)
    }
  }
}

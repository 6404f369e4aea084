import type { Client } from 'pg'

import { uuidOf } from '#storage/values/id'

interface State {
  readonly id: string
  readonly noun: 'risk' | 'issue' | 'task'
  readonly from_seq: number
  readonly project_id: string
  readonly status: string
  readonly likelihood: number | null
  readonly impact: number | null
  readonly response: string | null
  readonly flags: readonly string[]
  readonly due_on: string | null
}

interface Day {
  readonly day: string
  readonly last_seq: number
  readonly has_task_figures: boolean
}

const nil = '00000000-0000-0000-0000-000000000000'

const counted: Readonly<Record<State['noun'], readonly string[]>> = {
  risk: ['identified', 'treating', 'monitoring'],
  issue: ['open', 'in_progress', 'blocked'],
  task: ['todo', 'in_progress', 'blocked'],
}

const counts = ({ noun, status }: State) => counted[noun].includes(status)

type Figures = Record<string, number>

/** What an item counts as at the end of a day. */
const namesOf: Readonly<Record<State['noun'], (state: State, day: string) => string[]>> = {
  risk: ({ likelihood, impact, response, flags }) => {
    const isAbove = flags.includes('above_appetite')
    const isAccepted = response === 'accept' && !flags.includes('acceptance_expired')
    return [
      `cell ${likelihood}${impact}`,
      ...(flags.includes('review_overdue') ? ['reviews_overdue'] : []),
      ...(isAbove ? ['above_appetite'] : []),
      ...(isAbove && isAccepted ? ['above_appetite_accepted'] : []),
    ]
  },
  issue: ({ flags }) => ['issues_open', ...(flags.includes('overdue') ? ['issues_overdue'] : [])],
  task: ({ due_on: due }, day) => [
    'tasks_open',
    ...(due !== null && due < day ? ['tasks_overdue'] : []),
  ],
}

/** Counts one after another what there is at the end of a day. */
function levelsOf(states: Iterable<State>, { day }: Day): Map<string, Figures> {
  const found = new Map<string, Figures>()
  for (const state of states) {
    if (!counts(state)) continue
    const names = namesOf[state.noun](state, day)
    for (const project of [uuidOf(state.project_id), nil]) add(found, project, names)
  }
  return found
}

function add(to: Map<string, Figures>, project: string, names: readonly string[]): void {
  const figures = to.get(project) ?? {}
  to.set(project, figures)
  for (const name of names) figures[name] = (figures[name] ?? 0) + 1
}

/** Counts what happened, from the states of a day and those before them. */
function addFlows(to: Map<string, Figures>, before: State | undefined, after: State): void {
  const wasIn = (project: string) =>
    before !== undefined && counts(before) && [uuidOf(before.project_id), nil].includes(project)
  const isIn = (project: string) =>
    counts(after) && [uuidOf(after.project_id), nil].includes(project)
  const projects = [before, after].flatMap((state) => (state ? [uuidOf(state.project_id)] : []))
  for (const project of new Set([...projects, nil])) {
    if (wasIn(project) === isIn(project)) continue
    const names = {
      risk: isIn(project)
        ? ['entered']
        : ['left', ...(after.status === 'occurred' ? ['occurred'] : [])],
      issue: [isIn(project) ? 'issues_opened' : 'issues_closed'],
      task: !isIn(project) && after.status === 'done' ? ['tasks_done'] : [],
    }[after.noun]
    add(to, project, names)
  }
}

interface KeptRow {
  readonly project_id: string
  readonly day: string
  readonly cells: readonly number[]
}

async function keptAt(sql: Client, workspace: string, day: string): Promise<Map<string, Figures>> {
  const { rows } = await sql.query<{ kept: KeptRow }>(
    `select distinct on (project_id) to_jsonb(f) - 'workspace_id' as kept from daily_figures as f
     where workspace_id = $1 and day <= $2 order by project_id, day desc`,
    [workspace, day],
  )
  return new Map(
    rows.map(({ kept: { project_id, day: on, cells, ...figures } }) => {
      const flows = on === day ? {} : Object.fromEntries(flowNames.map((name) => [name, 0]))
      const matrix = cells.map((count, cell) => [
        `cell ${Math.floor(cell / 5) + 1}${(cell % 5) + 1}`,
        count,
      ])
      return [project_id, { ...figures, ...flows, ...Object.fromEntries(matrix) }]
    }),
  )
}

const flowNames = ['entered', 'left', 'occurred', 'issues_opened', 'issues_closed', 'tasks_done']

interface FigureScope {
  readonly workspace?: string | null
  /** How many of the last closed days of a workspace are compared. */
  readonly days: number
}

/** Compares the figures of closed days with those counted again from the states. */
export async function findFigureDrift(
  sql: Client,
  { workspace = null, days: most }: FigureScope,
): Promise<string[]> {
  const { rows } = await sql.query<{ workspace_id: string }>(
    `select distinct workspace_id from days
     where $1::uuid is null or workspace_id = $1`,
    [workspace],
  )
  const found: string[] = []
  for (const { workspace_id: each } of rows) found.push(...(await compareDays(sql, each, most)))
  return found
}

async function compareDays(sql: Client, workspace: string, most: number): Promise<string[]> {
  const { rows: days } = await sql.query<Day>(
    `select day::text, last_seq::integer, has_task_figures from days
     where workspace_id = $1 order by day`,
    [workspace],
  )
  const { rows: states } = await sql.query<State>(
    `select h.id, noun, from_seq::integer, data ->> 'project_id' as project_id,
       data ->> 'status' as status, (data ->> 'likelihood')::integer as likelihood,
       (data ->> 'impact')::integer as impact, data ->> 'response' as response,
       array(select jsonb_array_elements_text(data -> 'flags')) as flags,
       data ->> 'due_on' as due_on
     from history as h where workspace_id = $1 and noun in ('risk', 'issue', 'task')
     order by from_seq`,
    [workspace],
  )
  const present = new Map<string, State>()
  const found: string[] = []
  let next = 0
  for (const [index, day] of days.entries()) {
    const flows = new Map<string, Figures>()
    for (; (states[next]?.from_seq ?? Infinity) <= day.last_seq; next++) {
      const state = states[next]
      if (state === undefined) break
      addFlows(flows, present.get(state.id), state)
      present.set(state.id, state)
    }
    if (index < days.length - most) continue
    const wanted = levelsOf(present.values(), day)
    for (const [project, each] of flows) wanted.set(project, { ...wanted.get(project), ...each })
    found.push(...differences(day, wanted, await keptAt(sql, workspace, day.day)))
  }
  return found
}

function differences(
  { day, has_task_figures: hasTasks }: Day,
  wanted: ReadonlyMap<string, Figures>,
  kept: ReadonlyMap<string, Figures>,
): string[] {
  return [...new Set([...wanted.keys(), ...kept.keys()])].flatMap((project) => {
    const [is, should] = [kept.get(project) ?? {}, wanted.get(project) ?? {}]
    return [...new Set([...Object.keys(is), ...Object.keys(should)])]
      .filter((name) => hasTasks || !name.startsWith('tasks_'))
      .filter((name) => (is[name] ?? 0) !== (should[name] ?? 0))
      .map(
        (name) =>
          `The figure ${name} of ${project} on ${day} is ${is[name] ?? 0}, and should be ${should[name] ?? 0}.`,
      )
  })
}

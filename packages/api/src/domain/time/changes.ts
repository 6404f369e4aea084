import {
  changeGroups,
  type ChangedRisk,
  type FiguresChange,
  type Input,
  limits,
  type Operations,
  type Output,
  pointEdges,
} from '@muster/contract'

import type { Caller } from '#domain/engine/caller'
import { Failure } from '#domain/engine/failure'
import { resolvePoint } from '#domain/engine/points'
import { projectNames } from '#domain/projects/project-names'
import { readScores } from '#domain/projects/scores'
import { later } from '#domain/rules/time'
import { selectTimeOf } from '#storage/nouns/changes'
import type { Read, Snapshot } from '#storage/statements/access'

import {
  type EntryContext,
  type Grouped,
  readChangedIssues,
  readChangedProjects,
  readChangedRisks,
} from './change-entries.ts'
import { addFlows, FigureCount, type Flows, isUnchanged, noFlows } from './figures.ts'
import { readRegisterAt, type RegisterAt } from './registers.ts'
import {
  type Interval,
  readTouched,
  type Touched,
  type TouchedItems,
  type TouchedTask,
} from './touched-items.ts'

type View = Operations['changes']['view']
type Query = Input<View>['query']

/** What changed between two points: one entry for each item, and the figures at both. */
export function viewChanges(caller: Caller<'projects.read'>, query: Query): Promise<Output<View>> {
  return caller.database.snapshot(caller, async (snapshot) => {
    const interval = await resolveInterval(caller, snapshot, query)
    const nameOf = await projectNames(caller.database, snapshot)
    const filters = filtersOf(caller, query)
    const touched = await readTouched(snapshot, interval)
    const registers = await readRegisters(snapshot, interval, { filters, ranked: touched.risk })
    const { since, until } = registers
    const ranks = { since: since.ranks, until: until.ranks }
    const context = { read: snapshot, interval, nameOf, ...filters, ranks }
    const entries = await readEntries(context, touched)
    const isTruncated = entries.isTruncated || touched.isCut
    const flows = isTruncated ? null : flowsOf(entries, doneTasks(context, touched.tasks))
    const risks = query.include?.includes('scores')
      ? await withScores(snapshot, interval, entries.risks)
      : entries.risks
    return {
      ...interval,
      is_truncated: isTruncated,
      figures: presentFigures(registers, { flows, nameOf }),
      risks: inGroups(changeGroups.risks, risks),
      issues: inGroups(changeGroups.issues, entries.issues),
      projects: inGroups(changeGroups.projects, entries.projects),
    }
  })
}

async function resolveInterval(
  caller: Caller<'projects.read'>,
  snapshot: Snapshot,
  { since, until }: Query,
): Promise<Interval> {
  const resolve = (parameter: 'since' | 'until', text: string) =>
    resolvePoint(caller, snapshot, { parameter, text, edge: pointEdges[parameter] })
  const first = await resolve('since', since)
  const last = until === undefined ? (await snapshot.counters).seq : await resolve('until', until)
  if (first > last) throw refused('`since` must not be after `until`.')
  const interval = { since: first, until: last }
  await refuseLong(snapshot, interval)
  return interval
}

/** The length is that between the first and the last change. */
async function refuseLong(snapshot: Snapshot, { since, until }: Interval): Promise<void> {
  const from = await selectTimeOf(snapshot, since + 1)
  const to = await selectTimeOf(snapshot, until)
  if (from === null || to === null || later(from, limits.changesDays, 'days') >= to) return
  const detail =
    `There are changes of more than ${limits.changesDays} days between the points. ` +
    'Use points that are closer to each other.'
  throw refused(detail)
}

const refused = (detail: string) => new Failure('invalid_parameter', detail, { parameter: 'since' })

type Filters = Pick<EntryContext, 'isAsked' | 'isOwned'>

function filtersOf({ view }: Pick<Read, 'view'>, query: Query): Filters {
  const projects = query.project_id && new Set(query.project_id)
  const owners = query.owner_user_id && new Set(query.owner_user_id)
  return {
    isAsked: (id) => view.shows(id) && (projects?.has(id) ?? true),
    isOwned: (id) => owners?.has(id ?? 'none') ?? true,
  }
}

type Registers = Readonly<Record<keyof Interval, RegisterAt>>

async function readRegisters(
  snapshot: Snapshot,
  { since, until }: Interval,
  { filters, ranked }: { readonly filters: Filters; readonly ranked: TouchedItems['risk'] },
): Promise<Registers> {
  const isCounted = (item: {
    readonly project_id: string
    readonly owner_user_id: string | null
  }) => filters.isAsked(item.project_id) && filters.isOwned(item.owner_user_id)
  const query = { ranked, isCounted }
  return {
    since: await readRegisterAt(snapshot, { ...query, seq: since }),
    until: await readRegisterAt(snapshot, { ...query, seq: until }),
  }
}

const itemsAtOnce = 1000

type Entries = Awaited<ReturnType<typeof readEntries>>

/** The entries of the items that changed first, up to the limit. */
async function readEntries(context: EntryContext, { risk, issue, project }: TouchedItems) {
  const items = [
    ...inOrder('risk', risk),
    ...inOrder('issue', issue),
    ...inOrder('project', project),
  ]
    .filter(({ touched }) => canBeAsked(context, touched))
    .toSorted((a, b) => a.touched.first - b.touched.first)
  const risks: Awaited<ReturnType<typeof readChangedRisks>> = []
  const issues: Awaited<ReturnType<typeof readChangedIssues>> = []
  const projects: Awaited<ReturnType<typeof readChangedProjects>> = []
  const count = () => risks.length + issues.length + projects.length
  let first = 0
  for (; first < items.length && count() < limits.changesMax;) {
    const some = items.slice(first, first + Math.min(itemsAtOnce, limits.changesMax - count()))
    const of = (noun: string) =>
      some.filter((item) => item.noun === noun).map(({ touched }) => touched)
    risks.push(...(await readChangedRisks(context, of('risk'))))
    issues.push(...(await readChangedIssues(context, of('issue'))))
    projects.push(...(await readChangedProjects(context, of('project'))))
    first += some.length
  }
  return { risks, issues, projects, isTruncated: first < items.length }
}

/** False for an item that stayed in projects that were not asked for. */
const canBeAsked = ({ isAsked }: EntryContext, { projects, changed }: Touched) =>
  projects.size === 0 || changed.has('project_id') || [...projects].some((id) => isAsked(id))

const inOrder = (noun: string, items: ReadonlyMap<string, Touched>) =>
  [...items.values()].map((touched) => ({ noun, touched }))

async function withScores<G>(
  snapshot: Snapshot,
  { until: seq }: Interval,
  risks: readonly Grouped<ChangedRisk, G>[],
): Promise<Grouped<ChangedRisk, G>[]> {
  const ids = risks.map(({ entry }) => entry.id)
  const scores = await readScores(snapshot, { ids, seq })
  return risks.map(({ entry, ...rest }) => ({
    ...rest,
    entry: { ...entry, scores: scores.get(entry.id) ?? [] },
  }))
}

/** The tasks that were done between the points, by project. */
function doneTasks({ isAsked, isOwned }: EntryContext, tasks: readonly TouchedTask[]): string[] {
  return tasks.flatMap(({ before, after }) => {
    if (after?.status !== 'done' || before?.status === 'done') return []
    return isAsked(after.project_id) && isOwned(after.assignee_user_id) ? [after.project_id] : []
  })
}

type FlowsByProject = ReadonlyMap<string, Flows>

function flowsOf({ issues }: Entries, done: readonly string[]): FlowsByProject {
  const flows = new Map<string, Flows>()
  const add = (project: string, more: Flows) =>
    flows.set(project, addFlows(flows.get(project) ?? noFlows, more))
  for (const { entry, flows: more } of issues) add(entry.project.id, more)
  for (const project of done) add(project, { ...noFlows, tasks_done: 1 })
  return flows
}

interface FigureDetails {
  /** Null if they are not known. */
  readonly flows: FlowsByProject | null
  readonly nameOf: EntryContext['nameOf']
}

const unknownFlows = { issues_opened: null, issues_closed: null, tasks_done: null }

function presentFigures(
  { since, until }: Registers,
  { flows, nameOf }: FigureDetails,
): FiguresChange {
  const ids = new Set([
    ...since.byProject.keys(),
    ...until.byProject.keys(),
    ...(flows?.keys() ?? []),
  ])
  const none = new FigureCount()
  const by_project = [...ids].toSorted().flatMap((id) => {
    const before = (since.byProject.get(id) ?? none).figures
    const after = (until.byProject.get(id) ?? none).figures
    const own = flows?.get(id) ?? noFlows
    if (isUnchanged(before, after, own)) return []
    return [{ project: nameOf(id), before, after, ...(flows === null ? unknownFlows : own) }]
  })
  const all = flows && [...flows.values()].reduce(addFlows, noFlows)
  const [before, after] = [since.total.figures, until.total.figures]
  return { before, after, ...(all ?? unknownFlows), by_project }
}

/** The entries of each group, in the order of their ranks and references. */
function inGroups<Entry extends Ordered, Group extends string>(
  names: readonly Group[],
  grouped: readonly Grouped<Entry, Group>[],
): Record<Group, Entry[]> {
  const byGroup = Map.groupBy(grouped, ({ group }) => group)
  const entriesOf = (name: Group) =>
    (byGroup.get(name) ?? []).map(({ entry }) => entry).toSorted(compare)
  // The cast holds because each name has its entries.
  return Object.fromEntries(names.map((name) => [name, entriesOf(name)])) as Record<Group, Entry[]>
}

interface OrderedState {
  readonly status: string
  readonly rank?: number | null
  readonly severity?: number
}

interface Ordered {
  readonly id: string
  readonly before: OrderedState | null
  readonly after: OrderedState | null
}

const placeOf = ({ before, after }: Ordered) =>
  after?.rank ?? before?.rank ?? -((after ?? before)?.severity ?? -Infinity)

function compare(a: Ordered, b: Ordered): number {
  const [one, other] = [placeOf(a), placeOf(b)]
  if (one !== other) return one < other ? -1 : 1
  return a.id < b.id ? -1 : 1
}

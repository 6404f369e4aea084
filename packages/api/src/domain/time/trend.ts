/** The trend: the figures of past days, and those of today until now. */

import {
  type Level,
  levels,
  limits,
  type Trend,
  type TrendPoint,
  type trendSteps,
} from '@muster/contract'

import type { Caller } from '#domain/engine/caller'
import { Failure } from '#domain/engine/failure'
import { projectNames } from '#domain/projects/project-names'
import { level, scaleAt, score } from '#domain/rules/score'
import { addDays } from '#domain/rules/time'
import { type DailyCounts, selectFiguredProjects } from '#storage/nouns/daily-figures'
import { selectKnownDays, selectWorstRisks, type WorstRisk } from '#storage/nouns/trend'
import { selectMoment } from '#storage/numbers/moment'
import type { Snapshot } from '#storage/statements/access'
import { nil } from '#storage/statements/keyset'
import type { ProjectScope } from '#storage/statements/view'
import { encodeId } from '#storage/values/id'

import { isChanged, noFigures, sumOfFigures } from './day-figures.ts'
import { type Known, readKnownDays } from './known-days.ts'
import { type Period, periodsIn } from './periods.ts'
import { type AllSeries, figuresOf, readSeries } from './series.ts'

interface TrendQuery {
  readonly from?: string
  readonly to?: string
  readonly step?: (typeof trendSteps)[number]
  readonly project_id?: readonly string[]
  readonly include?: readonly string[]
}

const defaultDays = 90

/** Callers who do not see all projects get the sums over theirs, and never those of all. */
export function viewTrend(caller: Caller<'projects.read'>, query: TrendQuery): Promise<Trend> {
  return caller.database.snapshot(caller, async (snapshot) => {
    const moment = await selectMoment(snapshot, caller.database.givenTime)
    const interval = intervalOf(query, moment.today)
    const known = await readKnownDays(snapshot, moment)
    const periods = shownPeriods(periodsIn(interval), known)
    const scope = caller.view.scope(query.project_id)
    const projects = scope.uuids ?? [nil]
    const all = await readSeries(snapshot, projects, { periods, known })
    const moments = await readMoments(snapshot, periods, known)
    const present = (figures: DailyCounts, index: number) => presentPoint(figures, moments[index])
    return {
      as_of: (await snapshot.counters).seq,
      ...interval,
      points: summed(all, periods.length).map(present),
      ...(query.include?.includes('projects') && {
        projects: await readProjects(caller, snapshot, { scope, periods, known, present }),
      }),
    }
  })
}

function intervalOf({ from, to, step = 'day' }: TrendQuery, today: string) {
  const last = to ?? today
  const interval = { from: from ?? addDays(last, 1 - defaultDays), to: last, step }
  if (last > today) {
    const detail = `\`to=${last}\` is not a past point. It is ${today}.`
    throw new Failure('unknown_point', detail, { parameter: 'to' })
  }
  if (interval.from > last) {
    const detail = '`from` must not be after `to`.'
    throw new Failure('invalid_parameter', detail, { parameter: 'from' })
  }
  return interval
}

/** The periods of which there are figures, without days that have none. */
function shownPeriods(periods: readonly Period[], { first, closed, live }: Known): Period[] {
  const last = live.at(-1)?.day ?? closed?.day ?? ''
  return periods
    .filter(({ start, end }) => end >= first && start <= last)
    .map(({ start, end }) => ({ start, end: end > last ? last : end }))
}

/** What the figures of a period depend on besides the changes. */
interface PeriodEnd {
  readonly day: string
  readonly isClosed: boolean
  readonly hasTasks: boolean
  readonly scale: ReturnType<typeof scaleAt>
}

async function readMoments(
  snapshot: Snapshot,
  periods: readonly Period[],
  { closed, live }: Known,
): Promise<PeriodEnd[]> {
  const days = await selectKnownDays(snapshot, { days: periods.map(({ end }) => end) })
  const liveSeqs = new Map(live.map(({ day, lastSeq }) => [day, lastSeq]))
  const { lastWithoutTasks } = days
  return periods.map(({ start, end: day }) => ({
    day,
    isClosed: closed !== null && day <= closed.day,
    hasTasks: lastWithoutTasks === null || start > lastWithoutTasks,
    scale: scaleAt(days.lastSeqs.get(day) ?? liveSeqs.get(day) ?? 0),
  }))
}

function summed(all: AllSeries, periods: number): DailyCounts[] {
  const each = [...all.values()].map((series) => figuresOf(series, periods).toArray())
  const [only] = each
  if (each.length === 1 && only !== undefined) return only
  return Array.from({ length: periods }, (_, index) =>
    sumOfFigures(each.map((figures) => figures[index] ?? noFigures)),
  )
}

const scores = Array.from({ length: 25 }, (_, cell) =>
  score(Math.floor(cell / 5) + 1, (cell % 5) + 1),
)

const exposureOf = ({ cells }: DailyCounts) =>
  cells.reduce((sum, count, cell) => sum + count * (scores[cell] ?? 0), 0)

function presentPoint(figures: DailyCounts, end: PeriodEnd | undefined): TrendPoint {
  const { day = '', isClosed = false, hasTasks = true, scale = scaleAt(0) } = end ?? {}
  const by_level = emptyLevels()
  const exposure_by_level = emptyLevels()
  for (const [cell, count] of figures.cells.entries()) {
    const product = scores[cell] ?? 0
    by_level[level(product, scale)] += count
    exposure_by_level[level(product, scale)] += count * product
  }
  const { cells, ...counts } = figures
  const { tasks_open, tasks_overdue, tasks_done } = counts
  const unknown = { tasks_open: null, tasks_overdue: null, tasks_done: null }
  return {
    day,
    is_closed: isClosed,
    live_risks: cells.reduce((sum, count) => sum + count, 0),
    exposure: exposureOf(figures),
    by_level,
    exposure_by_level,
    ...counts,
    ...(hasTasks ? { tasks_open, tasks_overdue, tasks_done } : unknown),
  }
}

// The cast holds because `levels` has every level.
const emptyLevels = () =>
  Object.fromEntries(levels.map((name) => [name, 0])) as Record<Level, number>

interface ProjectsQuery {
  readonly scope: ProjectScope
  readonly periods: readonly Period[]
  readonly known: Known
  readonly present: (figures: DailyCounts, index: number) => TrendPoint
}

type ProjectTrend = NonNullable<Trend['projects']>[number]

const chunkProjects = 250

async function readProjects(
  caller: Caller<'projects.read'>,
  snapshot: Snapshot,
  { scope, periods, known, present }: ProjectsQuery,
): Promise<ProjectTrend[]> {
  if (periods.length === 0) return []
  const projects = (scope.uuids ?? (await figuredProjects(snapshot, known))).toSorted()
  refuseTooMany(projects.length * periods.length)
  const nameOf = await projectNames(caller.database, snapshot)
  const found: ProjectTrend[] = []
  for (let first = 0; first < projects.length; first += chunkProjects) {
    const chunk = projects.slice(first, first + chunkProjects)
    const all = await readSeries(snapshot, chunk, { periods, known })
    const figured = [...all].filter(
      ([, { before, changed }]) => changed.size > 0 || isChanged(noFigures, before),
    )
    const worst = await selectWorstRisks(
      snapshot,
      figured.map(([project]) => project),
    )
    for (const [project, series] of figured) {
      const figures = figuresOf(series, periods.length).toArray()
      const last = figures.length - 1
      found.push({
        project: nameOf(encodeId('prj', project)),
        first: present(figures[0] ?? noFigures, 0),
        last: present(figures[last] ?? noFigures, last),
        exposure: figures.map(exposureOf),
        worst_risk: presentWorst(worst.get(project)),
      })
    }
  }
  return found
}

async function figuredProjects(snapshot: Snapshot, { live }: Known): Promise<readonly string[]> {
  const changed = live.flatMap((day) => day.changed.map(({ project }) => project))
  const projects = new Set([...(await selectFiguredProjects(snapshot)), ...changed])
  projects.delete(nil)
  return [...projects]
}

function refuseTooMany(values: number): void {
  if (values <= limits.trendValuesMax) return
  const detail =
    `\`include=projects\` returns at most ${limits.trendValuesMax} values of exposure, and this ` +
    `would be ${values}. Use a longer \`step\`, a later \`from\`, or \`project_id\`.`
  throw new Failure('invalid_parameter', detail, { parameter: 'include' })
}

const presentWorst = (risk: WorstRisk | undefined) =>
  risk === undefined ? null : { ...risk, level: level(risk.score) }

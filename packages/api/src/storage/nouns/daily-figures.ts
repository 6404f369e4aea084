/** The figures of projects at the end of each closed day, and those of the workspace. */

import { type RawBuilder, sql } from 'kysely'

import type { Read } from '#storage/statements/access'
import { isOneOf, isOwn, nil } from '#storage/statements/keyset'

/** What there is at the end of a day. */
export const levelNames = [
  'above_appetite',
  'above_appetite_accepted',
  'reviews_overdue',
  'issues_open',
  'issues_overdue',
  'tasks_open',
  'tasks_overdue',
] as const

/** What happened on a day. */
export const flowNames = [
  'entered',
  'left',
  'occurred',
  'issues_opened',
  'issues_closed',
  'tasks_done',
] as const

type LevelName = (typeof levelNames)[number]
type FlowName = (typeof flowNames)[number]

export interface DailyCounts extends Readonly<Record<LevelName | FlowName, number>> {
  /** Live risks by likelihood and impact: the first five are of likelihood 1. */
  readonly cells: readonly number[]
}

/** The figures of the workspace have the nil UUID instead of a project. */
export interface ProjectFigures {
  /** As a UUID. */
  readonly project: string
  readonly figures: DailyCounts
}

const levels = sql.join(levelNames.map((name) => sql.ref(name)))
const flows = sql.join(flowNames.map((name) => sql.ref(name)))

type FigureRow = Record<LevelName | FlowName, number> & {
  readonly project_id: string
  readonly cells: number[]
}

const presentFigures = ({ project_id: project, ...figures }: FigureRow): ProjectFigures => ({
  project,
  figures,
})

/** The last figures of these projects up to a day. A project without any is absent. */
export async function selectLastFigures(
  read: Read,
  { projects, day }: { readonly projects: readonly string[]; readonly day: string },
): Promise<ProjectFigures[]> {
  const { rows } = await sql<FigureRow>`
    select scope.id as project_id, cells, ${levels}, ${flows}
    from unnest(${projects}::uuid[]) as scope (id)
    cross join lateral (
      select cells, ${levels}, ${flows} from daily_figures
      where ${isOwn(read, 'daily_figures')} and daily_figures.project_id = scope.id
        and day <= ${day}::date
      order by day desc limit 1
    ) as kept`.execute(read.db)
  return rows.map(presentFigures)
}

interface PeriodQuery {
  readonly projects: readonly string[]
  /** The first day of each period, in order. */
  readonly starts: readonly string[]
  readonly until: string
}

/** The figures of a project that changed in a period: at its end, with what happened in it. */
export interface PeriodFigures extends ProjectFigures {
  /** The index of the period. */
  readonly period: number
}

export async function selectPeriodFigures(
  read: Read,
  { projects, starts, until }: PeriodQuery,
): Promise<PeriodFigures[]> {
  const sums = sql.join(
    flowNames.map((name) => sql`sum(${sql.ref(name)}) over period as ${sql.ref(name)}`),
  )
  const { rows } = await sql<FigureRow & { readonly period: number }>`
    select distinct on (project_id, period) project_id, period, cells, ${levels}, ${sums}
    from (
      select project_id, day, cells, ${levels}, ${flows},
        width_bucket(day, ${starts}::date[]) - 1 as period
      from daily_figures
      where ${isOwn(read, 'daily_figures')} and ${isOneOf('project_id', projects)}
        and day >= ${starts[0]}::date and day <= ${until}::date
    ) as kept
    window period as (partition by project_id, period)
    order by project_id, period, day desc`.execute(read.db)
  return rows.map(({ period, ...row }) => ({ period, ...presentFigures(row) }))
}

/** The projects that have figures, by a look-up for each. */
export async function selectFiguredProjects(read: Read): Promise<string[]> {
  const next = (after: RawBuilder<unknown>) => sql`(
    select project_id from daily_figures
    where ${isOwn(read, 'daily_figures')} and project_id > ${after}
    order by project_id limit 1
  )`
  const { rows } = await sql<{ id: string }>`
    with recursive found (id) as (
      select ${next(sql`${nil}::uuid`)}
      union all
      select ${next(sql.ref('found.id'))} from found where found.id is not null
    )
    select id from found where id is not null`.execute(read.db)
  return rows.map(({ id }) => id)
}

/** The figures of one day. */
export interface DayFigures {
  readonly day: string
  readonly changed: readonly ProjectFigures[]
}

const insertedRows = 1000

export async function insertFigures(read: Read, days: readonly DayFigures[]): Promise<void> {
  const rows = days.flatMap(({ day, changed }) =>
    changed.map(({ project, figures }) => ({ project_id: project, day, ...figures })),
  )
  for (let first = 0; first < rows.length; first += insertedRows) {
    const json = JSON.stringify(rows.slice(first, first + insertedRows))
    await sql`
      insert into daily_figures (workspace_id, project_id, day, cells, ${levels}, ${flows})
      select ${read.workspaceId}::uuid, project_id, day, cells, ${levels}, ${flows}
      from json_populate_recordset(null::daily_figures, ${json}::json)`.execute(read.db)
  }
}

import type { ListedProject, Trend } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { projectAddress, riskAddress } from '#data/addresses.ts'
import { ProjectSparkline } from '#kit/charts/sparklines.tsx'
import type { Column } from '#kit/list/columns.ts'
import { SmallList } from '#kit/list/small-list.tsx'
import { Title } from '#kit/list/title.tsx'
import { HealthShape } from '#kit/parts/health.tsx'
import { LevelBar } from '#kit/parts/level-bar.tsx'
import { AnchorLink } from '#kit/parts/links.tsx'
import { ScoreChip } from '#kit/parts/score.tsx'
import { changesQuery } from '#nouns/changes/queries.ts'
import { formatInstant } from '#text/dates.ts'
import { formatNearDay } from '#text/due.ts'
import { formatNumber, t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import { Delta } from './figures.tsx'
import { namedProjectsQuery, projectsQuery, projectTrendsQuery } from './queries.ts'

import classes from './overview.module.css'

type ProjectTrend = NonNullable<Trend['projects']>[number]

/** A project with its figures; null if it never had any. */
interface Row {
  readonly project: ListedProject
  readonly trend: ProjectTrend | null
  /** Its exposure on the compared day; undefined if it is unknown or equal. */
  readonly before: number | undefined
}

const rowsMax = 12

interface Props {
  /** Null if there is too little to compare. */
  readonly since: string | null
}

/** The rows, the worst first; undefined while they load. */
function useRows(since: string | null) {
  const all = useQuery(projectsQuery)
  const trends = useQuery(projectTrendsQuery)
  const projects = useShownProjects(all.data, trends.data?.projects)
  const beforeOf = useExposureBefore(since)
  const trendOf = new Map(trends.data?.projects?.map((trend) => [trend.project.id, trend]))
  const rows = projects.map((project): Row => ({
    project,
    trend: trendOf.get(project.id) ?? null,
    before: beforeOf.get(project.id),
  }))
  return {
    rows: all.data && trends.data && rows.toSorted(byTrouble),
    count: all.data?.count ?? 0,
    from: trends.data?.points[0]?.day ?? '',
    error: all.error ?? trends.error,
  }
}

/** The list of projects may lack some of those with the highest exposure. */
function useShownProjects(
  all: AllProjects | undefined,
  trends: readonly ProjectTrend[] | undefined,
): readonly ListedProject[] {
  const ids = idsOf(all, trends)
  const listed = new Map(all?.projects.map((project) => [project.id, project]))
  const missing = useQuery(namedProjectsQuery(ids.filter((id) => !listed.has(id))))
  const named = new Map(missing.data?.map((project) => [project.id, project]))
  return ids.flatMap((id) => listed.get(id) ?? named.get(id) ?? [])
}

/** The exposure of the projects on the compared day, by id. */
function useExposureBefore(since: string | null): ReadonlyMap<string, number> {
  const query = { ...changesQuery({ since: since ?? '' }), enabled: since !== null }
  const { data } = useQuery(query)
  return new Map(
    data?.figures.by_project.map(({ project, before }) => [project.id, before.exposure]),
  )
}

/** The projects, those in trouble first: their worst risk, their risks by level, their exposure. */
export function Projects({ since }: Props) {
  const { rows, count, from, error } = useRows(since)
  return (
    <section aria-label={t('overview.projects')} className={classes.section} data-projects>
      <div className={classes.head}>
        <h2>{t('overview.projects')}</h2>
      </div>
      <div className={classes.projects}>
        <SmallList
          label={t('overview.projects')}
          columns={[...nameColumns, ...figureColumns(rows ?? [], from, since)]}
          items={rows}
          error={error}
          idOf={({ project }) => project.id}
          empty={<p className={classes.none}>{t('projects.none')}</p>}
        />
        {count > rowsMax && (
          <AnchorLink to="/projects" search={{}} inherit className={classes.more}>
            {t('overview.projects.all', { count })}
          </AnchorLink>
        )}
      </div>
    </section>
  )
}

interface AllProjects {
  readonly projects: readonly ListedProject[]
  readonly count: number
}

/** All projects, or of many those with the highest exposure. */
function idsOf(all: AllProjects | undefined, trends: readonly ProjectTrend[] = []) {
  if (all === undefined) return []
  if (all.count <= rowsMax) return all.projects.map(({ id }) => id)
  return trends
    .toSorted((a, b) => b.last.exposure - a.last.exposure)
    .slice(0, rowsMax)
    .map(({ project }) => project.id)
}

const places = { off_track: 0, at_risk: 1, on_track: 2 } as const
const placeOf = ({ health }: ListedProject) => (health === null ? 3 : places[health])
const worstOf = ({ trend }: Row) => trend?.worst_risk?.score ?? 0

/** Off track first, projects without a report last; then by the highest risk. */
const byTrouble = (a: Row, b: Row) =>
  placeOf(a.project) - placeOf(b.project) ||
  worstOf(b) - worstOf(a) ||
  (b.trend?.last.exposure ?? 0) - (a.trend?.last.exposure ?? 0)

const nameColumns: readonly Column<Row>[] = [
  {
    name: t('word.health'),
    isNameHidden: true,
    width: '14px',
    phone: 'lead',
    cell: ({ project }) => <HealthShape health={project.health} />,
  },
  {
    name: t('project.code'),
    isNameHidden: true,
    width: '58px',
    phone: 'meta',
    fit: ({ project }) => project.code,
    cell: ({ project }) => <span className={classes.ref}>{project.code}</span>,
  },
  {
    name: t('word.project'),
    isNameHidden: true,
    width: 'minmax(0, 1fr)',
    phone: 'title',
    cell: ({ project }) => (
      <Title>
        <AnchorLink {...projectAddress(project)} inherit>
          {project.name}
        </AnchorLink>
        {project.status !== 'active' && (
          <small className={classes.status}>{label('projectStatus', project.status)}</small>
        )}
      </Title>
    ),
  },
]

function figureColumns(rows: readonly Row[], from: string, since: string | null): Column<Row>[] {
  const most = Math.max(1, ...rows.flatMap(({ trend }) => trend?.exposure ?? []))
  return [
    {
      name: t('overview.projects.worst'),
      width: '112px',
      // As wide as the chip and the reference.
      fit: ({ trend }) => `0000${trend?.worst_risk?.ref ?? ''}`,
      from: 620,
      cell: ({ trend, project }) => trend?.worst_risk && <Worst {...trend} of={project.id} />,
    },
    {
      name: t('overview.projects.levels'),
      width: '108px',
      from: 820,
      cell: ({ trend }) => trend && <LevelBar counts={trend.last.by_level} />,
    },
    {
      name: t('overview.exposure'),
      width: '152px',
      phone: 'end',
      cell: ({ trend, before }) =>
        trend && (
          <span className={classes.expo}>
            <b>{formatNumber(trend.last.exposure)}</b>
            <ProjectSparkline
              name={trend.project.name}
              values={trend.exposure}
              from={from}
              most={most}
            />
            <Delta value={trend.last.exposure} before={before} since={since} />
          </span>
        ),
    },
    {
      name: t('issues.title'),
      width: '72px',
      from: 620,
      cell: ({ trend }) => trend && <Issues {...trend} />,
    },
    {
      name: t('overview.projects.reported'),
      width: '72px',
      from: 820,
      cell: ({ project: { health_set_at } }) => (
        <span className={classes.day}>
          {health_set_at === null ? (
            t('value.none')
          ) : (
            <time dateTime={health_set_at} title={formatInstant(health_set_at)}>
              {formatNearDay(health_set_at.slice(0, 10))}
            </time>
          )}
        </span>
      ),
    },
  ]
}

const Worst = ({ worst_risk: risk, of }: ProjectTrend & { readonly of: string }) =>
  risk && (
    <span className={classes.worst}>
      <ScoreChip score={risk.score} level={risk.level} />
      <AnchorLink {...riskAddress({ id: risk.id, project_id: of })} inherit className={classes.ref}>
        {risk.ref}
      </AnchorLink>
    </span>
  )

const Issues = ({ last: { issues_open, issues_overdue } }: ProjectTrend) => (
  <span className={classes.issues}>
    {formatNumber(issues_open)}
    {issues_overdue > 0 && <i>{t('overview.projects.late', { count: issues_overdue })}</i>}
  </span>
)

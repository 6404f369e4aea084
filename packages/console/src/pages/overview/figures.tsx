import type { Project, RiskSummary } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import type { Search } from '#data/search.ts'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { HealthShape } from '#kit/parts/health.tsx'
import { AnchorLink } from '#kit/parts/links.tsx'
import { changesQuery, type Changes } from '#nouns/changes/queries.ts'
import { issueSummaryQuery } from '#nouns/issues/queries.ts'
import { riskSummaryQuery } from '#nouns/risks/queries.ts'
import { taskSummaryQuery } from '#nouns/tasks/queries.ts'
import { formatNearDay } from '#text/due.ts'
import { formatNumber, t, type TextKey } from '#text/index.ts'

import { projectsQuery } from './queries.ts'

import classes from './overview.module.css'

interface Props {
  /** Null if there is too little to compare. */
  readonly since: string | null
}

/** The state of the workspace in six numbers. Each leads to the list that has it. */
export function Figures({ since }: Props) {
  const { data: changes } = useQuery({
    ...changesQuery({ since: since ?? '' }),
    enabled: since !== null,
  })
  const figures = since === null ? undefined : changes?.figures
  return (
    <section aria-label={t('overview.figures')} className={classes.figures}>
      <RiskFigures figures={figures} since={since} />
      <IssueFigure figures={figures} since={since} />
      <TaskFigure />
      <ProjectFigure />
    </section>
  )
}

/** The sum of the scores, from the cells of the matrix. */
const exposureOf = ({ cells }: RiskSummary) =>
  cells.reduce((sum, { likelihood, impact, count }) => sum + likelihood * impact * count, 0)

interface ComparedProps extends Props {
  readonly figures: Changes['figures'] | undefined
}

function RiskFigures({ figures, since }: ComparedProps) {
  const { data: risks, error } = useQuery(riskSummaryQuery({}, 'current'))
  if (risks === undefined) return <Waiting count={3} error={error} />
  const { count, above_appetite_not_accepted: above, by_flag } = risks
  const exposure = exposureOf(risks)
  const { before } = figures ?? {}
  return (
    <>
      <Figure
        text="overview.exposure"
        value={exposure}
        delta={<Delta value={exposure} before={before?.exposure} since={since} />}
        note={t('overview.exposure.of', { count })}
        to="/risks"
      />
      <Figure
        text="overview.above"
        value={above}
        isAlarm
        delta={<Delta value={above} before={before?.above_appetite_not_accepted} since={since} />}
        note={
          by_flag.above_appetite > above &&
          t('overview.above.accepted', { count: by_flag.above_appetite - above })
        }
        to="/risks"
        search={{ view: 'above' }}
      />
      <Figure
        text="overview.reviews"
        value={by_flag.review_overdue}
        isAlarm
        delta={
          <Delta value={by_flag.review_overdue} before={before?.reviews_overdue} since={since} />
        }
        to="/risks"
        search={{ flag: 'review_overdue' }}
      />
    </>
  )
}

function IssueFigure({ figures, since }: ComparedProps) {
  const { data: issues, error } = useQuery(issueSummaryQuery({}))
  if (issues === undefined) return <Waiting count={1} error={error} />
  return (
    <Figure
      text="overview.issues"
      value={issues.count}
      delta={<Delta value={issues.count} before={figures?.before.issues_open} since={since} />}
      note={late(issues.by_flag.overdue)}
      to="/issues"
    />
  )
}

function TaskFigure() {
  const { data: tasks, error } = useQuery(taskSummaryQuery({}))
  if (tasks === undefined) return <Waiting count={1} error={error} />
  return <Figure text="overview.tasks" value={tasks.count} note={late(tasks.overdue)} to="/tasks" />
}

const late = (count: number) => count > 0 && t('overview.late', { count })

const healths = ['off_track', 'at_risk', 'on_track', null] as const

function ProjectFigure() {
  const { data, error } = useQuery(projectsQuery)
  if (data === undefined) return <Waiting count={1} error={error} />
  return (
    <Figure
      text="overview.projects"
      value={data.count}
      delta={data.isComplete && <Healths projects={data.projects} />}
      to="/projects"
    />
  )
}

const Healths = ({ projects }: { readonly projects: readonly Pick<Project, 'health'>[] }) => (
  <span className={classes.healths}>
    {healths
      .map((health) => ({
        health,
        count: projects.filter((each) => each.health === health).length,
      }))
      .filter(({ count }) => count > 0)
      .map(({ health, count }) => (
        <span key={health ?? ''}>
          <HealthShape health={health} />
          {formatNumber(count)}
        </span>
      ))}
  </span>
)

/** Figures that load or failed, with the height of real ones. */
function Waiting({ count, error }: { readonly count: number; readonly error: unknown }) {
  if (error !== null)
    return (
      <div className={classes.failed}>
        <ProblemNotice error={error} />
      </div>
    )
  return Array.from({ length: count }, (_, at) => (
    <div key={at} className={classes.figure} role="status" aria-label={t('page.loading')}>
      <span className={classes.bone} />
      <span className={classes.bone} data-size="large" />
    </div>
  ))
}

interface FigureProps {
  readonly text: TextKey
  readonly value: number
  readonly delta?: ReactNode
  readonly note?: ReactNode
  readonly to: '/risks' | '/issues' | '/tasks' | '/projects'
  readonly search?: Search
  /** A number above zero needs attention. */
  readonly isAlarm?: boolean
}

const Figure = ({ text, value, delta, note, to, search = {}, isAlarm = false }: FigureProps) => (
  <AnchorLink to={to} search={search} underline="never" c="inherit" className={classes.figure}>
    <span className={classes.name}>{t(text)}</span>
    <span className={classes.value}>
      <b data-alarm={isAlarm && value > 0}>{formatNumber(value)}</b>
      {delta}
      {note && <small>{note}</small>}
    </span>
  </AnchorLink>
)

interface DeltaProps extends Props {
  readonly value: number
  /** Undefined while it is unknown. */
  readonly before: number | undefined
}

/** The difference to the compared day: more is worse. */
export function Delta({ value, before, since }: DeltaProps) {
  if (before === undefined || since === null || before === value) return null
  const by = Math.abs(value - before)
  const name = t(value > before ? 'overview.delta.up' : 'overview.delta.down', {
    by,
    day: formatNearDay(since),
  })
  return (
    <span
      className={classes.delta}
      data-worse={value > before}
      role="img"
      aria-label={name}
      title={name}
    >
      {value > before ? '↑' : '↓'} {formatNumber(by)}
    </span>
  )
}

import { BridgeChart, signed } from '#kit/charts/bridge-chart.tsx'
import { RailSection } from '#kit/list/rail.tsx'
import { AnchorLink } from '#kit/parts/links.tsx'
import { moveGroups, movesOf, pointsOf } from '#nouns/changes/moves.ts'
import type { Changes, ChangesInterval } from '#nouns/changes/queries.ts'
import { formatNumber, t } from '#text/index.ts'

import { daysBetween, pointName, toSearch } from './interval.ts'

import classes from './changes-page.module.css'

interface Props {
  readonly changes: Changes
  readonly interval: ChangesInterval
}

/** The exposure before and after, where its points went, and the other figures. */
export function Side({ changes, interval }: Props) {
  const days = daysBetween(interval.since, interval.until)
  return (
    <>
      <RailSection
        title={t('changes.exposure')}
        aside={days !== null && t('changes.days', { count: days })}
      >
        <Bridge changes={changes} interval={interval} />
      </RailSection>
      <ByProject changes={changes} interval={interval} />
      <RailSection title={t('changes.figures', { since: pointName(interval.since) })}>
        <FigureList changes={changes} />
      </RailSection>
      <RailSection title={t('changes.share')}>
        <p className={classes.quiet}>{t('changes.share.about')}</p>
      </RailSection>
    </>
  )
}

/** The bars add up to the difference of the sums, also if entries are missing. */
export function Bridge({ changes, interval }: Props) {
  const { before, after } = changes.figures
  const steps = moveGroups
    .map((group) => ({
      name: t(`changes.group.${group}`),
      points: changes.risks[group].reduce((sum, risk) => sum + pointsOf(risk), 0),
    }))
    .filter(({ points }) => points !== 0)
  const known = steps.reduce((sum, { points }) => sum + points, 0)
  const rest = after.exposure - before.exposure - known
  return (
    <BridgeChart
      before={{ name: pointName(interval.since), value: before.exposure }}
      after={{
        name: interval.until === undefined ? t('changes.now') : pointName(interval.until),
        value: after.exposure,
      }}
      steps={rest === 0 ? steps : [...steps, { name: t('changes.bridge.other'), points: rest }]}
    />
  )
}

function ByProject({ changes, interval }: Props) {
  const rows = changes.figures.by_project
    .map(({ project, before, after }) => ({
      project,
      by: after.exposure - before.exposure,
      now: after.exposure,
    }))
    .filter(({ by }) => by !== 0)
    .toSorted((a, b) => b.by - a.by)
  const most = Math.max(1, ...rows.map(({ by }) => Math.abs(by)))
  if (rows.length === 0) return null
  return (
    <RailSection title={t('changes.by-project')} aside={t('changes.by-project.about')}>
      <ul className={classes.projects}>
        {rows.map(({ project, by, now }) => (
          <li key={project.id}>
            <AnchorLink
              to="/changes"
              search={{ ...toSearch(interval), project_id: project.id }}
              inherit
            >
              {project.code}
            </AnchorLink>
            <span className={classes.bar} data-worse={by > 0} aria-hidden>
              <i style={{ width: `${(50 * Math.abs(by)) / most}%` }} />
            </span>
            <b>{signed(by)}</b>
            <span>{formatNumber(now)}</span>
          </li>
        ))}
      </ul>
    </RailSection>
  )
}

/** The figures that are not sums of scores. */
export function FigureList({ changes }: Pick<Props, 'changes'>) {
  const { before, after, issues_opened, issues_closed, tasks_done } = changes.figures
  const moved = movesOf(changes.risks).length
  const rows: readonly (readonly [string, string])[] = [
    [t('changes.figure.moved'), formatNumber(moved)],
    [t('changes.figure.live'), change(before.live, after.live)],
    [
      t('changes.figure.above'),
      change(before.above_appetite_not_accepted, after.above_appetite_not_accepted),
    ],
    [t('changes.figure.reviews'), change(before.reviews_overdue, after.reviews_overdue)],
    [t('changes.figure.opened'), known(issues_opened)],
    [t('changes.figure.closed'), known(issues_closed)],
    [t('changes.figure.tasks'), known(tasks_done)],
  ]
  return (
    <dl className={classes.figures}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const change = (before: number, after: number) =>
  before === after ? formatNumber(after) : `${formatNumber(before)} → ${formatNumber(after)}`

/** A flow is unknown if entries are missing. */
const known = (count: number | null) => (count === null ? t('value.none') : formatNumber(count))

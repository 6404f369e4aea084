import { Button } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { RegisterEntry } from '@muster/contract'
import { queryOptions, useIsFetching, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

import { client } from '#data/client.ts'
import { stringifySearch } from '#data/search.ts'
import { useMissingScopeReason, useWhoami } from '#data/whoami.ts'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { ScoreChip } from '#kit/parts/score.tsx'
import { usePersonNames } from '#kit/references/people.tsx'
import { movesOf } from '#nouns/changes/moves.ts'
import { type Changes, changesQuery, type ChangesInterval } from '#nouns/changes/queries.ts'
import { RankChange, ScoreChange } from '#nouns/changes/score-change.tsx'
import { summarizeRisk } from '#nouns/changes/summary.ts'
import { formatDue, formatNearDay } from '#text/due.ts'
import { formatNumber, t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import { type Names, userIdsIn } from '#text/values.ts'

import { actorName } from './entry-row.tsx'
import { nowName, pointName, toSearch, useInterval } from './interval.ts'
import { Bridge, FigureList } from './side.tsx'

import classes from './print-page.module.css'

/** The changes on A4 or Letter: the figures, what moved, the ten highest risks, what is overdue. */
export function PrintChangesPage() {
  const interval = useInterval()
  const { workspace } = useWhoami()
  const { data: changes, error } = useQuery(changesQuery(interval))
  const { data: now } = useQuery(presentQuery(interval.project_id, useSeesPeople()))
  const isReady = useIsFetching() === 0 && changes !== undefined && now !== undefined
  usePrintOnce(isReady)
  const names = usePersonNames(userIdsIn([changes?.risks]))
  const title = t('changes.print.title', { since: pointName(interval.since) })
  useDocumentTitle(`${title} · ${workspace.name}`)
  return (
    <main className={classes.page}>
      <div className={`${classes.bar} no-print`} role="status">
        <span>{t(isReady ? 'changes.print.ready' : 'changes.print.loading')}</span>
        {isReady && <Button onClick={() => window.print()}>{t('print.print')}</Button>}
      </div>
      <header className={classes.head}>
        <div>
          <p>{workspace.name}</p>
          <h1>{title}</h1>
          <Until interval={interval} />
        </div>
        {changes && (
          <p className={classes.sum}>
            <b>{formatNumber(changes.figures.after.exposure)}</b>
            {t('changes.print.exposure', { before: changes.figures.before.exposure })}
          </p>
        )}
      </header>
      {error !== null && <ProblemNotice error={error} />}
      {changes && (
        <div className={classes.figures}>
          <Bridge changes={changes} interval={interval} />
          <FigureList changes={changes} />
        </div>
      )}
      {changes && <Moves changes={changes} names={names} />}
      {now && <TopTen {...now} />}
      {now && <Overdue {...now} />}
      <footer className={classes.foot}>
        {location.origin}/changes{stringifySearch(toSearch(interval))}
      </footer>
    </main>
  )
}

const useSeesPeople = () => useMissingScopeReason('personnel.read') === null

const Until = ({ interval: { until } }: { readonly interval: ChangesInterval }) => (
  <p>
    {t('changes.print.until', {
      until: until === undefined ? nowName() : pointName(until),
    })}
  </p>
)

const topMax = 10
const lateMax = 50

/** What is true now: the highest risks with their treatment, and what is late. */
const presentQuery = (project_id: string[] | undefined, seesPeople: boolean) =>
  queryOptions({
    queryKey: ['projects', 'changes-print', project_id ?? null, seesPeople],
    queryFn: async ({ signal }) => {
      const of = project_id && { project_id }
      const people = seesPeople && { include: ['people' as const] }
      const [top, reviews, issues] = await Promise.all([
        client.risks.list({ query: { ...of, ...people, limit: topMax } }, { signal }),
        client.risks.list(
          { query: { ...of, flag: ['review_overdue'], limit: lateMax } },
          { signal },
        ),
        client.issues.list({ query: { ...of, flag: ['overdue'], limit: lateMax } }, { signal }),
      ])
      const risk_id = top.data.map(({ id }) => id)
      const tasks =
        risk_id.length > 0
          ? (await client.tasks.list({ query: { risk_id, limit: 1000 } }, { signal })).data
          : []
      return { top: top.data, tasks, reviews: reviews.data, issues: issues.data }
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

type Present = NonNullable<
  Awaited<ReturnType<NonNullable<ReturnType<typeof presentQuery>['queryFn']>>>
>

/** Opens the print dialog of the browser, once. */
function usePrintOnce(isReady: boolean): void {
  const wasPrinted = useRef(false)
  useEffect(() => {
    if (!isReady || wasPrinted.current) return undefined
    const timer = setTimeout(() => {
      wasPrinted.current = true
      window.print()
    }, 200)
    return () => clearTimeout(timer)
  }, [isReady])
}

interface MovesProps {
  readonly changes: Changes
  readonly names: Names
}

function Moves({ changes, names }: MovesProps) {
  const moves = movesOf(changes.risks)
  const groups = [...Map.groupBy(moves, ({ group }) => group)]
  return groups.map(([group, some]) => (
    <section key={group} className={classes.section}>
      <h2>
        {t(`changes.risks.${group}`)} <span>{some.length}</span>
      </h2>
      {some.map(({ risk }) => {
        const { fact, note, step } = summarizeRisk(risk, group, names)
        return (
          <div key={risk.id} className={classes.item}>
            <ScoreChange before={risk.before} after={risk.after} />
            <p>
              <b>{risk.ref}</b> {risk.title}
              <small>
                {fact} {note !== null && t('changes.note', { note })}{' '}
                {step &&
                  `${actorName(step, names)}, ${formatNearDay(step.occurred_at.slice(0, 10))}`}
              </small>
            </p>
            <RankChange before={risk.before} after={risk.after} />
          </div>
        )
      })}
    </section>
  ))
}

const TopTen = ({ top, tasks }: Present) => (
  <section className={classes.section}>
    <h2>{t('changes.print.top')}</h2>
    <table className={classes.table}>
      <thead>
        <tr>
          {[t('word.score'), t('word.risk'), t('word.owner'), t('changes.print.treatment')].map(
            (name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {top.map((risk) => (
          <tr key={risk.id}>
            <td>
              <ScoreChip score={risk.score} level={risk.level} />
            </td>
            <td>
              <b>{risk.ref}</b> {risk.title}
            </td>
            <td>{ownerOf(risk)}</td>
            <td>
              {label('riskResponse', risk.response)}.{' '}
              {tasks
                .filter(({ risk_id }) => risk_id === risk.id)
                .map(({ title }) => title)
                .join('; ') || t('changes.print.no-treatment')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

const ownerOf = ({ owner, owner_user_id }: RegisterEntry) =>
  owner_user_id === null ? t('word.no-owner') : (owner?.name ?? t('value.none'))

const Overdue = ({ reviews, issues }: Present) => {
  const late = [
    ...reviews.map((risk) => ({ ...risk, day: risk.review_on })),
    ...issues.map((issue) => ({ ...issue, day: issue.due_on })),
  ]
  if (late.length === 0) return null
  return (
    <section className={classes.section}>
      <h2>
        {t('changes.print.overdue')} <span>{late.length}</span>
      </h2>
      <ul>
        {late.map(({ id, ref, title, day }) => (
          <li key={id}>
            <b>{ref}</b> {title}
            {day !== null && `, ${formatDue(day)}`}
          </li>
        ))}
      </ul>
    </section>
  )
}

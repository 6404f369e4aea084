import { useQuery } from '@tanstack/react-query'

import type { Search } from '#data/search.ts'
import { LevelBar, levelCounts } from '#kit/parts/level-bar.tsx'
import { AnchorLink } from '#kit/parts/links.tsx'
import { issueSummaryQuery } from '#nouns/issues/queries.ts'
import { riskSummaryQuery } from '#nouns/risks/queries.ts'
import { taskSummaryQuery } from '#nouns/tasks/queries.ts'
import { formatNumber, t, type TextKey } from '#text/index.ts'

import classes from './work.module.css'

/** The counts of the workspace, each with a link to its list. */
export function WorkspaceCounts() {
  const { data: risks } = useQuery(riskSummaryQuery({}, 'current'))
  const { data: issues } = useQuery(issueSummaryQuery({}))
  const { data: tasks } = useQuery(taskSummaryQuery({}))
  return (
    <>
      {risks && risks.count > 0 && (
        <p className={classes.levels}>
          <LevelBar counts={risks.by_level} />
          <span>{levelCounts(risks.by_level)}</span>
        </p>
      )}
      <dl className={classes.counts}>
        {risks && (
          <>
            <Count text="work.count.risks" count={risks.count} to="/risks" />
            <Count
              text="work.count.above"
              count={risks.above_appetite_not_accepted}
              to="/risks"
              search={{ view: 'above' }}
              isAlarm
            />
            <Count
              text="work.count.reviews"
              count={risks.by_flag.review_overdue}
              to="/risks"
              search={{ flag: 'review_overdue' }}
              isAlarm
            />
          </>
        )}
        {issues && (
          <>
            <Count text="work.count.issues" count={issues.count} to="/issues" />
            <Count
              text="work.count.issues-late"
              count={issues.by_flag.overdue}
              to="/issues"
              search={{ view: 'overdue' }}
              isAlarm
            />
          </>
        )}
        {tasks && (
          <>
            <Count text="work.count.tasks" count={tasks.count} to="/tasks" />
            <Count text="work.count.tasks-late" count={tasks.overdue} to="/tasks" isAlarm />
          </>
        )}
      </dl>
    </>
  )
}

interface CountProps {
  readonly text: TextKey
  readonly count: number
  readonly to: '/risks' | '/issues' | '/tasks'
  readonly search?: Search
  /** A number above zero needs attention. */
  readonly isAlarm?: boolean
}

const Count = ({ text, count, to, search = {}, isAlarm = false }: CountProps) => (
  <div className={classes.count}>
    <dt>{t(text)}</dt>
    <dd data-alarm={isAlarm && count > 0}>
      <AnchorLink to={to} search={search} inherit c="inherit">
        {formatNumber(count)}
      </AnchorLink>
    </dd>
  </div>
)

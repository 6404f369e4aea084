import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import type { Search } from '#data/search.ts'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { IconCheckbox, IconClockExclamation, IconFlag } from '#kit/icons/index.tsx'
import { Bucket, RailSection } from '#kit/list/rail.tsx'
import { Bones } from '#kit/parts/bones.tsx'
import { AnchorLink, IssueLink, RiskLink, TaskLink } from '#kit/parts/links.tsx'
import { When } from '#kit/parts/when.tsx'
import { issueSummaryQuery } from '#nouns/issues/queries.ts'
import { riskSummaryQuery } from '#nouns/risks/queries.ts'
import { taskSummaryQuery } from '#nouns/tasks/queries.ts'
import { formatNumber, t } from '#text/index.ts'

import { dueSoonQuery, type LateItems, lateQuery } from './queries.ts'
import { SinceLast } from './since-last.tsx'

import classes from './overview.module.css'

/** What happened since the last visit, what is late, and what is next. */
export const Panel = () => (
  <>
    <SinceLast />
    <Overdue />
    <NextDays />
  </>
)

/** How many reviews, issues and tasks are late. */
function useLateCounts() {
  const { data: risks } = useQuery(riskSummaryQuery({}, 'current'))
  const { data: issues } = useQuery(issueSummaryQuery({}))
  const { data: tasks } = useQuery(taskSummaryQuery({}))
  return {
    reviews: risks?.by_flag.review_overdue ?? 0,
    issues: issues?.by_flag.overdue ?? 0,
    tasks: tasks?.overdue ?? 0,
  }
}

function Overdue() {
  const { data: late, error } = useQuery(lateQuery)
  const counts = useLateCounts()
  const sum = counts.reviews + counts.issues + counts.tasks
  return (
    <RailSection title={t('overview.overdue')} aside={sum > 0 && formatNumber(sum)}>
      {late === undefined && error === null && <Bones count={3} />}
      {late === undefined && error !== null && <ProblemNotice error={error} />}
      {late && sum === 0 && <p className={classes.quiet}>{t('overview.overdue.none')}</p>}
      {late && <LateBuckets late={late} counts={counts} />}
    </RailSection>
  )
}

interface LateProps {
  readonly late: LateItems
  readonly counts: ReturnType<typeof useLateCounts>
}

const LateBuckets = ({ late, counts }: LateProps) => (
  <>
    <LateBucket
      icon={<IconClockExclamation size={14} />}
      title={t('overview.reviews.title')}
      count={counts.reviews}
      to="/risks"
      search={{ flag: 'review_overdue' }}
    >
      {late.risks.map((risk) => (
        <Late key={risk.id} link={<RiskLink item={risk} />} day={risk.review_on} />
      ))}
    </LateBucket>
    <LateBucket
      icon={<IconFlag size={14} />}
      title={t('issues.title')}
      count={counts.issues}
      to="/issues"
      search={{ view: 'overdue' }}
    >
      {late.issues.map((issue) => (
        <Late key={issue.id} link={<IssueLink item={issue} />} day={issue.due_on} />
      ))}
    </LateBucket>
    <LateBucket
      icon={<IconCheckbox size={14} />}
      title={t('tasks.title')}
      count={counts.tasks}
      to="/tasks"
      search={{}}
    >
      {late.tasks.map((task) => (
        <Late key={task.id} link={<TaskLink item={task} />} day={task.due_on} />
      ))}
    </LateBucket>
  </>
)

interface BucketProps {
  readonly icon: ReactNode
  readonly title: string
  readonly count: number
  readonly to: '/risks' | '/issues' | '/tasks'
  readonly search: Search
  readonly children: ReactNode
}

function LateBucket({ icon, title, count, to, search, children }: BucketProps) {
  if (count === 0) return null
  const number = formatNumber(count)
  return (
    <Bucket
      icon={icon}
      title={title}
      all={
        <AnchorLink
          to={to}
          search={search}
          aria-label={t('overview.overdue.all', { count, title })}
        >
          {number}
        </AnchorLink>
      }
    >
      {children}
    </Bucket>
  )
}

const Late = ({ link, day }: { readonly link: ReactNode; readonly day: string | null }) => (
  <div className={classes.late}>
    {link}
    <When day={day} />
  </div>
)

function NextDays() {
  const { data, error } = useQuery(dueSoonQuery)
  return (
    <RailSection title={t('overview.next')}>
      {data === undefined && error === null && <Bones count={3} />}
      {data === undefined && error !== null && <ProblemNotice error={error} />}
      {data && (
        <dl className={classes.next}>
          {(['reviews', 'issues', 'tasks'] as const).map((kind) => (
            <div key={kind}>
              <dt>{t(`overview.next.${kind}`)}</dt>
              <dd>{formatNumber(data[kind])}</dd>
            </div>
          ))}
        </dl>
      )}
    </RailSection>
  )
}

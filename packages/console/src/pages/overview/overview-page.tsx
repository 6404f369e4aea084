import { ActionIcon } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type RefObject, useRef } from 'react'

import { useCountsNote, useMissingScopeReason } from '#data/whoami.ts'
import { copyLink } from '#kit/feedback/copy-link.ts'
import { IconLink, IconPrinter } from '#kit/icons/index.tsx'
import { useShortcuts } from '#kit/keyboard/shortcuts.ts'
import { EmptyState, Page } from '#kit/parts/page.tsx'
import { WidePage } from '#kit/parts/wide-page.tsx'
import { issueSummaryQuery } from '#nouns/issues/queries.ts'
import { riskSummaryQuery } from '#nouns/risks/queries.ts'
import { taskSummaryQuery } from '#nouns/tasks/queries.ts'
import { daysFromToday, formatToday } from '#text/dates.ts'
import { formatNearDay } from '#text/due.ts'
import { t } from '#text/index.ts'

import { comparedDays, isFew, useSince } from './compared.ts'
import { EmptyOverview } from './empty-overview.tsx'
import { Exposure } from './exposure.tsx'
import { Figures } from './figures.tsx'
import { Moved } from './moved.tsx'
import { Panel } from './panel.tsx'
import { Projects } from './projects.tsx'
import { trendQuery } from './queries.ts'

import classes from './overview.module.css'

/** How bad it is, whether it gets worse, what moved, which project, and what is late. */
export function OverviewPage() {
  const reason = useMissingScopeReason('projects.read')
  if (reason === null) return <Overview />
  return (
    <Page title={t('overview.title')}>
      <EmptyState title={t('overview.hidden')} advice={reason} />
    </Page>
  )
}

function Overview() {
  const since = useSince()
  const note = useCountsNote()
  const main = useRef<HTMLDivElement>(null)
  useRowMoves(main)
  const { data: risks } = useQuery(riskSummaryQuery({}, 'current'))
  const { data: points } = useQuery(trendQuery('9'))
  const few = isFew({ risks: risks?.count ?? Infinity, first: points?.[0]?.day })
  const compared = few ? null : since
  const isEmpty = useIsEmpty()
  return (
    <WidePage
      title={t('overview.title')}
      note={note ?? <span className={classes.today}>{formatToday()}</span>}
      actions={!isEmpty && <Actions since={since} isFew={few} />}
      strip={!isEmpty && <Figures since={compared} />}
      side={!isEmpty && <Panel />}
      sideName={t('overview.overdue')}
    >
      {isEmpty ? (
        <EmptyOverview />
      ) : (
        <div ref={main}>
          <Exposure since={since} isFew={few} />
          <Moved since={since} />
          <Projects since={compared} />
        </div>
      )}
    </WidePage>
  )
}

/** Whether there is nothing at all: no risk now or before, no issue and no task. */
function useIsEmpty(): boolean {
  const { data: risks } = useQuery(riskSummaryQuery({}, 'current'))
  const { data: issues } = useQuery(issueSummaryQuery({}))
  const { data: tasks } = useQuery(taskSummaryQuery({}))
  const { data: points } = useQuery(trendQuery('9'))
  const now = risks?.count === 0 && issues?.count === 0 && tasks?.count === 0
  return now && (points ?? []).every(({ exposure }) => exposure === 0)
}

interface ActionsProps {
  readonly since: string
  readonly isFew: boolean
}

function Actions({ since, isFew: few }: ActionsProps) {
  return (
    <>
      <Compared since={since} isFew={few} />
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('overview.copy')}
        title={t('overview.copy')}
        onClick={() => void copyLink(`/overview?since=${since}`)}
      >
        <IconLink size={16} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('overview.print')}
        title={t('overview.print')}
        onClick={() => window.print()}
      >
        <IconPrinter size={16} />
      </ActionIcon>
    </>
  )
}

/** The day with which all numbers are compared. */
function Compared({ since, isFew: few }: ActionsProps) {
  const navigate = useNavigate()
  const select = useRef<HTMLSelectElement>(null)
  useShortcuts({ v: () => select.current?.focus() })
  const days = comparedDays.map((count) => ({ count, day: daysFromToday(-count) }))
  const isOther = !days.some(({ day }) => day === since)
  return (
    <label className={classes.compared} title={few ? t('overview.compared.few') : undefined}>
      <span aria-hidden>{t('overview.compared')}</span>
      <select
        ref={select}
        aria-label={t('overview.compared')}
        value={since}
        disabled={few}
        onChange={({ currentTarget }) =>
          void navigate({ to: '/overview', search: { since: currentTarget.value } })
        }
      >
        {isOther && <option value={since}>{formatNearDay(since)}</option>}
        {days.map(({ count, day }) => (
          <option key={day} value={day}>
            {t('overview.compared.days', { count, day: formatNearDay(day) })}
          </option>
        ))}
      </select>
    </label>
  )
}

/** `j` and `k` move through the links of the rows. */
function useRowMoves(main: RefObject<HTMLElement | null>): void {
  const move = (step: number) => {
    const links = [
      ...(main.current?.querySelectorAll<HTMLElement>('li a, [data-phone=title] a') ?? []),
    ]
    const at = links.indexOf(document.activeElement as HTMLElement)
    links[at === -1 ? 0 : at + step]?.focus()
  }
  useShortcuts({ j: () => move(1), k: () => move(-1) })
}

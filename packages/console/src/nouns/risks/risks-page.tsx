import type { RiskSummary } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { lazyRouteComponent, useSearch } from '@tanstack/react-router'

import { type Search, stringifySearch } from '#data/search.ts'
import { useMissingScopeReason } from '#data/whoami.ts'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { useCreateDialog } from '#kit/form/create-dialog.ts'
import { IconPlus } from '#kit/icons/index.tsx'
import { ExportButton } from '#kit/list/export-button.tsx'
import { useFilters } from '#kit/list/filters.ts'
import { ListPage } from '#kit/list/list-page.tsx'
import { useSelection } from '#kit/list/selection.ts'
import { useSort } from '#kit/list/sort.ts'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { LazyDialog } from '#kit/parts/lazy-dialog.tsx'
import { AnchorLink } from '#kit/parts/links.tsx'
import { t } from '#text/index.ts'

import { Acceptances } from './acceptances.tsx'
import { attentionBuckets, type AttentionBucket, useSuspended } from './attention.ts'
import { riskSummaryQuery } from './queries.ts'
import { useListRound } from './review-round.ts'
import { riskGroupings } from './risk-groups.ts'
import { useRiskList } from './risk-list.tsx'
import { RiskRail } from './risk-rail.tsx'
import { riskFields, riskSorts, type RiskView, useRiskView, useRiskViews } from './risk-views.ts'
import { useRiskDialog } from './use-risk-dialog.tsx'

import classes from './risks.module.css'

const NewRiskDialog = lazyRouteComponent(() => import('./new-risk-dialog.tsx'), 'NewRiskDialog')

/** Each view has its own selection and peek. */
export function RisksPage() {
  const { view, query } = useRiskView()
  if (view === 'acceptances') return <Acceptances />
  return <Risks key={view} view={view} viewQuery={query} />
}

interface Props {
  readonly view: RiskView
  /** The filter of the view. */
  readonly viewQuery: Search
}

function Risks({ view, viewQuery }: Props) {
  const fields = riskFields(view)
  const filters = useFilters(fields.map(({ name }) => name))
  const query = { ...filters.values, ...viewQuery }
  const seesPeople = useMissingScopeReason('personnel.read') === null
  const sort = useSort(riskSorts(view, seesPeople))
  const isClosed = view === 'closed'
  const { basis = 'current' } = useSearch({ strict: false }) as Search
  const overview = useQuery(riskSummaryQuery({}, 'current'))
  const summary = useQuery({
    // The cast holds for URLs that the console makes; the service refuses other values.
    ...riskSummaryQuery(query, basis as RiskSummary['basis']),
    enabled: !isClosed,
  })
  const map = useQuery({
    ...riskSummaryQuery(withoutCells(query), basis as RiskSummary['basis']),
    enabled: !isClosed,
  })
  const suspended = useSuspended(!isClosed && summary.isSuccess)
  const buckets = attentionBuckets(summary.data, suspended)
  const selection = useSelection()
  const round = useListRound()
  const { open, dialog } = useRiskDialog({ onBulkDone: selection.clear, round })
  const list = useRiskList({
    view,
    query,
    sort,
    buckets,
    suspended,
    selection,
    open,
    counts: summary,
    isFiltered: filters.count > 0,
    hasRisks: overview.data?.count !== 0,
  })
  const address = stringifySearch({ ...query, ...sort.query, ...(isClosed && { view }) })
  return (
    <ListPage
      title={t('risks.title')}
      actions={<Actions view={view} query={{ ...query, ...sort.query }} />}
      views={useRiskViews(overview.data)}
      filters={filters}
      fields={fields}
      display={{
        sort,
        ...(!isClosed && view !== 'attention' && { groupings: riskGroupings }),
        ...(view !== 'attention' && { printPath: `/print/risks${address}` }),
      }}
      strip={
        <>
          {summary.isError && <ProblemNotice error={summary.error} />}
          {view === '' && <Strip buckets={buckets} query={query} />}
        </>
      }
      {...(!isClosed && {
        railName: t('map.title'),
        rail: (
          <RiskRail
            map={map.data}
            filters={filters}
            {...{ buckets, query, open }}
            risks={summary.data && list.first}
            hasAll={list.hasAll}
            isMapOnly={view === 'attention'}
          />
        ),
      })}
      peek={list.peek}
    >
      {list.rows}
      {dialog}
    </ListPage>
  )
}

/** The heat map counts the other cells too. */
const withoutCells = (query: Search): Search =>
  Object.fromEntries(
    Object.entries(query).filter(([name]) => name !== 'likelihood' && name !== 'impact'),
  )

interface ActionsProps {
  readonly view: RiskView
  readonly query: Search
}

function Actions({ view, query }: ActionsProps) {
  const reason = useMissingScopeReason('projects.manage')
  const { isOpen, open, close } = useCreateDialog('risk', reason)
  return (
    <>
      {view !== 'attention' && (
        <ExportButton
          path={view === 'closed' ? '/v1/risks/closed' : '/v1/risks'}
          query={query}
          name="risks"
        />
      )}
      <ActionButton
        variant="filled"
        leftSection={<IconPlus size={16} />}
        onClick={open}
        reason={reason}
      >
        {t('risks.new')}
      </ActionButton>
      <LazyDialog isOpen={isOpen}>
        <NewRiskDialog onClose={close} />
      </LazyDialog>
    </>
  )
}

interface StripProps {
  readonly buckets: readonly AttentionBucket[]
  readonly query: Search
}

/** What needs attention, on a phone, which has no side panel. */
function Strip({ buckets, query }: StripProps) {
  if (buckets.length === 0) return null
  return (
    <nav className={classes.strip} aria-label={t('attention.title')}>
      {buckets.map(({ key, title, count, filter }) => (
        <AnchorLink key={key} to="/risks" search={{ ...query, ...filter }} underline="never">
          {count} {title}
        </AnchorLink>
      ))}
    </nav>
  )
}

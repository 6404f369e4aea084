import type { RiskSummary } from '@muster/contract'
import {
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
  type UseQueryResult,
} from '@tanstack/react-query'
import { lazyRouteComponent, useSearch } from '@tanstack/react-router'
import { type ComponentProps, Suspense, useCallback, useMemo } from 'react'

import { riskAddress } from '#data/addresses.ts'
import { cachedItems } from '#data/lists.ts'
import type { Search } from '#data/search.ts'
import { useCountsNote, useMissingScopeReason } from '#data/whoami.ts'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { useCreateButton } from '#kit/form/create-button.tsx'
import { type ListAddress, useListQuery } from '#kit/list/list-query.ts'
import { RecordList } from '#kit/list/record-list.tsx'
import type { Selection } from '#kit/list/selection.ts'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { AnchorLink } from '#kit/parts/links.tsx'
import { t } from '#text/index.ts'

import { Acceptances } from './acceptances.tsx'
import { attentionBuckets, type AttentionBucket, useSuspended } from './attention.ts'
import { NoRisks } from './no-risks.tsx'
import { type ListedRisk, riskPages, riskSummaryQuery } from './queries.ts'
import { useListRound } from './review-round.ts'
import { RiskRowActions } from './risk-actions.tsx'
import { closedColumns, liveColumns } from './risk-columns.tsx'
import { type OpenBulkDialog, useBulkDialogs, useRiskDialogs } from './risk-dialogs.tsx'
import { riskGroupings, useRiskGroups } from './risk-groups.ts'
import { RiskRail } from './risk-rail.tsx'
import { riskFilters, riskSorts, type RiskView, useRiskView, useRiskViews } from './risk-views.ts'

import classes from './risks.module.css'

const NewRiskDialog = lazyRouteComponent(() => import('./new-risk-dialog.tsx'), 'NewRiskDialog')
const RiskPeek = lazyRouteComponent(() => import('./risk-peek.tsx'), 'RiskPeek')

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
  const isClosed = view === 'closed'
  const { label, ...bar } = bars[view] ?? liveBar
  const seesPeople = useMissingScopeReason('personnel.read') === null
  const canChange = useMissingScopeReason('projects.manage') === null && !isClosed
  const list = useListQuery({
    fields: riskFilters(view, viewQuery),
    sorts: riskSorts(view, seesPeople),
    viewQuery,
  })
  const { query, filter, isFiltered } = list
  const overview = useQuery(riskSummaryQuery({}, 'current'))
  const { counts, map } = useCounts(filter, !isClosed)
  // A cached summary counts live risks.
  const summary = isClosed ? undefined : counts.data
  const suspended = useSuspended(summary !== undefined)
  const buckets = attentionBuckets(summary, suspended)
  const by = groupingOf(view, list, buckets)
  const groups = useRiskGroups({ by, summary, query, seesPeople })
  const pages = riskPages(isClosed, query, seesPeople)
  const { open, dialog } = useRiskDialogs(useListRound())
  const bulk = useBulkDialogs()
  const actions = useCallback(
    (risk: ListedRisk) => <RiskRowActions risk={risk} open={open} />,
    [open],
  )
  const first = useFirstPage(pages, view !== 'attention')
  const rail = { view, list, summary, map, buckets, first, open }
  return (
    <RecordList<ListedRisk>
      {...bar}
      title={t('risks.title')}
      note={useCountsNote()}
      list={list}
      views={useRiskViews(overview.data)}
      create={useCreateButton(newRisk)}
      strip={<Strip view={view} counts={counts} buckets={buckets} query={filter} />}
      railName={t('map.title')}
      rail={isClosed ? undefined : <RiskRail {...rail} />}
      rows={{
        label,
        columns: useColumns(isClosed, suspended),
        nameOf,
        ...rankOptions(list, isClosed),
        actions,
        empty: (
          <NoRisks isFiltered={isFiltered} view={view} hasRisks={overview.data?.count !== 0} />
        ),
      }}
      pages={pages}
      total={summary?.count ?? null}
      groups={groups && { ...groups, source: counts }}
      linkTo={riskAddress}
      peek={(props) => (
        <Suspense>
          <RiskPeek key={props.item.id} {...props} open={open} />
        </Suspense>
      )}
      bulk={
        canChange ? (selection) => <BulkActions selection={selection} open={bulk.open} /> : null
      }
    >
      {dialog}
      {bulk.dialog}
    </RecordList>
  )
}

interface Bar extends Pick<ComponentProps<typeof RecordList>, 'file' | 'print' | 'groupings'> {
  readonly label: string
}

const liveBar: Bar = {
  label: t('risks.list'),
  file: { path: '/v1/risks', name: 'risks' },
  print: { path: '/print/risks' },
  groupings: riskGroupings,
}

/** The bars of the views that differ. What needs attention is not one list of the API. */
const bars: Readonly<Partial<Record<RiskView, Bar>>> = {
  attention: { label: t('risks.list'), file: null, print: null },
  closed: {
    label: t('word.closed'),
    file: { path: '/v1/risks/closed', name: 'risks' },
    print: { path: '/print/risks', query: { view: 'closed' } },
  },
}

/** The counts of the live risks that match the filters, and those of the heat map. */
function useCounts(filter: Search, enabled: boolean) {
  const { basis: chosen = 'current' } = useSearch({ strict: false }) as Search
  // The cast holds for URLs that the console makes; the service refuses other values.
  const basis = chosen as RiskSummary['basis']
  const counts = useQuery({ ...riskSummaryQuery(filter, basis), enabled })
  const map = useQuery({ ...riskSummaryQuery(withoutCells(filter), basis), enabled })
  return { counts, map: map.data }
}

/** The heat map counts the other cells too, so that every cell stays a button. */
const withoutCells = (filter: Search): Search =>
  Object.fromEntries(
    Object.entries(filter).filter(([name]) => name !== 'likelihood' && name !== 'impact'),
  )

/** The list requests the same pages. */
function useFirstPage(pages: ReturnType<typeof riskPages>, enabled: boolean) {
  const { data } = useInfiniteQuery({ ...pages, placeholderData: keepPreviousData, enabled })
  return data?.pages[0]
}

/** The chosen grouping, or the buckets of what needs attention. */
function groupingOf(view: RiskView, { group }: ListAddress, buckets: readonly AttentionBucket[]) {
  if (view === 'attention') return buckets
  return view === 'closed' ? '' : group
}

function useColumns(isClosed: boolean, suspended: readonly string[]) {
  const key = suspended.join()
  return useMemo(
    () => (isClosed ? closedColumns : liveColumns(new Set(key.split(',')))),
    [isClosed, key],
  )
}

const nameOf = ({ ref }: ListedRisk) => ref
const rankOf = ({ rank = 0 }: ListedRisk) => rank

/** In another order, a row shows the rank instead of its place. Closed risks have none. */
const rankOptions = ({ sort }: ListAddress, isClosed: boolean) =>
  !isClosed && sort.query['sort'] ? { rankOf } : {}

const newRisk = {
  noun: 'risk',
  label: t('risks.new'),
  scope: 'projects.manage',
  Dialog: NewRiskDialog,
} as const

interface BulkProps {
  readonly selection: Selection
  readonly open: OpenBulkDialog
}

function BulkActions({ selection, open }: BulkProps) {
  const openFor = (name: 'assign' | 'close') =>
    open(name, {
      risks: cachedItems<ListedRisk>('risks', selection.ids),
      onDone: selection.clear,
    })
  return (
    <>
      <ActionButton onClick={() => openFor('assign')}>{t('word.assign-menu')}</ActionButton>
      <ActionButton onClick={() => openFor('close')}>{t('word.close-menu')}</ActionButton>
    </>
  )
}

interface StripProps {
  readonly view: RiskView
  readonly counts: UseQueryResult<RiskSummary>
  readonly buckets: readonly AttentionBucket[]
  readonly query: Search
}

/** What needs attention, on a phone, which has no side panel. */
const Strip = ({ view, counts, buckets, query }: StripProps) => (
  <>
    {counts.isError && <ProblemNotice error={counts.error} />}
    {view === '' && buckets.length > 0 && (
      <nav className={classes.strip} aria-label={t('word.attention')}>
        {buckets.map(({ key, title, count, filter }) => (
          <AnchorLink key={key} to="/risks" search={{ ...query, ...filter }} underline="never">
            {count} {title}
          </AnchorLink>
        ))}
      </nav>
    )}
  </>
)

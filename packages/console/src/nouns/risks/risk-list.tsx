import type { RiskSummary } from '@muster/contract'
import { keepPreviousData, useInfiniteQuery, type UseQueryResult } from '@tanstack/react-query'
import { lazyRouteComponent, useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useCallback, useMemo } from 'react'

import { cachedItems } from '#data/lists.ts'
import { fromList } from '#data/order.ts'
import type { Search } from '#data/search.ts'
import { useMissingScopeReason } from '#data/whoami.ts'
import { BulkBar } from '#kit/list/bulk-bar.tsx'
import { GroupedList } from '#kit/list/grouped-list.tsx'
import { List } from '#kit/list/list.tsx'
import type { Selection } from '#kit/list/selection.ts'
import type { ListSort } from '#kit/list/sort.ts'
import { usePeek } from '#kit/list/use-peek.ts'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { t } from '#text/index.ts'

import type { AttentionBucket } from './attention.ts'
import { NoRisks } from './no-risks.tsx'
import { closedRiskPages, registerPages } from './queries.ts'
import { closedColumns, type ListedRisk, liveColumns } from './risk-columns.tsx'
import { useRiskGroups } from './risk-groups.ts'
import { isComplete, type RiskView } from './risk-views.ts'
import { RiskRowActions } from './row-actions.tsx'
import type { OpenRiskDialog } from './use-risk-dialog.tsx'

const RiskPeek = lazyRouteComponent(() => import('./risk-peek.tsx'), 'RiskPeek')

interface Options {
  readonly view: RiskView
  readonly query: Search
  readonly sort: ListSort
  /** The counts of the live risks that match the filters. */
  readonly counts: UseQueryResult<RiskSummary>
  readonly buckets: readonly AttentionBucket[]
  /** The user ids of suspended people. */
  readonly suspended: readonly string[]
  readonly isFiltered: boolean
  /** Whether the workspace has open risks at all. */
  readonly hasRisks: boolean
  readonly selection: Selection
  readonly open: OpenRiskDialog
}

/** The rows of the page, their peek, and the highest-ranked risks. */
export function useRiskList(options: Options) {
  const { view, sort, open } = options
  const query = { ...options.query, ...sort.query }
  const isRanked = sort.query['sort'] === undefined
  const seesPeople = useMissingScopeReason('personnel.read') === null
  const risks = useRisks({ view, query, seesPeople })
  const peek = usePeek<ListedRisk>()
  const onOpen = useOpenRisk()
  const [first] = risks.list.data?.pages ?? []
  return {
    rows: <Rows {...options} {...{ query, isRanked, seesPeople, risks, peek, onOpen }} />,
    // In another order, the first page does not have the highest-ranked risks.
    first: isRanked ? first?.data : first && [],
    hasAll: isRanked && first?.next_cursor === null,
    peek: peek.item && (
      <Suspense>
        <RiskPeek
          key={peek.item.id}
          risk={peek.item}
          onOpen={onOpen}
          onClose={peek.close}
          open={open}
        />
      </Suspense>
    ),
  }
}

interface RowsProps extends Options {
  /** Whether the rows are in the order of their rank. */
  readonly isRanked: boolean
  readonly seesPeople: boolean
  readonly risks: ReturnType<typeof useRisks>
  readonly peek: ReturnType<typeof usePeek<ListedRisk>>
  readonly onOpen: (risk: ListedRisk) => void
}

function Rows(props: RowsProps) {
  const { view, query, counts, buckets, isFiltered, selection, open, peek, seesPeople } = props
  const isClosed = view === 'closed'
  const summary = counts.data
  const reason = useMissingScopeReason('projects.manage')
  const { group = '' } = useSearch({ strict: false }) as Search
  const by = view === 'attention' ? buckets : isClosed ? '' : group
  const groups = useRiskGroups({ by, summary, query, seesPeople })
  const options = {
    label: t(isClosed ? 'risks.view.closed' : 'risks.list'),
    columns: useColumns(isClosed, props.suspended),
    nameOf,
    ...sortOptions(props),
    selection: isClosed || reason !== null ? undefined : selection,
    actions: useCallback((risk: ListedRisk) => <RiskRowActions risk={risk} open={open} />, [open]),
    peekedId: peek.item?.id ?? null,
    onPeek: peek.onPeek,
    onOpen: props.onOpen,
    empty: <NoRisks isFiltered={isFiltered} view={view} hasRisks={props.hasRisks} />,
  }
  return (
    <>
      {groups === null ? (
        <List
          {...options}
          query={props.risks.list}
          source={props.risks.pages}
          total={totalOf(view, summary)}
        />
      ) : (
        <GroupedList
          {...options}
          groups={groups}
          source={counts}
          note={groupNote(group, summary)}
        />
      )}
      <SelectedActions selection={selection} open={open} />
    </>
  )
}

const nameOf = ({ ref }: ListedRisk) => ref
const rankOf = ({ rank = 0 }: ListedRisk) => rank

/** In another order, a row shows the rank instead of its place. Closed risks have none. */
const sortOptions = ({ sort, view, isRanked }: RowsProps) => ({
  sort,
  ...(view !== 'closed' && !isRanked && { rankOf }),
})

/** The summary counts live risks only. */
const totalOf = (view: RiskView, summary: RiskSummary | undefined) =>
  view === 'closed' ? null : (summary?.count ?? null)

function useColumns(isClosed: boolean, suspended: readonly string[]) {
  const key = suspended.join()
  return useMemo(
    () => (isClosed ? closedColumns : liveColumns(new Set(key.split(',')))),
    [isClosed, key],
  )
}

function SelectedActions({ selection, open }: Pick<Options, 'selection' | 'open'>) {
  const openFor = (action: 'assign' | 'close') =>
    open(action, ...cachedItems<ListedRisk>('risks', selection.ids))
  return (
    <BulkBar selection={selection}>
      <ActionButton onClick={() => openFor('assign')}>{t('risks.assign.many')}</ActionButton>
      <ActionButton onClick={() => openFor('close')}>{t('risks.close.many')}</ActionButton>
    </BulkBar>
  )
}

interface PagesOptions {
  readonly view: RiskView
  readonly query: Search
  readonly seesPeople: boolean
}

function useRisks({ view, query, seesPeople }: PagesOptions) {
  const pages =
    view === 'closed' ? closedRiskPages(query, seesPeople) : registerPages(query, seesPeople)
  const list = useInfiniteQuery({
    // Both lists have the fields of `ListedRisk`.
    ...(pages as ReturnType<typeof registerPages>),
    enabled: view !== 'attention',
    placeholderData: keepPreviousData,
  })
  return { list, pages }
}

/** The summary names the 50 largest projects and owners only. */
function groupNote(group: string, summary: RiskSummary | undefined) {
  const counts = { project: summary?.by_project, owner: summary?.by_owner }[group]
  return summary && counts && !isComplete(summary, counts) ? t('risks.group.more') : null
}

function useOpenRisk() {
  const navigate = useNavigate()
  return useCallback(
    ({ id, project_id }: Pick<ListedRisk, 'id' | 'project_id'>) =>
      void navigate({
        to: '/projects/$project_id/risks/$risk_id',
        params: { project_id, risk_id: id },
        search: {},
        state: fromList,
      }),
    [navigate],
  )
}

import type { RiskSummary } from '@muster/contract'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { lazyRouteComponent, useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useCallback, useMemo } from 'react'

import { cachedItems } from '#api/lists.ts'
import type { Search } from '#api/search.ts'
import { useMissingScopeReason } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { BulkBar } from '#ui/list/bulk-bar.tsx'
import { GroupedList } from '#ui/list/grouped-list.tsx'
import { List } from '#ui/list/list.tsx'
import type { Selection } from '#ui/list/selection.ts'
import { usePeek } from '#ui/list/use-peek.ts'

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
  readonly summary: RiskSummary | undefined
  readonly buckets: readonly AttentionBucket[]
  /** The user ids of suspended people. */
  readonly suspended: readonly string[]
  readonly isFiltered: boolean
  readonly selection: Selection
  readonly open: OpenRiskDialog
}

/** The rows of the page, their peek, and the highest-ranked risks. */
export function useRiskList(options: Options) {
  const { view, query, open } = options
  const seesPeople = useMissingScopeReason('personnel.read') === null
  const risks = useRisks({ view, query, seesPeople })
  const peek = usePeek<ListedRisk>()
  const onOpen = useOpenRisk()
  const [first] = risks.data?.pages ?? []
  return {
    rows: <Rows {...options} {...{ seesPeople, risks, peek, onOpen }} />,
    first: first?.data,
    hasAll: first?.next_cursor === null,
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
  readonly seesPeople: boolean
  readonly risks: ReturnType<typeof useRisks>
  readonly peek: ReturnType<typeof usePeek<ListedRisk>>
  readonly onOpen: (risk: ListedRisk) => void
}

function Rows(props: RowsProps) {
  const { view, query, summary, buckets, isFiltered, selection, open, peek, seesPeople } = props
  const isClosed = view === 'closed'
  const reason = useMissingScopeReason('projects.manage')
  const { group = '' } = useSearch({ strict: false }) as Search
  const by = view === 'attention' ? buckets : isClosed ? '' : group
  const groups = useRiskGroups({ by, summary, query, seesPeople })
  const options = {
    label: t(isClosed ? 'risks.view.closed' : 'risks.list'),
    columns: useColumns(isClosed, props.suspended),
    nameOf,
    selection: isClosed || reason !== null ? undefined : selection,
    actions: useCallback((risk: ListedRisk) => <RiskRowActions risk={risk} open={open} />, [open]),
    peekedId: peek.item?.id ?? null,
    onPeek: peek.onPeek,
    onOpen: props.onOpen,
    empty: <NoRisks isFiltered={isFiltered} view={view} />,
  }
  return (
    <>
      {groups === null ? (
        <List {...options} query={props.risks} total={summary?.count ?? null} />
      ) : (
        <GroupedList {...options} groups={groups} note={groupNote(group, summary)} />
      )}
      <SelectedActions selection={selection} open={open} />
    </>
  )
}

const nameOf = ({ ref }: ListedRisk) => ref

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
  return useInfiniteQuery({
    // Both lists have the fields of `ListedRisk`.
    ...(pages as ReturnType<typeof registerPages>),
    enabled: view !== 'attention',
    placeholderData: keepPreviousData,
  })
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
      }),
    [navigate],
  )
}

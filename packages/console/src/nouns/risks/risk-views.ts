import type { RiskSummary } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { queryClient } from '#data/query-client.ts'
import type { Search } from '#data/search.ts'
import { useWhoami } from '#data/whoami.ts'
import { filterOf, searchFilter, tagFilter } from '#kit/fields/field-filters.ts'
import type { FilterField } from '#kit/list/filter-menu.tsx'
import { lastChange, type SortChoice } from '#kit/list/sort.ts'
import { useView, type ListView } from '#kit/list/views.tsx'
import { t } from '#text/index.ts'

import { liveStatuses, riskFields } from './fields.ts'
import { closedRiskCountQuery, riskViewQueries, scaleQuery } from './queries.ts'

const liveViews = ['', 'mine', 'attention', 'above'] as const
export type RiskView = (typeof liveViews)[number] | 'closed' | 'acceptances'

/** The view that the address names, and its filter. */
export function useRiskView(): { readonly view: RiskView; readonly query: Search } {
  const wanted = useView()
  const me = useWhoami().person?.user_id
  if (wanted === 'closed' || wanted === 'acceptances') return { view: wanted, query: {} }
  const queries = riskViewQueries(me)
  const view = liveViews.find((each) => each === wanted && queries[each]) ?? ''
  return { view, query: queries[view] ?? {} }
}

/** The views with their counts. `summary` has no filters. */
export function useRiskViews(summary: RiskSummary | undefined): readonly ListView[] {
  const me = useWhoami().person?.user_id
  const isClosed = useView() === 'closed'
  const { data: closed } = useQuery({ ...closedRiskCountQuery, enabled: isClosed })
  return [
    { key: '', name: t('word.all'), count: summary?.count },
    ...(me === undefined
      ? []
      : [{ key: 'mine', name: t('word.mine'), count: ownedBy(summary, [me]) }]),
    { key: 'attention', name: t('word.attention') },
    {
      key: 'above',
      name: t('word.above'),
      count: summary?.above_appetite_not_accepted,
    },
    { key: 'closed', name: t('word.closed'), count: closed },
    { key: 'acceptances', name: t('risks.view.acceptances') },
  ]
}

/** The number of risks of these owners. It is unknown if only the largest counts are listed. */
export function ownedBy(summary: RiskSummary | undefined, owners: readonly (string | null)[]) {
  if (!summary) return null
  const found = summary.by_owner.filter(({ owner_user_id }) => owners.includes(owner_user_id))
  if (found.length < owners.length && !isComplete(summary, summary.by_owner)) return null
  return found.reduce((sum, { count }) => sum + count, 0)
}

/** Whether the counts cover all risks. The service lists the 50 largest counts only. */
export const isComplete = (summary: RiskSummary, counts: readonly { readonly count: number }[]) =>
  counts.reduce((sum, { count }) => sum + count, 0) === summary.count

/** Set by the heat map. The chip shows the rating and its word. */
const ratingFilter = (name: 'likelihood' | 'impact', title: string): FilterField => ({
  name,
  label: title,
  kind: 'text',
  isChipOnly: true,
  valueName: (value) => {
    const scale = queryClient.getQueryData(scaleQuery.queryKey)
    const word = scale?.[name].find(({ rating }) => String(rating) === value)?.label
    return word === undefined ? value : `${value} ${word}`
  },
})

const sorts: readonly SortChoice[] = [
  { value: '', label: t('list.sort.rank') },
  { value: '-score', label: t('word.score') },
  { value: 'title', label: t('word.risk') },
  { value: 'owner', label: t('word.owner') },
  { value: 'review_on', label: t('word.review') },
  lastChange,
]

const closedSorts: readonly SortChoice[] = [{ value: '-closed_at', label: t('word.closed') }]

/** The orders of a view. Sorting by owner shows the order of the names. */
export function riskSorts(view: RiskView, seesPeople: boolean): readonly SortChoice[] {
  if (view === 'closed') return closedSorts
  return seesPeople ? sorts : sorts.filter(({ value }) => value !== 'owner')
}

const projectFilter: FilterField = {
  name: 'project_id',
  label: t('word.project'),
  kind: 'project',
}

const filters: readonly FilterField[] = [
  searchFilter,
  { name: 'level', label: t('risks.level'), kind: 'enum', set: 'level' },
  ratingFilter('likelihood', t('risk.likelihood')),
  ratingFilter('impact', t('risk.impact')),
  projectFilter,
  filterOf(riskFields.owner_user_id),
  filterOf(
    riskFields.status,
    liveStatuses.map(({ value }) => value),
  ),
  filterOf(riskFields.category),
  filterOf(riskFields.response),
  { name: 'flag', label: t('word.flags'), kind: 'enum', set: 'riskFlag' },
  tagFilter,
]

const closedFilters: readonly FilterField[] = [
  searchFilter,
  projectFilter,
  filterOf(riskFields.owner_user_id),
  filterOf(riskFields.status, ['occurred', 'closed']),
]

/** The filters of a view. A view replaces its own filter. */
export const riskFilters = (view: RiskView, viewQuery: Search): readonly FilterField[] =>
  view === 'closed' ? closedFilters : filters.filter(({ name }) => viewQuery[name] === undefined)

import type { RiskSummary } from '@muster/contract'

import type { Search } from '#api/search.ts'
import { useWhoami } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import type { FilterField } from '#ui/list/filter-menu.tsx'
import { useView, type View } from '#ui/list/views.tsx'

const liveViews = ['', 'mine', 'attention', 'above'] as const
export type RiskView = (typeof liveViews)[number] | 'closed'

/** Above the appetite of the project, and no one has accepted it. */
export const aboveAppetite: Search = { flag: 'above_appetite', accepted: 'false' }

/** The view that the address names, and the filter that it stands for. */
export function useRiskView(): { readonly view: RiskView; readonly query: Search } {
  const wanted = useView()
  const me = useWhoami().person?.user_id
  if (wanted === 'closed') return { view: 'closed', query: {} }
  const queries: Readonly<Record<string, Search>> = {
    ...(me !== undefined && { mine: { owner_user_id: me } }),
    attention: {},
    above: aboveAppetite,
  }
  const view = liveViews.find((each) => each === wanted && queries[each]) ?? ''
  return { view, query: queries[view] ?? {} }
}

/** The views with their counts. `summary` has no filters. */
export function useRiskViews(summary: RiskSummary | undefined): readonly View[] {
  const me = useWhoami().person?.user_id
  return [
    { key: '', name: t('risks.view.all'), count: summary?.count },
    ...(me === undefined
      ? []
      : [{ key: 'mine', name: t('risks.view.mine'), count: ownedBy(summary, [me]) }]),
    { key: 'attention', name: t('attention.title') },
    {
      key: 'above',
      name: t('risks.view.above'),
      count: summary?.above_appetite_not_accepted,
    },
    { key: 'closed', name: t('risks.view.closed') },
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

const fields: readonly FilterField[] = [
  { name: 'q', label: t('filter.search'), kind: 'search' },
  { name: 'level', label: t('risks.level'), kind: 'enum', set: 'level' },
  { name: 'likelihood', label: t('risk.likelihood'), kind: 'text', isChipOnly: true },
  { name: 'impact', label: t('risk.impact'), kind: 'text', isChipOnly: true },
  { name: 'project_id', label: t('risks.project'), kind: 'project' },
  { name: 'owner_user_id', label: t('risks.owner'), kind: 'person' },
  {
    name: 'status',
    label: t('risks.status'),
    kind: 'enum',
    set: 'riskStatus',
    only: ['identified', 'treating', 'monitoring'],
  },
  { name: 'category', label: t('risks.category'), kind: 'enum', set: 'riskCategory' },
  { name: 'response', label: t('risks.response'), kind: 'enum', set: 'riskResponse' },
  { name: 'flag', label: t('risks.flags'), kind: 'enum', set: 'riskFlag' },
  { name: 'tag', label: t('filter.tag'), kind: 'tags' },
]

const closedFields: readonly FilterField[] = fields
  .filter(({ name }) => ['q', 'project_id', 'owner_user_id', 'status'].includes(name))
  .map((field) => (field.name === 'status' ? { ...field, only: ['occurred', 'closed'] } : field))

/** The filters of a view. A view replaces its own filter. */
export function riskFields(view: RiskView): readonly FilterField[] {
  if (view === 'closed') return closedFields
  if (view === 'above') return fields.filter(({ name }) => name !== 'flag')
  return view === 'mine' ? fields.filter(({ name }) => name !== 'owner_user_id') : fields
}

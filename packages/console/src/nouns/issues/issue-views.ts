import type { IssueSummary } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import type { Search } from '#data/search.ts'
import { useWhoami } from '#data/whoami.ts'
import { filterOf, searchFilter, tagFilter } from '#kit/fields/field-filters.ts'
import type { FilterField } from '#kit/list/filter-menu.tsx'
import { lastChange, type SortChoice } from '#kit/list/sort.ts'
import { type ListView, useView } from '#kit/list/views.tsx'
import { t } from '#text/index.ts'

import { issueFields } from './fields.ts'
import { closedIssueCountQuery, issueViewQueries } from './queries.ts'
import { useSeverities } from './severity.tsx'

const openViews = ['', 'mine', 'unassigned', 'overdue'] as const
export type IssueView = (typeof openViews)[number] | 'closed'

/** The view that the address names, and its filter. */
export function useIssueView(): { readonly view: IssueView; readonly query: Search } {
  const wanted = useView()
  const me = useWhoami().person?.user_id
  if (wanted === 'closed') return { view: 'closed', query: {} }
  const queries = issueViewQueries(me)
  const view = openViews.find((each) => each === wanted && queries[each]) ?? ''
  return { view, query: queries[view] ?? {} }
}

const sorts: readonly SortChoice[] = [
  { value: '', label: t('list.sort.rank') },
  { value: '-severity', label: t('issues.severity') },
  { value: 'title', label: t('word.issue') },
  { value: 'assignee', label: t('word.assignee') },
  { value: 'opened_at', label: t('issues.open-for') },
  { value: 'due_on', label: t('word.due') },
  lastChange,
]

const closedSorts: readonly SortChoice[] = [{ value: '-closed_at', label: t('word.closed') }]

/** The orders of a view. Sorting by assignee shows the order of the names. */
export function issueSorts(view: IssueView, seesPeople: boolean): readonly SortChoice[] {
  if (view === 'closed') return closedSorts
  return seesPeople ? sorts : sorts.filter(({ value }) => value !== 'assignee')
}

/** The filters of a view. Closed issues have fewer, and a view replaces its own filter. */
export function useIssueFilters(view: IssueView): readonly FilterField[] {
  const severities = useSeverities().map(({ rating, name }) => ({
    value: String(rating),
    label: `${rating} · ${name}`,
  }))
  const filters: readonly FilterField[] = [
    searchFilter,
    { name: 'severity', label: t('issues.severity'), kind: 'choice', data: severities },
    filterOf(issueFields.status, openStatuses),
    { name: 'project_id', label: t('word.project'), kind: 'project' },
    filterOf(issueFields.assignee_user_id),
    { name: 'flag', label: t('word.flags'), kind: 'enum', set: 'issueFlag' },
    tagFilter,
    { name: 'opened_from', label: t('issues.opened-from'), kind: 'date' },
    { name: 'opened_before', label: t('issues.opened-before'), kind: 'date' },
  ]
  return filters.filter(({ name }) => isOffered(name, view))
}

const openStatuses = ['open', 'in_progress', 'blocked']
const closedFilters = new Set(['q', 'project_id', 'assignee_user_id'])

function isOffered(name: string, view: IssueView): boolean {
  if (view === 'closed') return closedFilters.has(name)
  if (view === 'overdue') return name !== 'flag'
  return view === '' || name !== 'assignee_user_id'
}

/** The views with their counts. `summary` has no filters. */
export function useIssueViews(summary: IssueSummary | undefined): readonly ListView[] {
  const me = useWhoami().person?.user_id
  const isClosed = useView() === 'closed'
  const { data: closed } = useQuery({ ...closedIssueCountQuery, enabled: isClosed })
  return [
    { key: '', name: t('word.all'), count: summary?.count },
    ...(me === undefined
      ? []
      : [{ key: 'mine', name: t('word.mine'), count: assignedTo(summary, me) }]),
    { key: 'unassigned', name: t('word.unassigned'), count: assignedTo(summary, null) },
    { key: 'overdue', name: t('issues.view.overdue'), count: summary?.by_flag.overdue },
    { key: 'closed', name: t('word.closed'), count: closed },
  ]
}

/** The number of issues of an assignee. It is unknown if only the largest counts are listed. */
function assignedTo(summary: IssueSummary | undefined, userId: string | null) {
  const count = summary?.by_assignee.find((each) => each.assignee_user_id === userId)?.count
  return count ?? (summary && isComplete(summary, summary.by_assignee) ? 0 : null)
}

/** Whether the counts cover all issues. The service lists the 50 largest counts only. */
export const isComplete = (summary: IssueSummary, counts: readonly { readonly count: number }[]) =>
  counts.reduce((sum, { count }) => sum + count, 0) === summary.count

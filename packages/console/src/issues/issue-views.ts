import type { IssueSummary } from '@muster/contract'

import type { Search } from '#api/search.ts'
import { useWhoami } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { type View, useView } from '#ui/list/views.tsx'

const openViews = ['', 'mine', 'unassigned', 'overdue'] as const
export type IssueView = (typeof openViews)[number] | 'closed'

/** The view that the address names, and the filter that it stands for. */
export function useIssueView(): { readonly view: IssueView; readonly query: Search } {
  const wanted = useView()
  const me = useWhoami().person?.user_id
  if (wanted === 'closed') return { view: 'closed', query: {} }
  const queries: Readonly<Record<string, Search>> = {
    ...(me !== undefined && { mine: { assignee_user_id: me } }),
    unassigned: { assignee_user_id: 'none' },
    overdue: { flag: 'overdue' },
  }
  const view = openViews.find((each) => each === wanted && queries[each]) ?? ''
  return { view, query: queries[view] ?? {} }
}

/** The views with their counts. `summary` has no filters. */
export function useIssueViews(summary: IssueSummary | undefined): readonly View[] {
  const me = useWhoami().person?.user_id
  return [
    { key: '', name: t('issues.view.all'), count: summary?.count },
    ...(me === undefined
      ? []
      : [{ key: 'mine', name: t('issues.view.mine'), count: assignedTo(summary, me) }]),
    { key: 'unassigned', name: t('issues.unassigned'), count: assignedTo(summary, null) },
    { key: 'overdue', name: t('issues.view.overdue'), count: summary?.by_flag.overdue },
    { key: 'closed', name: t('issues.view.closed') },
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

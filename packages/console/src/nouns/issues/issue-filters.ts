import type { FilterField } from '#kit/list/filter-menu.tsx'
import { t } from '#text/index.ts'

import type { IssueView } from './issue-views.ts'
import { useSeverities } from './severity.tsx'

const openStatuses = ['open', 'in_progress', 'blocked']

/** The filters of a view. Closed issues have fewer, and a view replaces its own filter. */
export function useIssueFields(view: IssueView): readonly FilterField[] {
  const severities = useSeverities().map(({ rating, name }) => ({
    value: String(rating),
    label: `${rating} · ${name}`,
  }))
  const fields: readonly FilterField[] = [
    { name: 'q', label: t('filter.search'), kind: 'search' },
    { name: 'severity', label: t('issues.severity'), kind: 'choice', data: severities },
    {
      name: 'status',
      label: t('issues.status'),
      kind: 'enum',
      set: 'issueStatus',
      only: openStatuses,
    },
    { name: 'project_id', label: t('issues.project'), kind: 'project' },
    { name: 'assignee_user_id', label: t('issues.assignee'), kind: 'person' },
    { name: 'flag', label: t('issues.flags'), kind: 'enum', set: 'issueFlag' },
    { name: 'tag', label: t('filter.tag'), kind: 'tags' },
    { name: 'opened_from', label: t('issues.opened-from'), kind: 'date' },
    { name: 'opened_before', label: t('issues.opened-before'), kind: 'date' },
  ]
  return fields.filter(({ name }) => isOffered(name, view))
}

const closedFilters = new Set(['q', 'project_id', 'assignee_user_id'])

function isOffered(name: string, view: IssueView): boolean {
  if (view === 'closed') return closedFilters.has(name)
  if (view === 'overdue') return name !== 'flag'
  return view === '' || name !== 'assignee_user_id'
}

import type { IssueSummary } from '@muster/contract'

import type { Search } from '#data/search.ts'
import type { ListGroup } from '#kit/list/grouped-list.tsx'
import { usePersonNames } from '#kit/references/people.tsx'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import { isComplete } from './issue-views.ts'
import { issuePages, type ListedIssue } from './queries.ts'
import { useSeverities } from './severity.tsx'

export const issueGroupings = [
  { value: 'project', label: t('word.project') },
  { value: 'assignee', label: t('word.assignee') },
  { value: 'severity', label: t('issues.severity') },
  { value: 'status', label: t('word.status') },
]

interface Counted {
  readonly name: string
  readonly count: number
  /** The filter of the group. */
  readonly filter: Search
}

interface Options {
  readonly by: string
  readonly summary: IssueSummary | undefined
  /** The filters of the page. */
  readonly query: Search
  readonly seesPeople: boolean
}

/** The groups of the open issues, from the counts of the summary; null without grouping. */
export function useIssueGroups({ by, summary, query, seesPeople }: Options) {
  const severities = useSeverities()
  const assignees = by === 'assignee' ? (summary?.by_assignee ?? []) : []
  const names = usePersonNames(assignees.map(({ assignee_user_id }) => assignee_user_id))
  const groupings: Readonly<Record<string, () => readonly Counted[]>> = {
    project: () =>
      (summary?.by_project ?? []).map(({ project, count }) => ({
        name: project.name,
        count,
        filter: { project_id: project.id },
      })),
    assignee: () =>
      assignees.map(({ assignee_user_id: id, count }) => ({
        name: id === null ? t('word.unassigned') : (names.get(id) ?? t('actor.name.person')),
        count,
        filter: { assignee_user_id: id ?? 'none' },
      })),
    severity: () =>
      (summary?.by_severity ?? []).map(({ severity, count }) => ({
        name: `${severity} ${severities.find(({ rating }) => rating === severity)?.name ?? ''}`,
        count,
        filter: { severity: String(severity) },
      })),
    status: () =>
      Object.entries(summary?.by_status ?? {}).map(([status, count]) => ({
        name: label('issueStatus', status),
        count,
        filter: { status },
      })),
  }
  const counted = groupings[by]?.().filter(({ count }) => count > 0)
  if (counted === undefined) return null
  return {
    groups: counted.map(({ name, count, filter }): ListGroup<ListedIssue> => ({
      key: Object.values(filter).join(),
      name,
      count,
      pages: issuePages(false, { ...query, ...filter }, seesPeople),
    })),
    note: summary && !isComplete(summary, counted) && t('issues.group.most'),
  }
}

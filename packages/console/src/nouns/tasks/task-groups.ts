import type { Task, TaskSummary } from '@muster/contract'
import { useCallback } from 'react'

import type { Search } from '#data/search.ts'
import type { ListGroup } from '#kit/list/grouped-list.tsx'
import type { RowGroup } from '#kit/list/list.tsx'
import { today } from '#text/dates.ts'
import { daysUntil } from '#text/due.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import { openTaskStatuses, taskPages } from './queries.ts'

export const taskGroupings = [
  { value: 'project', label: t('word.project') },
  { value: 'status', label: t('word.status') },
]

/** The number of days from today to Sunday. */
const daysToSunday = () => (7 - new Date(`${today()}T00:00:00Z`).getUTCDay()) % 7

/** The groups of the list by due date, which is its order. */
export function useDueGroups(overdueCount: number | null): (task: Task) => RowGroup {
  return useCallback(
    ({ due_on }) => {
      if (due_on === null) return { key: 'none', name: t('tasks.due.none'), count: null }
      const days = daysUntil(due_on)
      if (days < 0) return { key: 'overdue', name: t('issues.view.overdue'), count: overdueCount }
      return days <= daysToSunday()
        ? { key: 'week', name: t('tasks.due.week'), count: null }
        : { key: 'later', name: t('tasks.due.later'), count: null }
    },
    [overdueCount],
  )
}

/** Whether the summary counts the tasks that match. It knows the project and the assignee only. */
export const isCounted = (query: Search) =>
  query['q'] === undefined && query['status'] === undefined

interface Options {
  readonly by: string
  readonly summary: TaskSummary | undefined
  /** The filters of the page. */
  readonly query: Search
}

/** The groups by project or status; null without them. */
export function taskGroups({ by, summary, query }: Options): readonly ListGroup<Task>[] | null {
  const group = (name: string, filter: Search, count: number | null): ListGroup<Task> => ({
    key: Object.values(filter).join(),
    name,
    count: isCounted(query) ? count : null,
    pages: taskPages({ ...query, ...filter }),
  })
  if (by === 'project') {
    return (summary?.by_project ?? []).map(({ project, count }) =>
      group(project.name, { project_id: project.id }, count),
    )
  }
  if (by !== 'status') return null
  const statuses = query['status']?.split(',') ?? openTaskStatuses
  const counts: Readonly<Record<string, number>> | undefined = summary?.by_status
  return statuses.map((status) =>
    group(label('taskStatus', status), { status }, counts ? (counts[status] ?? 0) : null),
  )
}

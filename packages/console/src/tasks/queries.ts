import type { Task } from '@muster/contract'
import { queryOptions } from '@tanstack/react-query'

import { client } from '#api/client.ts'
import { pagedQuery } from '#api/lists.ts'
import type { Search } from '#api/search.ts'

export const openTaskStatuses: Task['status'][] = ['todo', 'in_progress', 'blocked']
const allTaskStatuses: Task['status'][] = [...openTaskStatuses, 'done', 'cancelled']

/** The prefix of the query keys of all task lists, for optimistic updates. */
export const taskLists = ['tasks', 'list'] as const

export const tasksInProject = (id: string, filters: Search) =>
  pagedQuery({
    noun: 'tasks',
    key: ['list', 'in-project', id, filters],
    page: (paging, signal) =>
      client.tasks.list_in_project(
        { params: { project_id: id }, query: { ...filters, ...paging, include: ['total_count'] } },
        { signal },
      ),
  })

/** All tasks of a risk or an issue, including finished ones; earliest due date first. */
export const tasksOfSubject = (id: string) =>
  pagedQuery({
    noun: 'tasks',
    key: ['list', 'about', id],
    page: (paging, signal) =>
      client.tasks.list(
        { query: { ...subjectFilter(id), status: allTaskStatuses, ...paging } },
        { signal },
      ),
  })

/** A task belongs to a risk or an issue; the prefix of the id shows which. */
export const isRiskId = (id: string) => id.startsWith('rsk_')

const subjectFilter = (id: string) => (isRiskId(id) ? { risk_id: [id] } : { issue_id: [id] })

interface TaskRef {
  readonly projectId: string
  readonly taskId: string
}

/** Not cached, so that the edit dialog starts from the current data. */
export const taskQuery = ({ projectId, taskId }: TaskRef) =>
  queryOptions({
    queryKey: ['tasks', 'one', taskId],
    queryFn: ({ signal }) =>
      client.tasks.view({ params: { project_id: projectId, task_id: taskId } }, { signal }),
    gcTime: 0,
  })

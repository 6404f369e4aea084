import type { Task } from '@muster/contract'
import { queryOptions } from '@tanstack/react-query'

import { client } from '#api/client.ts'
import { pagesOf } from '#api/lists.ts'
import type { Search } from '#api/search.ts'

export const openTaskStatuses: Task['status'][] = ['todo', 'in_progress', 'blocked']
const everyTaskStatus: Task['status'][] = [...openTaskStatuses, 'done', 'cancelled']

/** Under this all lists of tasks are kept, so that a change can be shown in them at once. */
export const taskLists = ['tasks', 'list'] as const

export const tasksInProject = (id: string, filters: Search) =>
  pagesOf({
    noun: 'tasks',
    key: ['list', 'in-project', id, filters],
    page: (paging, signal) =>
      client.tasks.list_in_project(
        { params: { project_id: id }, query: { ...filters, ...paging, include: ['total_count'] } },
        { signal },
      ),
  })

/** What is done about a risk or an issue, also what is over; what is due first, first. */
export const tasksAbout = (id: string) =>
  pagesOf({
    noun: 'tasks',
    key: ['list', 'about', id],
    page: (paging, signal) =>
      client.tasks.list(
        { query: { ...aboutIds(id), status: everyTaskStatus, ...paging } },
        { signal },
      ),
  })

/** A task is about a risk or about an issue; the beginning of the id tells which. */
export const isRiskId = (id: string) => id.startsWith('rsk_')

const aboutIds = (id: string) => (isRiskId(id) ? { risk_id: [id] } : { issue_id: [id] })

interface TaskPlace {
  readonly projectId: string
  readonly taskId: string
}

/** Read anew each time it is chosen: whoever edits it edits it as it is. */
export const taskQuery = ({ projectId, taskId }: TaskPlace) =>
  queryOptions({
    queryKey: ['tasks', 'one', taskId],
    queryFn: ({ signal }) =>
      client.tasks.view({ params: { project_id: projectId, task_id: taskId } }, { signal }),
    gcTime: 0,
  })

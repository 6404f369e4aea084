import type { Task } from '@muster/contract'
import { queryOptions } from '@tanstack/react-query'

import { client } from '#data/client.ts'
import { pagedQuery } from '#data/lists.ts'
import type { Search } from '#data/search.ts'

export const openTaskStatuses: Task['status'][] = ['todo', 'in_progress', 'blocked']
const allTaskStatuses: Task['status'][] = [...openTaskStatuses, 'done', 'cancelled']

export const isOpenTask = ({ status }: Pick<Task, 'status'>) => openTaskStatuses.includes(status)

/** The prefix of the query keys of all task lists, for optimistic updates. */
export const taskLists = ['tasks', 'list'] as const

/** The tasks of all projects that match the filters, earliest due date first. */
export const taskPages = (filters: Search) =>
  pagedQuery({
    noun: 'tasks',
    key: ['list', 'all', filters],
    page: (paging, signal) => client.tasks.list({ query: { ...filters, ...paging } }, { signal }),
  })

/** The filters of the views. Without a person there are no own tasks. */
export const taskViewQueries = (me: string | undefined): Readonly<Record<string, Search>> => ({
  ...(me !== undefined && { mine: { assignee_user_id: me } }),
  unassigned: { assignee_user_id: 'none' },
  blocked: { status: 'blocked' },
  done: { status: 'done' },
  cancelled: { status: 'cancelled' },
})

/** The counts of open tasks. The only filters are the project and the assignee. */
export const taskSummaryQuery = (filters: Search) => {
  const query: Search = Object.fromEntries(
    Object.entries(filters).filter(([name]) => summaryFilters.has(name)),
  )
  return queryOptions({
    queryKey: ['tasks', 'summary', query],
    queryFn: ({ signal }) => client.tasks.summary({ query: { ...query } }, { signal }),
    placeholderData: (before) => before,
  })
}

const summaryFilters = new Set(['project_id', 'assignee_user_id'])

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

export type TaskRef = Pick<Task, 'project_id' | 'id'>

export const toParams = ({ project_id, id }: TaskRef) => ({ project_id, task_id: id })

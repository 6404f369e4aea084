import type { Project } from '@muster/contract'
import { queryOptions } from '@tanstack/react-query'

import { client } from '#api/client.ts'
import { historyPage, pagedQuery } from '#api/lists.ts'
import type { Search } from '#api/search.ts'
import { openTaskStatuses } from '#tasks/queries.ts'

/** The projects that match the filters, each with its summary. */
export const projectPages = (filters: Search) =>
  pagedQuery({
    noun: 'projects',
    key: ['list', filters],
    page: (paging, signal) =>
      client.projects.list(
        { query: { ...filters, ...paging, include: ['summary', 'total_count'] } },
        { signal },
      ),
  })

/** The total number of matches; null if the list has none. */
export function totalCount(data: { readonly pages: readonly object[] } | undefined): number | null {
  const first: { readonly total_count?: number | null } = data?.pages[0] ?? {}
  return first.total_count ?? null
}

const allStatuses: Project['status'][] = [
  'planned',
  'active',
  'on_hold',
  'completed',
  'cancelled',
  'archived',
]

/** The summary of one project, which only the list includes. */
export const projectSummaryQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', 'summary', id],
    queryFn: async ({ signal }) => {
      const query = { id: [id], status: allStatuses, include: ['summary'] }
      const { data } = await client.projects.list({ query }, { signal })
      return data[0]?.summary ?? null
    },
  })

export const openTaskCountQuery = (id: string) =>
  queryOptions({
    queryKey: ['tasks', 'open-count', id],
    queryFn: async ({ signal }) => {
      const query = { status: openTaskStatuses, limit: 1, include: ['total_count'] }
      const params = { project_id: id }
      const { total_count } = await client.tasks.list_in_project({ params, query }, { signal })
      return total_count ?? null
    },
  })

export const projectHistory = (id: string, seesKeys: boolean) =>
  pagedQuery({
    noun: 'projects',
    key: ['history', id, seesKeys],
    page: (paging, signal) =>
      client.projects.history(
        { params: { project_id: id }, query: historyPage(paging, seesKeys) },
        { signal },
      ),
    limit: 1000,
  })

export const risksInProject = (id: string, filters: Search) =>
  pagedQuery({
    noun: 'risks',
    key: ['in-project', id, filters],
    page: (paging, signal) =>
      client.risks.list_in_project(
        { params: { project_id: id }, query: { ...filters, ...paging, include: ['total_count'] } },
        { signal },
      ),
  })

export const issuesInProject = (id: string, filters: Search) =>
  pagedQuery({
    noun: 'issues',
    key: ['in-project', id, filters],
    page: (paging, signal) =>
      client.issues.list_in_project(
        { params: { project_id: id }, query: { ...filters, ...paging, include: ['total_count'] } },
        { signal },
      ),
  })

import type { Project } from '@muster/contract'
import { queryOptions } from '@tanstack/react-query'

import { client } from '#api/client.ts'
import { pagesOf } from '#api/lists.ts'
import type { Search } from '#api/search.ts'
import { openTaskStatuses } from '#tasks/queries.ts'

/** The projects as far as the filters leave them, each with what it is up against. */
export const projectPages = (filters: Search) =>
  pagesOf({
    noun: 'projects',
    key: ['list', filters],
    page: (paging, signal) =>
      client.projects.list(
        { query: { ...filters, ...paging, include: ['summary', 'total_count'] } },
        { signal },
      ),
  })

/** How many match on all pages together, where the list was asked to tell. */
export function totalOf(data: { readonly pages: readonly object[] } | undefined): number | null {
  const first: { readonly total_count?: number | null } = data?.pages[0] ?? {}
  return first.total_count ?? null
}

const everyStatus: Project['status'][] = [
  'planned',
  'active',
  'on_hold',
  'completed',
  'cancelled',
  'archived',
]

/** What one project is up against; only the list of projects tells. */
export const projectSummaryQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', 'summary', id],
    queryFn: async ({ signal }) => {
      const query = { id: [id], status: everyStatus, include: ['summary'] }
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

export const projectHistory = (id: string) =>
  pagesOf({
    noun: 'projects',
    key: ['history', id],
    page: (paging, signal) =>
      client.projects.history({ params: { project_id: id }, query: paging }, { signal }),
    limit: 1000,
  })

export const risksInProject = (id: string, filters: Search) =>
  pagesOf({
    noun: 'risks',
    key: ['in-project', id, filters],
    page: (paging, signal) =>
      client.risks.list_in_project(
        { params: { project_id: id }, query: { ...filters, ...paging, include: ['total_count'] } },
        { signal },
      ),
  })

export const issuesInProject = (id: string, filters: Search) =>
  pagesOf({
    noun: 'issues',
    key: ['in-project', id, filters],
    page: (paging, signal) =>
      client.issues.list_in_project(
        { params: { project_id: id }, query: { ...filters, ...paging, include: ['total_count'] } },
        { signal },
      ),
  })

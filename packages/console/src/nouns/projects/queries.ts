import type { ListedProject, Project } from '@muster/contract'
import { queryOptions } from '@tanstack/react-query'

import { client } from '#data/client.ts'
import { type AuthorNames, historyPage, type ListResponse, pagedQuery } from '#data/lists.ts'
import type { Search } from '#data/search.ts'
import { allStatuses } from '#kit/references/projects.ts'
import { openTaskStatuses } from '#nouns/tasks/queries.ts'

interface ProjectView {
  readonly filters?: Search
  /** What the API cannot filter by. */
  readonly test?: (project: Project, userId: string) => boolean
}

/** The views of the list, by the parameter `view`. */
export const projectViews: Readonly<Record<string, ProjectView>> = {
  active: { filters: { status: 'active' } },
  mine: { test: ({ owner_user_id }, userId) => owner_user_id === userId },
  attention: { test: ({ health }) => health === 'off_track' || health === 'at_risk' },
  archived: { filters: { status: 'archived' } },
}

interface ProjectRequest {
  /** The filters and the view of the page. */
  readonly search: Search
  /** The person who is signed in; empty for a service key. */
  readonly userId: string
}

interface Paging {
  readonly limit: number
  readonly cursor?: string
}

/** A page of projects with their summaries. Projects chosen by a test are one page. */
export async function listProjects(
  { search: { view = '', ...filters }, userId }: ProjectRequest,
  paging: Paging,
  signal: AbortSignal,
): Promise<ListResponse<ListedProject>> {
  const { filters: viewFilters, test } = projectViews[view] ?? {}
  const query = { ...viewFilters, ...filters, include: ['summary' as const] }
  if (test === undefined)
    return client.projects.list({ query: { ...query, ...paging } }, { signal })
  const data: ListedProject[] = []
  let cursor: string | null = null
  do {
    const page: ListResponse<ListedProject> = await client.projects.list(
      { query: { ...query, limit: 1000, ...(cursor !== null && { cursor }) } },
      { signal },
    )
    data.push(...page.data.filter((project) => test(project, userId)))
    cursor = page.next_cursor
  } while (cursor !== null)
  return { data, next_cursor: null }
}

/** The projects of a view that match the filters. */
export const projectPages = (request: ProjectRequest) =>
  pagedQuery({
    noun: 'projects',
    key: ['list', request],
    page: (paging, signal) => listProjects(request, paging, signal),
  })

/** The number of projects in each view that the API can count. */
export const projectCountQuery = (view: string) =>
  queryOptions({
    queryKey: ['projects', 'count', view],
    queryFn: async ({ signal }) => {
      const query = { ...projectViews[view]?.filters, limit: 1, include: ['total_count'] }
      const { total_count = null } = await client.projects.list({ query }, { signal })
      return total_count
    },
  })

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

export const projectHistory = (id: string, names: AuthorNames) =>
  pagedQuery({
    noun: 'projects',
    key: ['history', id, names],
    page: (paging, signal) =>
      client.projects.history(
        { params: { project_id: id }, query: historyPage(paging, names) },
        { signal },
      ),
    limit: 1000,
  })

const shownMax = 8

/** The highest live risks of a project. */
export const topRisksQuery = (id: string, seesPeople: boolean) =>
  queryOptions({
    queryKey: ['risks', 'top', id, seesPeople],
    queryFn: ({ signal }) =>
      client.risks.list({ query: { project_id: [id], ...firstOf(seesPeople) } }, { signal }),
  })

/** The most severe open issues of a project. */
export const topIssuesQuery = (id: string, seesPeople: boolean) =>
  queryOptions({
    queryKey: ['issues', 'top', id, seesPeople],
    queryFn: ({ signal }) =>
      client.issues.list({ query: { project_id: [id], ...firstOf(seesPeople) } }, { signal }),
  })

const firstOf = (seesPeople: boolean) => ({
  limit: shownMax,
  ...(seesPeople && { include: ['people' as const] }),
})

/** The open tasks of a project that are due first. */
export const nextTasksQuery = (id: string) =>
  queryOptions({
    queryKey: ['tasks', 'next', id],
    queryFn: ({ signal }) =>
      client.tasks.list(
        { query: { project_id: [id], limit: shownMax, include: ['total_count'] } },
        { signal },
      ),
  })

import type { Project } from '@muster/contract'
import { queryOptions, useQueries } from '@tanstack/react-query'

import { batchById } from '#data/batch.ts'
import { client } from '#data/client.ts'
import { useMissingScopeReason } from '#data/whoami.ts'

export const allStatuses: Project['status'][] = [
  'planned',
  'active',
  'on_hold',
  'completed',
  'cancelled',
  'archived',
]

export const projectQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', 'one', id],
    queryFn: ({ signal }) => client.projects.view({ params: { project_id: id } }, { signal }),
  })

/** Names by project id. Ids whose project is not loaded yet are left out. */
export const useProjectNames = (ids: readonly string[]): ReadonlyMap<string, string> =>
  useQueries({
    queries: ids.map((id) => ({ ...projectQuery(id), staleTime: 60_000 })),
    combine: (results) =>
      new Map(results.flatMap(({ data }) => (data ? [[data.id, data.name] as const] : []))),
  })

const load = batchById(async (ids) => {
  const query = { id: ids, status: allStatuses, limit: ids.length }
  const { data } = await client.projects.list({ query })
  return new Map(data.map((project) => [project.id, project]))
})

interface SeenProjects {
  readonly seen: readonly Pick<Project, 'id' | 'code' | 'name'>[]
  /** Those that the caller may not see, or that do not exist. */
  readonly unseenCount: number
  readonly isLoading: boolean
}

/** Projects with any status, in the order of the ids. Cells on the screen share one request. */
export function useSeenProjects(ids: readonly string[]): SeenProjects {
  const enabled = useMissingScopeReason('projects.read') === null
  return useQueries({
    queries: ids.map((id) => ({
      queryKey: ['projects', 'seen', id],
      queryFn: () => load(id),
      enabled,
      staleTime: 60_000,
    })),
    combine: (results) => {
      const seen = results.flatMap(({ data }) => data ?? [])
      const isLoading = results.some((result) => result.isLoading)
      return { seen, isLoading, unseenCount: isLoading ? 0 : ids.length - seen.length }
    },
  })
}

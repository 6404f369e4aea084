import { queryOptions, useQueries } from '@tanstack/react-query'

import { client } from '#data/client.ts'

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

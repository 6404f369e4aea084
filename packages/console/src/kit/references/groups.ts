import { queryOptions } from '@tanstack/react-query'

import { client } from '#data/client.ts'

/** The names of the first 1,000 groups in one request. Other groups are fetched one by one. */
export const groupNamesQuery = queryOptions({
  queryKey: ['groups', 'names'],
  queryFn: async ({ signal }) => {
    const query = { status: ['active' as const, 'archived' as const], limit: 1000 }
    const { data } = await client.groups.list({ query }, { signal })
    return new Map(data.map(({ id, name }) => [id, name]))
  },
  staleTime: 60_000,
})

export const groupQuery = (id: string) =>
  queryOptions({
    queryKey: ['groups', 'one', id],
    queryFn: ({ signal }) => client.groups.view({ params: { group_id: id } }, { signal }),
  })

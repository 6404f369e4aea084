import { infiniteQueryOptions } from '@tanstack/react-query'

import { mergeList } from './live-lists.ts'
import { type Noun, queryClient } from './query-client.ts'

export interface ListResponse<T> {
  readonly data: readonly T[]
  readonly next_cursor: string | null
  /** The total number of matches; present if `include` has `total_count`. */
  readonly total_count?: number | null
}

interface ListOptions<T> {
  readonly noun: Noun
  /** The rest of the query key: the name of the list and all its parameters. */
  readonly key: readonly unknown[]
  readonly page: (
    paging: { limit: number; cursor?: string },
    signal: AbortSignal,
  ) => Promise<ListResponse<T>>
  readonly limit?: number
}

/** Query options for a list with keyset pagination. */
export const pagedQuery = <T>({ noun, key, page, limit = 100 }: ListOptions<T>) =>
  infiniteQueryOptions({
    queryKey: [noun, ...key],
    queryFn: ({ pageParam, signal }) =>
      page({ limit, ...(pageParam !== null && { cursor: pageParam }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    structuralSharing: mergeList([noun, ...key]),
  })

/** The names of authors that the user may see. */
export type AuthorNames = readonly ('people' | 'keys')[]

/** The query of a history with the names of its authors. */
export const historyPage = <P extends object>(paging: P, names: AuthorNames) => ({
  ...paging,
  ...(names.length > 0 && { include: [...names] }),
})

export interface Pages<T> {
  readonly pages: readonly { readonly data: readonly T[] }[]
}

/** The items of all pages loaded up to now. */
export const allItems = <T>(list: Pages<T> | undefined): T[] =>
  list?.pages.flatMap(({ data }) => data) ?? []

/** The items with these ids in the cached lists of a noun, each in its latest known version. */
export function cachedItems<T extends { readonly id: string; readonly version: number }>(
  noun: Noun,
  ids: ReadonlySet<string>,
): T[] {
  const lists = queryClient.getQueriesData<Pages<T> | number>({ queryKey: [noun] })
  const items = lists.flatMap(([, list]) =>
    typeof list === 'object' && 'pages' in list ? allItems(list) : [],
  )
  const found = items.filter(({ id }) => ids.has(id)).toSorted((a, b) => a.version - b.version)
  return [...new Map(found.map((item) => [item.id, item])).values()]
}

import { infiniteQueryOptions } from '@tanstack/react-query'

import type { Noun } from './query-client.ts'

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
  })

/** The query of a history: with the names of keys for those who may list keys. */
export const historyPage = <P extends object>(paging: P, seesKeys: boolean) => ({
  ...paging,
  ...(seesKeys && { include: ['keys' as const] }),
})

export interface Pages<T> {
  readonly pages: readonly { readonly data: readonly T[] }[]
}

/** The items of all pages loaded up to now. */
export const allItems = <T>(list: Pages<T> | undefined): T[] =>
  list?.pages.flatMap(({ data }) => data) ?? []

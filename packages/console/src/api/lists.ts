import { infiniteQueryOptions } from '@tanstack/react-query'

import type { Noun } from './cache.ts'

export interface Answer<T> {
  readonly data: readonly T[]
  readonly next_cursor: string | null
  /** How many match in all, where that was asked for. */
  readonly total_count?: number | null
}

interface Listed<T> {
  readonly noun: Noun
  /** What tells this list from others of the noun: its name and everything it was asked with. */
  readonly key: readonly unknown[]
  readonly page: (
    paging: { limit: number; cursor?: string },
    signal: AbortSignal,
  ) => Promise<Answer<T>>
  readonly limit?: number
}

/** A list that is read on page by page, by cursor. */
export const pagesOf = <T>({ noun, key, page, limit = 100 }: Listed<T>) =>
  infiniteQueryOptions({
    queryKey: [noun, ...key],
    queryFn: ({ pageParam, signal }) =>
      page({ limit, ...(pageParam !== null && { cursor: pageParam }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })

export interface Pages<T> {
  readonly pages: readonly { readonly data: readonly T[] }[]
}

/** All that was loaded of a list so far. */
export const itemsOf = <T>(list: Pages<T> | undefined): T[] =>
  list?.pages.flatMap(({ data }) => data) ?? []

import type { Person } from '@muster/contract'
import { queryOptions } from '@tanstack/react-query'

import { client } from '#api/client.ts'
import { pagesOf } from '#api/lists.ts'
import type { Search } from '#api/search.ts'

type Sort = NonNullable<
  NonNullable<NonNullable<Parameters<typeof client.personnel.list>[0]>['query']>['sort']
>

/** The directory as far as the filters leave it, page by page. */
export const directoryPages = (filters: Search, sort: string) =>
  pagesOf({
    noun: 'personnel',
    key: ['directory', filters, sort],
    page: (paging, signal) =>
      client.personnel.list(
        // The cast holds for every address that the console makes; the service refuses any other.
        { query: { ...filters, ...paging, sort: sort as Sort } },
        { signal },
      ),
  })

/** How many match; null when they are too many to be counted. */
export const directoryCount = (filters: Search) =>
  queryOptions({
    queryKey: ['personnel', 'count', filters],
    queryFn: async ({ signal }) => {
      const query = { ...filters, limit: 1, include: ['total_count'] }
      const { total_count = null } = await client.personnel.list({ query }, { signal })
      return total_count
    },
    placeholderData: (before) => before,
  })

/** What filters by a whole word can offer: the words of the first thousand people. */
export const wordsQuery = queryOptions({
  queryKey: ['personnel', 'words'],
  queryFn: async ({ signal }) => {
    const { data } = await client.personnel.list({ query: { limit: 1000 } }, { signal })
    return {
      title: wordsOf(data.map(({ title }) => title)),
      department: wordsOf(data.map(({ department }) => department)),
    }
  },
  staleTime: 60_000,
})

const wordsOf = (words: readonly (string | null)[]) =>
  [...new Set(words.filter((word) => word !== null))].toSorted((a, b) => a.localeCompare(b))

export const personKey = (id: string) => ['personnel', 'one', id] as const

export const personQuery = (id: string) =>
  queryOptions({
    queryKey: personKey(id),
    queryFn: ({ signal }) => client.personnel.view({ params: { user_id: id } }, { signal }),
  })

export const personHistory = (id: string) =>
  pagesOf({
    noun: 'personnel',
    key: ['history', id],
    page: (paging, signal) =>
      client.personnel.history({ params: { user_id: id }, query: paging }, { signal }),
    limit: 1000,
  })

/** How many things can be handed over at once, and so how many are counted. */
export const heldMost = 1000

/** What is in someone's hands. It is kept under the people: handing over touches them all. */
export const heldPages = (id: string) =>
  pagesOf({
    noun: 'personnel',
    key: ['held', id],
    page: (paging, signal) =>
      client.personnel.assignments({ params: { user_id: id }, query: paging }, { signal }),
    limit: heldMost,
  })

const reportsMost = 12

/** The first who report to someone, and how many there are. */
export const reportsQuery = ({ id }: Person) =>
  queryOptions({
    queryKey: ['personnel', 'reports', id],
    queryFn: ({ signal }) =>
      client.personnel.list(
        {
          query: {
            manager_user_id: [id],
            sort: 'name',
            limit: reportsMost,
            include: ['total_count'],
          },
        },
        { signal },
      ),
  })

/** The names of the first thousand groups in one call; a group beyond them is asked for alone. */
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

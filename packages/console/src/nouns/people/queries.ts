import type { Person } from '@muster/contract'
import { queryOptions } from '@tanstack/react-query'

import { client } from '#data/client.ts'
import { type AuthorNames, historyPage, pagedQuery } from '#data/lists.ts'
import type { Search } from '#data/search.ts'

/** The directory in the order of its page, which is not that of the API. */
export const directoryByName = { sort: 'name' } as const

/** The people who match the filters. */
export const directoryPages = (filters: Search) =>
  pagedQuery({
    noun: 'personnel',
    key: ['directory', filters],
    page: (paging, signal) =>
      client.personnel.list({ query: { ...filters, ...paging, ...counted(paging) } }, { signal }),
  })

/** Only the first page counts the matches. */
const counted = ({ cursor }: { readonly cursor?: string }) =>
  cursor === undefined ? { include: ['total_count' as const] } : {}

/** The number of matches; null if there are too many to count. */
export const directoryCount = (filters: Search) =>
  queryOptions({
    queryKey: ['personnel', 'count', filters],
    queryFn: async ({ signal }) => {
      const query = { ...filters, limit: 1, ...counted({}) }
      const { total_count = null } = await client.personnel.list({ query }, { signal })
      return total_count
    },
    placeholderData: (before) => before,
  })

/** Suggestions for exact filters: the values of the first 1,000 people. */
export const fieldValuesQuery = queryOptions({
  queryKey: ['personnel', 'words'],
  queryFn: async ({ signal }) => {
    const { data } = await client.personnel.list({ query: { limit: 1000 } }, { signal })
    return {
      title: distinct(data.map(({ title }) => title)),
      department: distinct(data.map(({ department }) => department)),
    }
  },
  staleTime: 60_000,
})

const distinct = (values: readonly (string | null)[]) =>
  [...new Set(values.filter((value) => value !== null))].toSorted((a, b) => a.localeCompare(b))

export type PersonRef = Pick<Person, 'id'>

export const toParams = ({ id }: PersonRef) => ({ user_id: id })

export const personHistory = (person: PersonRef, names: AuthorNames) =>
  pagedQuery({
    noun: 'personnel',
    key: ['history', person.id, names],
    page: (paging, signal) =>
      client.personnel.history(
        { params: toParams(person), query: historyPage(paging, names) },
        { signal },
      ),
    limit: 1000,
  })

/** The API reassigns at most this many items at once, so no more are counted. */
export const assignmentsMax = 1000

/** Assigned work. Its query key starts with `personnel`, so that a handover refetches it. */
export const assignmentPages = (id: string) =>
  pagedQuery({
    noun: 'personnel',
    key: ['held', id],
    page: (paging, signal) =>
      client.personnel.assignments({ params: { user_id: id }, query: paging }, { signal }),
    limit: assignmentsMax,
  })

const reportsMax = 12

/** The first direct reports and their total number. */
export const reportsQuery = ({ id }: PersonRef) =>
  queryOptions({
    queryKey: ['personnel', 'reports', id],
    queryFn: ({ signal }) => {
      const query = { manager_user_id: [id], sort: 'name' as const, limit: reportsMax }
      return client.personnel.list({ query: { ...query, ...counted({}) } }, { signal })
    },
  })

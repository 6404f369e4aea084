import type { Group, Person } from '@muster/contract'
import { queryOptions, useQueries } from '@tanstack/react-query'

import { client } from '#api/client.ts'
import { pagesOf } from '#api/lists.ts'
import type { Search } from '#api/search.ts'
import { peopleQuery } from '#ui/people.tsx'

/** So many of a group's leads are named in the list; the rest are counted. */
export const leadsNamed = 3

/** The leads that are named of one page of groups can be looked up in one call. */
const groupsPerPage = 60

export const groupPages = (filters: Search) =>
  pagesOf({
    noun: 'groups',
    key: ['list', filters],
    page: (paging, signal) =>
      client.groups.list(
        { query: { sort: 'name', ...filters, ...paging, include: ['total_count'] } },
        { signal },
      ),
    limit: groupsPerPage,
  })

/** The names of those who lead these groups, asked for page by page. */
export function useLeadNames(
  pages: readonly { readonly data: readonly Group[] }[],
): ReadonlyMap<string, string> {
  return useQueries({
    queries: pages.map(({ data }) => peopleQuery(namedLeads(data))),
    combine: (answers) =>
      new Map(answers.flatMap(({ data }) => data?.data.map(({ id, name }) => [id, name]) ?? [])),
  })
}

const namedLeads = (groups: readonly Group[]) =>
  [...new Set(groups.flatMap(({ lead_user_ids }) => lead_user_ids.slice(0, leadsNamed)))].toSorted()

export const groupKey = (id: string) => ['groups', 'one', id] as const

export const groupQuery = (id: string) =>
  queryOptions({
    queryKey: groupKey(id),
    queryFn: ({ signal }) => client.groups.view({ params: { group_id: id } }, { signal }),
  })

/** The members as people: who leads is known by the group itself. */
export const memberPages = (groupId: string, filters: Search) =>
  pagesOf<Person>({
    noun: 'personnel',
    key: ['members', groupId, filters],
    page: (paging, signal) =>
      client.personnel.list(
        {
          query: {
            sort: 'name',
            ...filters,
            ...paging,
            group_id: [groupId],
            include: ['total_count'],
          },
        },
        { signal },
      ),
  })

import type { Group, Person } from '@muster/contract'
import { queryOptions, useQueries } from '@tanstack/react-query'

import { client } from '#api/client.ts'
import { pagedQuery } from '#api/lists.ts'
import type { Search } from '#api/search.ts'
import { peopleQuery } from '#ui/people.tsx'

/** The list shows this many leads of a group and counts the others. */
export const shownLeadsMax = 3

/** 60 groups with 3 leads each fit into one lookup of at most 200 people. */
const groupsPerPage = 60

export const groupPages = (filters: Search) =>
  pagedQuery({
    noun: 'groups',
    key: ['list', filters],
    page: (paging, signal) =>
      client.groups.list(
        { query: { sort: 'name', ...filters, ...paging, include: ['total_count'] } },
        { signal },
      ),
    limit: groupsPerPage,
  })

/** The names of the shown leads; one request per page of groups. */
export function useLeadNames(
  pages: readonly { readonly data: readonly Group[] }[],
): ReadonlyMap<string, string> {
  return useQueries({
    queries: pages.map(({ data }) => peopleQuery(shownLeadIds(data))),
    combine: (responses) =>
      new Map(responses.flatMap(({ data }) => data?.data.map(({ id, name }) => [id, name]) ?? [])),
  })
}

const shownLeadIds = (groups: readonly Group[]) =>
  [
    ...new Set(groups.flatMap(({ lead_user_ids }) => lead_user_ids.slice(0, shownLeadsMax))),
  ].toSorted()

export const groupKey = (id: string) => ['groups', 'one', id] as const

export const groupQuery = (id: string) =>
  queryOptions({
    queryKey: groupKey(id),
    queryFn: ({ signal }) => client.groups.view({ params: { group_id: id } }, { signal }),
  })

/** The members as people. Their leads are in the group itself. */
export const memberPages = (groupId: string, filters: Search) =>
  pagedQuery<Person>({
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

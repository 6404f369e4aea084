import type { Group, Person } from '@muster/contract'
import { queryOptions } from '@tanstack/react-query'

import { client } from '#data/client.ts'
import { pagedQuery } from '#data/lists.ts'
import type { Search } from '#data/search.ts'

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
        { query: { ...filters, ...paging, include: ['total_count'] } },
        { signal },
      ),
    limit: groupsPerPage,
  })

/** The number of groups with this status. */
export const groupCount = (status: Group['status']) =>
  queryOptions({
    queryKey: ['groups', 'count', status],
    queryFn: async ({ signal }) => {
      const query = { status: [status], limit: 1, include: ['total_count' as const] }
      const { total_count = null } = await client.groups.list({ query }, { signal })
      return total_count
    },
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

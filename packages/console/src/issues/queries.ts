import type { Issue } from '@muster/contract'
import { queryOptions } from '@tanstack/react-query'

import { client } from '#api/client.ts'
import { pagesOf } from '#api/lists.ts'
import type { Search } from '#api/search.ts'

/** The open issues as far as the filters leave them, page by page. */
export const openIssuePages = (filters: Search, seesPeople: boolean) =>
  pagesOf({
    noun: 'issues',
    key: ['open', filters, seesPeople],
    page: (paging, signal) =>
      client.issues.list(
        { query: { ...filters, ...paging, ...(seesPeople && { include: ['people'] }) } },
        { signal },
      ),
  })

export const issueSummaryQuery = (filters: Search) =>
  queryOptions({
    queryKey: ['issues', 'summary', filters],
    queryFn: ({ signal }) => client.issues.summary({ query: { ...filters } }, { signal }),
    placeholderData: (before) => before,
  })

export type IssuePlace = Pick<Issue, 'project_id' | 'id'>

export const paramsOf = ({ project_id, id }: IssuePlace) => ({ project_id, issue_id: id })

export const issueKey = ({ id }: IssuePlace) => ['issues', 'one', id] as const

export const issueQuery = (place: IssuePlace) =>
  queryOptions({
    queryKey: issueKey(place),
    queryFn: ({ signal }) => client.issues.view({ params: paramsOf(place) }, { signal }),
  })

export const issueHistory = (place: IssuePlace) =>
  pagesOf({
    noun: 'issues',
    key: ['history', place.id],
    page: (paging, signal) =>
      client.issues.history({ params: paramsOf(place), query: paging }, { signal }),
    limit: 1000,
  })

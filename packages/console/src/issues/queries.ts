import type { Issue } from '@muster/contract'
import { queryOptions } from '@tanstack/react-query'

import { client } from '#api/client.ts'
import { historyPage, pagedQuery } from '#api/lists.ts'
import type { Search } from '#api/search.ts'

/** The open issues that match the filters. */
export const openIssuePages = (filters: Search, seesPeople: boolean) =>
  pagedQuery({
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

export type IssueRef = Pick<Issue, 'project_id' | 'id'>

export const toParams = ({ project_id, id }: IssueRef) => ({ project_id, issue_id: id })

export const issueKey = ({ id }: IssueRef) => ['issues', 'one', id] as const

export const issueQuery = (issueRef: IssueRef) =>
  queryOptions({
    queryKey: issueKey(issueRef),
    queryFn: ({ signal }) => client.issues.view({ params: toParams(issueRef) }, { signal }),
  })

export const issueHistory = (issueRef: IssueRef, seesKeys: boolean) =>
  pagedQuery({
    noun: 'issues',
    key: ['history', issueRef.id, seesKeys],
    page: (paging, signal) =>
      client.issues.history(
        { params: toParams(issueRef), query: historyPage(paging, seesKeys) },
        { signal },
      ),
    limit: 1000,
  })

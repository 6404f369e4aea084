import type { Issue, PersonName, ProjectName } from '@muster/contract'
import { queryOptions } from '@tanstack/react-query'

import { client } from '#data/client.ts'
import { type AuthorNames, historyPage, pagedQuery } from '#data/lists.ts'
import type { Search } from '#data/search.ts'

/** An open or closed issue in a list of all projects. */
export interface ListedIssue extends Issue {
  readonly project: ProjectName
  /** The position in the list as it is filtered; missing for a closed issue. */
  readonly rank?: number
  /** Missing if the user may not see people. */
  readonly assignee?: PersonName | null
}

/** The open issues, or the closed ones with the latest first, that match the filters. */
export const issuePages = (isClosed: boolean, filters: Search, seesPeople: boolean) =>
  pagedQuery<ListedIssue>({
    noun: 'issues',
    key: [isClosed ? 'closed' : 'open', filters, seesPeople],
    page: (paging, signal) => {
      const include = seesPeople && { include: ['people' as const] }
      const query = { ...filters, ...paging, ...include }
      return client.issues[isClosed ? 'list_closed' : 'list']({ query }, { signal })
    },
  })

/** The filters of the views of open issues. Without a person there are no own ones. */
export const issueViewQueries = (me: string | undefined): Readonly<Record<string, Search>> => ({
  ...(me !== undefined && { mine: { assignee_user_id: me } }),
  unassigned: { assignee_user_id: 'none' },
  overdue: { flag: 'overdue' },
})

/** The number of all closed issues. */
export const closedIssueCountQuery = queryOptions({
  queryKey: ['issues', 'closed-count'],
  queryFn: async ({ signal }) => {
    const query = { limit: 1, include: ['total_count' as const] }
    return (await client.issues.list_closed({ query }, { signal })).total_count ?? null
  },
})

export const issueSummaryQuery = (filters: Search) =>
  queryOptions({
    queryKey: ['issues', 'summary', filters],
    queryFn: ({ signal }) => client.issues.summary({ query: { ...filters } }, { signal }),
    placeholderData: (before) => before,
  })

export type IssueRef = Pick<Issue, 'project_id' | 'id'>

export const toParams = ({ project_id, id }: IssueRef) => ({ project_id, issue_id: id })

export const issueHistory = (issueRef: IssueRef, names: AuthorNames) =>
  pagedQuery({
    noun: 'issues',
    key: ['history', issueRef.id, names],
    page: (paging, signal) =>
      client.issues.history(
        { params: toParams(issueRef), query: historyPage(paging, names) },
        { signal },
      ),
    limit: 1000,
  })

import { issueFlags, type IssueSummary, type OpenIssue, openIssueStatuses } from '@muster/contract'

import type { Caller } from '#domain/caller'
import { presentIssue } from '#domain/issues'
import { listing, type Listing } from '#domain/listing'
import {
  countEach,
  countPeople,
  countsIn,
  filtersIn,
  peopleNamed,
  ranked,
  summarize,
  sumOf,
} from '#domain/rollup'
import { severitiesWhere } from '#domain/score'
import type { Snapshot } from '#storage/database'
import {
  aggregateOpenIssues,
  countOpenIssues,
  type OpenIssuesFilter,
  selectOpenIssues,
} from '#storage/open-issues'

export interface OpenIssuesQuery {
  readonly id?: readonly string[]
  readonly project_id?: readonly string[]
  /** An id, or `none`. */
  readonly assignee_user_id?: readonly string[]
  readonly severity?: readonly number[]
  readonly status?: readonly string[]
  readonly flag?: readonly string[]
  readonly tag?: readonly string[]
  readonly q?: string
  readonly include?: readonly string[]
}

function filterOf(query: OpenIssuesQuery): OpenIssuesFilter {
  return {
    ids: query.id ?? null,
    projectIds: query.project_id ?? null,
    assigneeIds: query.assignee_user_id ?? null,
    statuses: query.status ?? null,
    flags: query.flag ?? null,
    tags: query.tag ?? null,
    severities: severitiesWhere(query.severity),
    q: query.q ?? null,
  }
}

/** The issues of all projects that are not closed, worst first. A query can only narrow it. */
export function listOpenIssues(
  caller: Caller<'projects.read'>,
  query: OpenIssuesQuery,
): Listing<OpenIssue> {
  const filter = filterOf(query)
  const isWithPeople = query.include?.includes('people') ?? false
  return listing(caller, {
    counter: filtersIn(query).length > 0 ? null : 'open_issues',
    count: (snapshot, max) => countOpenIssues(snapshot, filter, max),
    select: async (snapshot, page) => {
      const found = await ranked(
        caller.database,
        { snapshot, page },
        {
          select: (rows) => selectOpenIssues(snapshot, filter, rows),
          present: (issue, viewed): OpenIssue => ({ ...presentIssue(issue), ...viewed }),
        },
      )
      if (!isWithPeople) return found
      const assignees = found.items.map(({ assignee_user_id }) => assignee_user_id)
      const personOf = await peopleNamed(snapshot, assignees)
      const items = found.items.map((item) => ({
        ...item,
        assignee: personOf(item.assignee_user_id),
      }))
      return { ...found, items }
    },
  })
}

/** The open issues in numbers. */
export function summarizeOpenIssues(
  caller: Caller<'projects.read'>,
  query: OpenIssuesQuery,
): Promise<IssueSummary> {
  const aggregate = (snapshot: Snapshot) => aggregateOpenIssues(snapshot, filterOf(query))
  return summarize(caller, { noun: 'issue', query, aggregate }, (counts, { numbers }) => {
    const severities = countsIn(counts, 'severity')
    return {
      as_of: numbers.issues,
      count: sumOf(severities),
      by_severity: [5, 4, 3, 2, 1].map((severity) => ({
        severity,
        count: severities.get(String(severity)) ?? 0,
      })),
      by_status: countEach(openIssueStatuses, countsIn(counts, 'status')),
      by_flag: countEach(issueFlags, countsIn(counts, 'flag')),
      by_month: [...countsIn(counts, 'month')]
        .map(([month, count]) => ({ month, count }))
        .toSorted((a, b) => (a.month < b.month ? -1 : 1)),
      by_assignee: countPeople(counts, 'assignee').map(({ userId, count }) => ({
        assignee_user_id: userId,
        count,
      })),
    }
  })
}

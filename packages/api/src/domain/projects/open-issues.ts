import { issueFlags, type IssueSummary, type OpenIssue, openIssueStatuses } from '@muster/contract'

import type { Caller } from '#domain/caller'
import { presentIssue } from '#domain/issues'
import { filtersIn, listing, type Listing } from '#domain/listing'
import {
  countEach,
  countPeople,
  countsIn,
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
import type { Counted } from '#storage/tallies'

export interface OpenIssuesQuery {
  readonly id?: readonly string[]
  readonly project_id?: readonly string[]
  /** An id, or `none`. */
  readonly assignee_user_id?: readonly string[]
  readonly severity?: readonly number[]
  readonly opened_from?: string
  readonly opened_before?: string
  readonly status?: readonly string[]
  readonly flag?: readonly string[]
  readonly tag?: readonly string[]
  readonly q?: string
  readonly include?: readonly string[]
}

export function openIssuesFilter(query: OpenIssuesQuery): OpenIssuesFilter {
  return {
    ids: query.id ?? null,
    projectIds: query.project_id ?? null,
    assigneeIds: query.assignee_user_id ?? null,
    statuses: query.status ?? null,
    flags: query.flag ?? null,
    tags: query.tag ?? null,
    ranks: severitiesWhere({
      severities: query.severity,
      from: query.opened_from,
      before: query.opened_before,
    }),
    q: query.q ?? null,
  }
}

/** The issues of all projects that are not closed, worst first. A query can only narrow it. */
export function listOpenIssues(
  caller: Caller<'projects.read'>,
  query: OpenIssuesQuery,
): Listing<OpenIssue> {
  const filter = openIssuesFilter(query)
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
  const aggregate = (snapshot: Snapshot) => aggregateOpenIssues(snapshot, openIssuesFilter(query))
  return summarize(caller, { noun: 'issue', query, aggregate }, (counts, { numbers }) => ({
    as_of: numbers.issues,
    ...boardOf(counts),
    by_status: countEach(openIssueStatuses, countsIn(counts, 'status')),
    by_flag: countEach(issueFlags, countsIn(counts, 'flag')),
    by_assignee: countPeople(counts, 'assignee').map(({ userId, count }) => ({
      assignee_user_id: userId,
      count,
    })),
  }))
}

/** Severity by month of opening, and what the cells of either add up to. */
function boardOf(counts: readonly Counted[]) {
  const cells = counts
    .filter(({ dimension }) => dimension === 'cell')
    .map(({ value, count }) => ({ severity: Number(value[0]), month: value.slice(2), count }))
    .toSorted((a, b) => b.severity - a.severity || (a.month < b.month ? -1 : 1))
  const severities = new Map([5, 4, 3, 2, 1].map((severity) => [severity, 0]))
  const months = new Map(cells.map(({ month }) => [month, 0]))
  for (const { severity, month, count } of cells) {
    severities.set(severity, (severities.get(severity) ?? 0) + count)
    months.set(month, (months.get(month) ?? 0) + count)
  }
  return {
    count: sumOf(months),
    by_severity: [...severities].map(([severity, count]) => ({ severity, count })),
    by_month: [...months]
      .map(([month, count]) => ({ month, count }))
      .toSorted((a, b) => (a.month < b.month ? -1 : 1)),
    cells,
  }
}

import {
  type Issue,
  issueFlags,
  type IssueSummary,
  type OpenIssue,
  openIssueStatuses,
  type Operations,
  type QueryOf,
} from '@muster/contract'

import type { Caller } from '#domain/engine/caller'
import type { Listing } from '#domain/engine/listing'
import { severityRanges } from '#domain/rules/score'
import type { DimensionCount } from '#storage/derived/summary-counts'
import { aggregateRollup } from '#storage/lists/rollup'
import { countsOfIssue } from '#storage/nouns/issues'
import { openIssues } from '#storage/nouns/open-issues'
import type { Snapshot } from '#storage/statements/access'
import type { View } from '#storage/statements/view'

import { listByNames } from './named-filters.ts'
import { hasPoints } from './past-items.ts'
import { pastOpenIssues } from './past-lists.ts'
import type { PastPlace } from './past-places.ts'
import { countsAtPoint, listAtPoints } from './past-rollup.ts'
import {
  countEach,
  countPeople,
  countsIn,
  type RollupAdditions,
  type RollupFields,
  rollupSource,
  summarize,
  sumOf,
} from './rollup.ts'

export type OpenIssuesQuery = QueryOf<Operations['issues']['list']>

export const openIssuesFilter = (view: View, query: OpenIssuesQuery) => ({
  projects: view.scope(query.project_id),
  days: { from: query.due_from, before: query.due_before },
  query,
  ranges: severityRanges({
    severities: query.severity,
    from: query.opened_from,
    before: query.opened_before,
  }),
})

/** Lists the open issues of all projects by severity and age. */
export function listOpenIssues(
  caller: Caller<'projects.read'>,
  asked: OpenIssuesQuery,
): Listing<OpenIssue> {
  const sourceFor = (query: OpenIssuesQuery) =>
    rollupSource(caller, {
      ...additions,
      rollup: openIssues,
      filter: openIssuesFilter(caller.view, query),
      counter: 'open_issues',
      query,
      item: (issue) => issue,
    })
  if (!hasPoints(asked)) return listByNames(caller, asked, sourceFor)
  const rollup = { past: pastOpenIssues, query: asked, additions, comparedOf }
  return listAtPoints(caller, rollup, () => sourceFor(asked))
}

const comparedOf = ({ value, status }: PastPlace) => ({
  severity: value,
  // The cast holds because the places of the list are those of issues.
  status: status as Issue['status'],
})

const additions: RollupAdditions<Issue, RollupFields & Pick<OpenIssue, 'assignee'>> = {
  fields: (given) => given,
  userIdOf: ({ assignee_user_id }) => assignee_user_id,
  withPerson: (item, nameOf) => ({ ...item, assignee: nameOf(item.assignee_user_id) }),
}

/** Summarises the open issues. */
export function summarizeOpenIssues(
  caller: Caller<'projects.read'>,
  query: OpenIssuesQuery,
): Promise<IssueSummary> {
  const aggregate = (snapshot: Snapshot) =>
    aggregateRollup(snapshot, openIssues, openIssuesFilter(caller.view, query))
  const past = countsAtPoint(caller, { past: pastOpenIssues, query, countsOf: countsOfIssue })
  return summarize(caller, { noun: 'issue', query, aggregate, past }, (counts) => ({
    ...boardOf(counts),
    by_status: countEach(openIssueStatuses, countsIn(counts, 'status')),
    by_flag: countEach(issueFlags, countsIn(counts, 'flag')),
    by_assignee: countPeople(counts, 'assignee').map(({ userId, count }) => ({
      assignee_user_id: userId,
      count,
    })),
  }))
}

/** The matrix of severity by month of opening, with its sums. */
function boardOf(counts: readonly DimensionCount[]) {
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

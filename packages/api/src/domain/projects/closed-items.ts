import type { ClosedIssue, ClosedRisk, Issue, Operations, QueryOf, Risk } from '@muster/contract'

import type { Caller } from '#domain/engine/caller'
import type { Listing } from '#domain/engine/listing'
import type { Rollup } from '#storage/lists/rollup'
import { closedIssues, closedRisks } from '#storage/nouns/closed-items'
import type { View } from '#storage/statements/view'

import { listByNames } from './named-filters.ts'
import { hasPoints } from './past-items.ts'
import { pastClosedIssues, pastClosedRisks } from './past-lists.ts'
import { listAtPoints } from './past-rollup.ts'
import { presentRisk } from './risk-levels.ts'
import { type RollupAdditions, type RollupFields, rollupSource } from './rollup.ts'

/** The latest first, unless the query reverses it. The same index serves both directions. */
const inClosingOrder = <Item, Name extends string>(
  rollup: Rollup<Item, Name>,
  sort: string | undefined,
): Rollup<Item, Name> => ({ ...rollup, isDescending: sort !== 'closed_at' })

export type ClosedRisksQuery = QueryOf<Operations['risks']['list_closed']>

const closedFilter = <Query extends ClosedRisksQuery | ClosedIssuesQuery>(
  view: View,
  query: Query,
) => ({
  query,
  projects: view.scope(query.project_id),
  days: { from: query.closed_from, before: query.closed_before },
})

type Added<Entry> = Omit<RollupFields, 'rank'> & Pick<Entry, keyof Entry & ('owner' | 'assignee')>

const riskAdditions: RollupAdditions<Risk, Added<ClosedRisk>> = {
  fields: ({ project }) => ({ project }),
  userIdOf: ({ owner_user_id }) => owner_user_id,
  withPerson: (item, nameOf) => ({ ...item, owner: nameOf(item.owner_user_id) }),
}

/** Lists the occurred and closed risks of all projects, the latest first. */
export function listClosedRisks(
  caller: Caller<'projects.read'>,
  asked: ClosedRisksQuery,
): Listing<ClosedRisk> {
  const sourceFor = (query: ClosedRisksQuery) =>
    rollupSource(caller, {
      ...riskAdditions,
      rollup: inClosingOrder(closedRisks, query.sort),
      filter: closedFilter(caller.view, query),
      counter: null,
      query,
      item: presentRisk,
    })
  if (!hasPoints(asked)) return listByNames(caller, asked, sourceFor)
  const rollup = { past: pastClosedRisks, query: asked, additions: riskAdditions }
  return listAtPoints(caller, rollup, () => sourceFor(asked))
}

export type ClosedIssuesQuery = QueryOf<Operations['issues']['list_closed']>

const issueAdditions: RollupAdditions<Issue, Added<ClosedIssue>> = {
  fields: ({ project }) => ({ project }),
  userIdOf: ({ assignee_user_id }) => assignee_user_id,
  withPerson: (item, nameOf) => ({ ...item, assignee: nameOf(item.assignee_user_id) }),
}

/** Lists the closed issues of all projects, the latest first. */
export function listClosedIssues(
  caller: Caller<'projects.read'>,
  asked: ClosedIssuesQuery,
): Listing<ClosedIssue> {
  const sourceFor = (query: ClosedIssuesQuery) =>
    rollupSource(caller, {
      ...issueAdditions,
      rollup: inClosingOrder(closedIssues, query.sort),
      filter: closedFilter(caller.view, query),
      counter: null,
      query,
      item: (issue) => issue,
    })
  if (!hasPoints(asked)) return listByNames(caller, asked, sourceFor)
  const rollup = { past: pastClosedIssues, query: asked, additions: issueAdditions }
  return listAtPoints(caller, rollup, () => sourceFor(asked))
}

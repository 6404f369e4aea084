import type { ClosedIssue, ClosedRisk, Operations, QueryOf } from '@muster/contract'

import type { Caller } from '#domain/engine/caller'
import type { Listing } from '#domain/engine/listing'
import type { Rollup } from '#storage/lists/rollup'
import { closedIssues, closedRisks } from '#storage/nouns/closed-items'
import type { View } from '#storage/statements/view'

import { listByNames } from './named-filters.ts'
import { presentRisk } from './risks.ts'
import { rollupSource } from './rollup.ts'

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

/** Lists the occurred and closed risks of all projects, the latest first. */
export const listClosedRisks = (
  caller: Caller<'projects.read'>,
  asked: ClosedRisksQuery,
): Listing<ClosedRisk> =>
  listByNames(caller, asked, (query) =>
    rollupSource(caller, {
      rollup: inClosingOrder(closedRisks, query.sort),
      filter: closedFilter(caller.view, query),
      counter: null,
      query,
      item: presentRisk,
      fields: ({ project }) => ({ project }),
      userIdOf: ({ owner_user_id }) => owner_user_id,
      withPerson: (item, nameOf) => ({ ...item, owner: nameOf(item.owner_user_id) }),
    }),
  )

export type ClosedIssuesQuery = QueryOf<Operations['issues']['list_closed']>

/** Lists the closed issues of all projects, the latest first. */
export const listClosedIssues = (
  caller: Caller<'projects.read'>,
  asked: ClosedIssuesQuery,
): Listing<ClosedIssue> =>
  listByNames(caller, asked, (query) =>
    rollupSource(caller, {
      rollup: inClosingOrder(closedIssues, query.sort),
      filter: closedFilter(caller.view, query),
      counter: null,
      query,
      item: (issue) => issue,
      fields: ({ project }) => ({ project }),
      userIdOf: ({ assignee_user_id }) => assignee_user_id,
      withPerson: (item, nameOf) => ({ ...item, assignee: nameOf(item.assignee_user_id) }),
    }),
  )

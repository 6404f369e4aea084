import type { ClosedIssue, ClosedRisk, Operations, QueryOf } from '@muster/contract'

import type { Caller } from '#domain/engine/caller'
import type { Listing } from '#domain/engine/listing'
import type { Rollup } from '#storage/lists/rollup'
import { closedIssues, closedRisks } from '#storage/nouns/closed-items'

import { presentRisk } from './risks.ts'
import { listRollup } from './rollup.ts'

/** The latest first, unless the query reverses it. The same index serves both directions. */
const inClosingOrder = <Item, Name extends string>(
  rollup: Rollup<Item, Name>,
  sort: string | undefined,
): Rollup<Item, Name> => ({ ...rollup, isDescending: sort !== 'closed_at' })

export type ClosedRisksQuery = QueryOf<Operations['risks']['list_closed']>

/** Lists the occurred and closed risks of all projects, the latest first. */
export const listClosedRisks = (
  caller: Caller<'projects.read'>,
  query: ClosedRisksQuery,
): Listing<ClosedRisk> =>
  listRollup(caller, {
    rollup: inClosingOrder(closedRisks, query.sort),
    filter: { query, projects: caller.view.scope(query.project_id) },
    counter: null,
    query,
    item: presentRisk,
    fields: ({ project }) => ({ project }),
    userIdOf: ({ owner_user_id }) => owner_user_id,
    withPerson: (item, nameOf) => ({ ...item, owner: nameOf(item.owner_user_id) }),
  })

export type ClosedIssuesQuery = QueryOf<Operations['issues']['list_closed']>

/** Lists the closed issues of all projects, the latest first. */
export const listClosedIssues = (
  caller: Caller<'projects.read'>,
  query: ClosedIssuesQuery,
): Listing<ClosedIssue> =>
  listRollup(caller, {
    rollup: inClosingOrder(closedIssues, query.sort),
    filter: { query, projects: caller.view.scope(query.project_id) },
    counter: null,
    query,
    item: (issue) => issue,
    fields: ({ project }) => ({ project }),
    userIdOf: ({ assignee_user_id }) => assignee_user_id,
    withPerson: (item, nameOf) => ({ ...item, assignee: nameOf(item.assignee_user_id) }),
  })

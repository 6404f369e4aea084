import type { ClosedIssue, ClosedRisk } from '@muster/contract'

import type { Caller } from '#domain/auth/caller'
import type { Listing } from '#domain/engine/listing'
import { closedIssues, closedRisks } from '#storage/nouns/closed-items'

import { presentIssue } from './issues.ts'
import { presentRisk } from './risks.ts'
import { listRollup } from './rollup.ts'

export interface ClosedRisksQuery {
  readonly project_id?: readonly string[]
  /** An id, or `none`. */
  readonly owner_user_id?: readonly string[]
  readonly status?: readonly string[]
  readonly q?: string
  readonly include?: readonly string[]
}

/** Lists the occurred and closed risks of all projects, the latest first. */
export const listClosedRisks = (
  caller: Caller<'projects.read'>,
  query: ClosedRisksQuery,
): Listing<ClosedRisk> =>
  listRollup(caller, {
    rollup: closedRisks,
    filter: { query },
    counter: null,
    query,
    present: (risk, { project }): ClosedRisk => ({ ...presentRisk(risk), project }),
    userIdOf: ({ owner_user_id }) => owner_user_id,
    withPerson: (item, nameOf) => ({ ...item, owner: nameOf(item.owner_user_id) }),
  })

export interface ClosedIssuesQuery {
  readonly project_id?: readonly string[]
  /** An id, or `none`. */
  readonly assignee_user_id?: readonly string[]
  readonly q?: string
  readonly include?: readonly string[]
}

/** Lists the closed issues of all projects, the latest first. */
export const listClosedIssues = (
  caller: Caller<'projects.read'>,
  query: ClosedIssuesQuery,
): Listing<ClosedIssue> =>
  listRollup(caller, {
    rollup: closedIssues,
    filter: { query },
    counter: null,
    query,
    present: (issue, { project }): ClosedIssue => ({ ...presentIssue(issue), project }),
    userIdOf: ({ assignee_user_id }) => assignee_user_id,
    withPerson: (item, nameOf) => ({ ...item, assignee: nameOf(item.assignee_user_id) }),
  })

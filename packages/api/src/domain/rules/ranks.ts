/** The ranks of states, as the indexes of the lists order rows. */

import { type Issue, rankKey, type Risk, severityKey } from '@muster/contract'

/** What decides the place of an item: the first value that differs. The last one is its id. */
export type Rank = readonly (string | number)[]

export const rankOfRisk = (risk: Pick<Risk, 'id' | 'score' | 'impact'>): Rank => [
  rankKey(risk),
  risk.id,
]

export const rankOfIssue = (issue: Pick<Issue, 'id' | 'severity' | 'opened_at'>): Rank => [
  severityKey(issue.severity),
  issue.opened_at,
  issue.id,
]

/** A risk that has occurred and is not closed has the time of that. */
export const rankOfClosedRisk = (risk: Pick<Risk, 'id' | 'closed_at' | 'occurred_at'>): Rank => [
  risk.closed_at ?? risk.occurred_at ?? '',
  risk.id,
]

export const rankOfClosedIssue = (issue: Pick<Issue, 'id' | 'closed_at'>): Rank => [
  issue.closed_at ?? '',
  issue.id,
]

/** Negative if the first is before the second. Times and ids are in order as texts. */
export function compareRanks(a: Rank, b: Rank): number {
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? ''
    if (value < other) return -1
    if (value > other) return 1
  }
  return 0
}

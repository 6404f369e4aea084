import { type liveRiskStatuses, type openIssueStatuses, riskStatuses } from '@muster/contract'

type Live = (typeof liveRiskStatuses)[number]
type Open = (typeof openIssueStatuses)[number]

/** Identified, treating or monitoring: on the register. */
export const isLive = (status: string): status is Live =>
  riskStatuses.indexOf(status as Live) < riskStatuses.indexOf('occurred')

export const isOpen = (status: string): status is Open => status !== 'closed'

interface FlaggedRisk {
  readonly status: string
  readonly score: number
  readonly review_on: string | null
  readonly acceptance: { readonly expires_on: string } | null
}

/**
 * What is to be noticed about a risk on this day. Whoever writes a risk sets its flags by this; the
 * sweeper does when nobody writes and the day changes, or the appetite of its project.
 */
export function flagsOfRisk(
  { status, score, review_on, acceptance }: FlaggedRisk,
  { today, appetite }: { today: string; appetite: number | null },
): string[] {
  if (!isLive(status)) return []
  return [
    ...(appetite !== null && score > appetite ? ['above_appetite'] : []),
    ...(acceptance !== null && acceptance.expires_on < today ? ['acceptance_expired'] : []),
    ...(review_on !== null && review_on < today ? ['review_overdue'] : []),
  ]
}

interface FlaggedIssue {
  readonly status: string
  readonly due_on: string | null
}

export function flagsOfIssue({ status, due_on }: FlaggedIssue, today: string): string[] {
  return isOpen(status) && due_on !== null && due_on < today ? ['overdue'] : []
}

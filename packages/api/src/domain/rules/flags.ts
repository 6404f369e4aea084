import { isLive, isOpen } from '@muster/contract'

interface FlaggedRisk {
  readonly status: string
  readonly score: number
  readonly review_on: string | null
  readonly acceptance: { readonly expires_on: string } | null
}

/**
 * The flags of a risk on this day. Every write of a risk sets them. The sweeper updates them when
 * the day or the risk appetite of the project changes.
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

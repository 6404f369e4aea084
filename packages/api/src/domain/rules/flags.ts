import { isLive, isOpen, type Issue, type Risk } from '@muster/contract'

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
): Risk['flags'] {
  if (!isLive(status)) return []
  const flags: Risk['flags'] = []
  if (appetite !== null && score > appetite) flags.push('above_appetite')
  if (acceptance !== null && acceptance.expires_on < today) flags.push('acceptance_expired')
  if (review_on !== null && review_on < today) flags.push('review_overdue')
  return flags
}

interface FlaggedIssue {
  readonly status: string
  readonly due_on: string | null
}

export function flagsOfIssue({ status, due_on }: FlaggedIssue, today: string): Issue['flags'] {
  return isOpen(status) && due_on !== null && due_on < today ? ['overdue'] : []
}

import { openIssueStatuses } from '#contract/nouns/issues/fields'
import { liveRiskStatuses } from '#contract/nouns/risks/fields'

type Live = (typeof liveRiskStatuses)[number]
type Open = (typeof openIssueStatuses)[number]

/** Whether a risk with this status is on the register. */
export const isLive = (status: string): status is Live =>
  (liveRiskStatuses as readonly string[]).includes(status)

/** Whether the acceptance of a risk is valid. The column `risks.is_accepted` is the same. */
export const isAccepted = ({
  response,
  flags,
}: {
  readonly response: string
  readonly flags: readonly string[]
}) => response === 'accept' && !flags.includes('acceptance_expired')

/** Whether an issue with this status is open. */
export const isOpen = (status: string): status is Open =>
  (openIssueStatuses as readonly string[]).includes(status)

/**
 * The rank of a risk in the register as one ascending number: score down, then impact down. The
 * generated column `risks.rank_key` has the same value; a test compares them.
 */
export const rankKey = ({ score, impact }: { readonly score: number; readonly impact: number }) =>
  -(score * 10 + impact)

/** The rank of an open issue as an ascending number: severity down. */
export const severityKey = (severity: number) => -severity

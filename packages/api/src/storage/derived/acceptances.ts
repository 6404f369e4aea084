import { isDeepStrictEqual } from 'node:util'

import type { RowWrite } from '#storage/statements/access'
import { uuidOf } from '#storage/values/id'

/** What the rows of acceptances need of a risk. */
interface AcceptedRisk {
  readonly id: string
  readonly project_id: string
  readonly ref: string
  readonly title: string
  readonly status: string
  readonly flags: readonly string[]
  readonly occurred_at: string | null
  readonly closed_at: string | null
  readonly acceptance: {
    readonly accepted_by_user_id: string
    readonly accepted_at: string
    readonly expires_on: string
    readonly rationale: string
    readonly risk_appetite: number | null
    readonly likelihood: number | null
    readonly impact: number | null
  } | null
}

const ongoing = { ended_at: null, end_reason: null }

/** The state of the present acceptance of a risk. */
function stateOf({ status, flags, closed_at, occurred_at }: AcceptedRisk) {
  if (status === 'closed' || status === 'occurred') {
    return { status: 'ended', ended_at: closed_at ?? occurred_at, end_reason: status } as const
  }
  if (flags.includes('acceptance_expired')) return { status: 'expired', ...ongoing } as const
  return { status: 'active', ...ongoing } as const
}

/** Writes what a change of a risk means for its acceptances. */
export function writeAcceptances(write: RowWrite, before: AcceptedRisk, after: AcceptedRisk): void {
  const [was, is] = [before.acceptance, after.acceptance]
  const isSame = was?.accepted_at === is?.accepted_at
  const risk_id = uuidOf(after.id)
  if (was && !isSame) {
    const end_reason = is ? 'superseded' : 'withdrawn'
    const end = { status: 'ended', ended_at: write.now, end_reason } as const
    write.update('acceptances', { risk_id, accepted_at: was.accepted_at, ...end })
  }
  if (!is) return
  const state = stateOf(after)
  if (!isSame) write.insert('acceptances', rowOf(after, is))
  else if (!isDeepStrictEqual(state, stateOf(before))) {
    write.update('acceptances', { risk_id, accepted_at: is.accepted_at, ...state })
  }
}

const rowOf = (risk: AcceptedRisk, accepted: NonNullable<AcceptedRisk['acceptance']>) => ({
  risk_id: uuidOf(risk.id),
  accepted_at: accepted.accepted_at,
  project_id: uuidOf(risk.project_id),
  ref: risk.ref,
  title: risk.title,
  accepted_by_user_id: uuidOf(accepted.accepted_by_user_id),
  expires_on: accepted.expires_on,
  rationale: accepted.rationale,
  appetite: accepted.risk_appetite,
  likelihood: accepted.likelihood,
  impact: accepted.impact,
  ...stateOf(risk),
})

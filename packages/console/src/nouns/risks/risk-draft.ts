import type { UseFormReturnType } from '@mantine/form'
import type { Risk } from '@muster/contract'

import { changedFields } from '#data/change/changes.ts'

import type { RiskEdit } from './actions.ts'

/** Form values: an empty string stands for null, and a switch for each optional rating. */
export interface RiskDraft {
  readonly title: string
  readonly description: string
  readonly category: Risk['category']
  readonly response: Risk['response']
  readonly status: Risk['status']
  readonly owner_user_id: string
  readonly review_on: string
  readonly tags: string[]
  readonly hasTarget: boolean
  readonly target: { readonly likelihood: number; readonly impact: number; readonly due_on: string }
  readonly hasInherent: boolean
  readonly inherent: { readonly likelihood: number; readonly impact: number }
}

export type RiskForm = UseFormReturnType<RiskDraft>

/** A missing target or inherent rating starts from the current rating. */
export const toDraft = (risk: Risk): RiskDraft => ({
  title: risk.title,
  description: risk.description ?? '',
  category: risk.category,
  response: risk.response,
  status: risk.status,
  owner_user_id: risk.owner_user_id ?? '',
  review_on: risk.review_on ?? '',
  tags: [...risk.tags],
  hasTarget: risk.target !== null,
  target: { ...ratingOf(risk.target ?? risk), due_on: risk.target?.due_on ?? '' },
  hasInherent: risk.inherent !== null,
  inherent: ratingOf(risk.inherent ?? risk),
})

const ratingOf = ({ likelihood, impact }: Pick<Risk, 'likelihood' | 'impact'>) => ({
  likelihood,
  impact,
})

const rated = <R extends { likelihood: number; impact: number }>(rating: R) => ({
  ...rating,
  score: rating.likelihood * rating.impact,
})

/** Splits pasted text into single tags and removes duplicates. */
const splitTags = (tags: readonly string[]) => [
  ...new Set(tags.flatMap((tag) => tag.split(/[\s,]+/)).filter((word) => word !== '')),
]

function toEdit({ hasTarget, hasInherent, target, inherent, ...draft }: RiskDraft): RiskEdit {
  return {
    ...draft,
    description: draft.description || null,
    owner_user_id: draft.owner_user_id || null,
    review_on: draft.review_on || null,
    tags: splitTags(draft.tags),
    target: hasTarget ? rated({ ...target, due_on: target.due_on || null }) : null,
    inherent: hasInherent ? rated(inherent) : null,
  }
}

/** The fields that differ from the risk as it was when the dialog opened. */
export const changedRiskFields = (seen: Risk, draft: RiskDraft): RiskEdit =>
  changedFields(toEdit(toDraft(seen)), toEdit(draft))

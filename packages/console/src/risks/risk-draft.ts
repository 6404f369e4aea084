import type { UseFormReturnType } from '@mantine/form'
import type { Risk } from '@muster/contract'

import { changesTo } from '#ui/changes.ts'

import type { RiskEdit } from './actions.ts'

/** A risk as a form holds it: what is not said is empty, and what may be absent has a switch. */
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

/** Where there is no target or inherent rating yet, one starts from what it is now. */
export const draftOf = (risk: Risk): RiskDraft => ({
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

/** What was pasted, or left in the field, may be several words with blanks around them. */
const singleWords = (tags: readonly string[]) => [
  ...new Set(tags.flatMap((tag) => tag.split(/[\s,]+/)).filter((word) => word !== '')),
]

function editOf({ hasTarget, hasInherent, target, inherent, ...draft }: RiskDraft): RiskEdit {
  return {
    ...draft,
    description: draft.description || null,
    owner_user_id: draft.owner_user_id || null,
    review_on: draft.review_on || null,
    tags: singleWords(draft.tags),
    target: hasTarget ? rated({ ...target, due_on: target.due_on || null }) : null,
    inherent: hasInherent ? rated(inherent) : null,
  }
}

/** What is no longer as it was seen. */
export const changesOf = (seen: Risk, draft: RiskDraft): RiskEdit =>
  changesTo(editOf(draftOf(seen)), editOf(draft))

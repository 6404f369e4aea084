import { mergePatch } from '#domain/engine/change'
import { invalid } from '#domain/engine/failure'
import { score } from '#domain/rules/score'

/** A rating from a request: possibly partial, possibly with the score of an export. */
export type RatingInput = { likelihood?: number; impact?: number; score?: number } | null
export type TargetInput = (RatingInput & { due_on?: string | null }) | null

/** Requires likelihood and impact. A given score must be their product. */
export function parseRating(input: RatingInput, pointer: string) {
  if (input === null) return null
  const { likelihood, impact } = input
  const missing = likelihood === undefined ? 'likelihood' : 'impact'
  if (likelihood === undefined || impact === undefined) {
    const missingPointer = `${pointer}/${missing}`
    throw invalid({ pointer: missingPointer, code: 'required', detail: 'is required' })
  }
  const product = score(likelihood, impact)
  if (input.score !== undefined && input.score !== product) {
    const detail = `must be ${product}, likelihood times impact, or be omitted`
    throw invalid({ pointer: `${pointer}/score`, code: 'wrong_score', detail })
  }
  return { likelihood, impact, score: product }
}

export function parseTarget(input: TargetInput) {
  const target = parseRating(input, '/target')
  return target && { ...target, due_on: input?.due_on ?? null }
}

/** Applies a merge patch. Drops the current score, which `parseRating` recomputes. */
export function mergeRating(current: object | null, patch: object) {
  return mergePatch({ ...current, score: undefined }, { ...patch })
}

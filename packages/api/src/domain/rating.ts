import { merged } from '#domain/change'
import { invalid } from '#domain/failure'
import { score } from '#domain/score'

/** A rating as it was given: perhaps in part, perhaps with the score it had. */
export type Rating = { likelihood?: number; impact?: number; score?: number } | null
export type Target = (Rating & { due_on?: string | null }) | null

/** A rating is whole, and a score that came with it must be its product. */
export function rated(given: Rating, pointer: string) {
  if (given === null) return null
  const { likelihood, impact } = given
  const missing = likelihood === undefined ? 'likelihood' : 'impact'
  if (likelihood === undefined || impact === undefined) {
    const place = `${pointer}/${missing}`
    throw invalid({ pointer: place, code: 'required', detail: 'is required' })
  }
  const product = score(likelihood, impact)
  if (given.score !== undefined && given.score !== product) {
    const detail = `must be ${product}, likelihood times impact, or be left out`
    throw invalid({ pointer: `${pointer}/score`, code: 'wrong_score', detail })
  }
  return { likelihood, impact, score: product }
}

export function aimed(given: Target) {
  const target = rated(given, '/target')
  return target && { ...target, due_on: given?.due_on ?? null }
}

/** A merge patch applied to a rating. The score is left to follow from it. */
export function mergedRating(current: object | null, patch: object) {
  return merged({ ...current, score: undefined }, { ...patch })
}

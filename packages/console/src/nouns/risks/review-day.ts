import { useQuery } from '@tanstack/react-query'

import { scaleQuery } from './queries.ts'
import type { Rating } from './rating-grid.tsx'
import { levelOf, suggestedReview } from './risk-level.ts'

interface ReviewValues {
  readonly rating: Rating | null
  /** The day that the user picked; null until then. */
  readonly review_on: string | null
}

/**
 * The day of the next review in a form: the suggestion for the level of the rating until the user
 * picks another day. Empty without a rating.
 */
export function useReviewDay() {
  const { data: scale } = useQuery(scaleQuery)
  return ({ rating, review_on }: ReviewValues): string => {
    if (review_on !== null) return review_on
    if (rating === null || scale === undefined) return ''
    return suggestedReview(levelOf(scale, rating.likelihood * rating.impact))
  }
}

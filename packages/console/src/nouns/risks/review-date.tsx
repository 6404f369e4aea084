import { Button, Group, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'

import { daysFromToday } from '#text/dates.ts'
import { t } from '#text/index.ts'

import { scaleQuery } from './queries.ts'
import type { Rating } from './rating-grid.tsx'
import { levelOf, reviewIntervals, suggestedReview } from './risk-level.ts'

/**
 * The next review date of a form: the suggestion for the level of the rating until the user picks
 * another date. Empty without a rating.
 */
export function useReviewDate(rating: Rating | null) {
  const { data: scale } = useQuery(scaleQuery)
  const [picked, pick] = useState<string | null>(null)
  const suggested =
    rating && scale ? suggestedReview(levelOf(scale, rating.likelihood * rating.impact)) : ''
  return { day: picked ?? suggested, pick }
}

interface Props {
  readonly label: string
  readonly day: string
  readonly onPick: (day: string) => void
  readonly error?: ReactNode
}

/** A date field for the next review. */
export const ReviewDate = ({ label, day, onPick, error }: Props) => (
  <TextInput
    type="date"
    label={label}
    value={day}
    error={error}
    onChange={({ currentTarget }) => onPick(currentTarget.value)}
  />
)

/** Buttons that set the next review to one of the usual intervals. */
export const ReviewIntervals = ({ day, onPick }: Pick<Props, 'day' | 'onPick'>) => (
  <Group gap={4}>
    {reviewIntervals.map((days) => {
      const isChosen = day === daysFromToday(days)
      return (
        <Button
          key={days}
          size="compact-sm"
          variant={isChosen ? 'light' : 'default'}
          aria-pressed={isChosen}
          onClick={() => onPick(daysFromToday(days))}
        >
          {t('editor.in-days', { count: days })}
        </Button>
      )
    })}
  </Group>
)

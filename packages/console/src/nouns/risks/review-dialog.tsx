import { Button, Group, TextInput } from '@mantine/core'
import type { Risk } from '@muster/contract'

import { ActionDialog } from '#kit/fields/action-dialog.tsx'
import { FieldInput } from '#kit/fields/field-input.tsx'
import { requiredTexts } from '#kit/fields/field.ts'
import type { DialogProps } from '#kit/form/dialogs.tsx'
import { daysFromToday } from '#text/dates.ts'
import { t } from '#text/index.ts'

import { reviewRisk } from './actions.ts'
import { reviewFields, riskFields } from './fields.ts'
import { type Rating, RatingGrid } from './rating-grid.tsx'
import { useReviewDay } from './review-day.ts'
import { reviewIntervals } from './risk-level.ts'
import { RiskName } from './risk-name.tsx'

export interface ReviewProps extends DialogProps<Risk> {
  /** Goes on to the next risk; undefined if there is none. */
  readonly onNext?: (() => Promise<void>) | undefined
  /** Whether the rating has the focus first instead of the note. */
  readonly isRating?: boolean
}

/** A review that starts at the rating. */
export const RateDialog = (props: ReviewProps) => <ReviewDialog {...props} isRating />

/** Reviews a risk: an optional new rating, a note and the next review date. */
export function ReviewDialog({ seen, onClose, onNext, isRating = false }: ReviewProps) {
  const before: Rating = { likelihood: seen.likelihood, impact: seen.impact }
  const dayOf = useReviewDay()
  return (
    <ActionDialog
      draft="risks/review"
      title={t('risk.review.title', { ref: seen.ref })}
      about={<RiskName risk={seen} />}
      submit={t('risk.review.submit')}
      help={t('rating.keys')}
      initialValues={{ rating: before, note: '', review_on: null }}
      validate={requiredTexts(reviewFields)}
      send={({ rating, note, review_on }) =>
        reviewRisk(seen, { ...rating, note, review_on: dayOf({ rating, review_on }) || null })
      }
      onClose={onClose}
      {...(onNext && { next: { submit: t('risk.review.next'), onNext }, width: 560 })}
    >
      {(form) => (
        <>
          <RatingGrid
            label={t('rating.title')}
            value={form.values.rating}
            before={before}
            hasFocus={isRating}
            onChange={(rating) => form.setFieldValue('rating', rating)}
          />
          <FieldInput form={form} field={reviewFields.note} isFirst={!isRating} />
          <Group align="flex-end" gap="sm">
            <TextInput
              type="date"
              label={riskFields.review_on.label}
              {...form.getInputProps('review_on')}
              value={dayOf(form.values)}
            />
            <ReviewIntervals
              day={dayOf(form.values)}
              onPick={form.getInputProps('review_on').onChange}
            />
          </Group>
        </>
      )}
    </ActionDialog>
  )
}

interface IntervalProps {
  readonly day: string
  readonly onPick: (day: string) => void
}

/** Buttons that set the next review to one of the usual intervals. */
const ReviewIntervals = ({ day, onPick }: IntervalProps) => (
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

import { Group, Textarea } from '@mantine/core'
import type { Risk } from '@muster/contract'
import { useState } from 'react'

import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { lengthOf } from '#kit/fields/field.ts'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { useKeptForm } from '#kit/form/kept-form.ts'
import { required, validateForm } from '#kit/form/validation.ts'
import { t } from '#text/index.ts'

import { reviewRisk } from './actions.ts'
import { RatingGrid } from './rating-grid.tsx'
import { ReviewDate, ReviewIntervals, useReviewDate } from './review-date.tsx'
import { RiskName } from './risk-name.tsx'

interface Props {
  readonly risk: Risk
  readonly onClose: () => void
  /** Goes on to the next risk; undefined if there is none. */
  readonly onNext?: (() => Promise<void>) | undefined
  /** Whether the rating has the focus first instead of the note. */
  readonly isRating?: boolean
}

/** A review that starts at the rating. */
export const RateDialog = (props: Omit<Props, 'isRating'>) => <ReviewDialog {...props} isRating />

/** Reviews a risk: an optional new rating, a note and the next review date. */
export function ReviewDialog({ risk, onClose, onNext, isRating = false }: Props) {
  // The risk as it was when the dialog opened: a background refetch must not change it.
  const [seen] = useState(risk)
  const before = { likelihood: seen.likelihood, impact: seen.impact }
  const form = useKeptForm('risks/review', {
    initialValues: { rating: before, note: '' },
    validate: { note: required },
  })
  const { day, pick } = useReviewDate(form.values.rating)
  const submit = async () => {
    if (!validateForm(form)) return false
    const { rating, note } = form.getValues()
    const body = { ...rating, note, review_on: day || null }
    return withFieldErrors(form, reviewRisk(seen, body))
  }
  return (
    <FormDialog
      title={t('risk.review.title', { ref: risk.ref })}
      about={<RiskName risk={seen} />}
      submit={t('risk.review.submit')}
      help={t('rating.keys')}
      onClose={onClose}
      onSubmit={submit}
      {...(onNext && { next: { submit: t('risk.review.next'), onNext }, width: 560 })}
    >
      <RatingGrid
        label={t('rating.title')}
        value={form.values.rating}
        before={before}
        hasFocus={isRating}
        onChange={(rating) => form.setFieldValue('rating', rating)}
      />
      <Textarea
        label={t('risk.note')}
        description={t('risk.note.about')}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={lengthOf('risks', 'note')}
        required
        data-autofocus={isRating ? undefined : true}
        {...form.getInputProps('note')}
      />
      <Group align="flex-end" gap="sm">
        <ReviewDate
          label={t('risk.review-on')}
          day={day}
          onPick={pick}
          error={form.errors['review_on']}
        />
        <ReviewIntervals day={day} onPick={pick} />
      </Group>
    </FormDialog>
  )
}

import { Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Risk } from '@muster/contract'
import { useState } from 'react'

import { daysFromToday } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { withFieldErrors } from '#ui/problem.tsx'
import { required, validateForm } from '#ui/validation.ts'

import { reviewRisk } from './actions.ts'
import { RatingFields } from './rating-fields.tsx'

interface Props {
  readonly risk: Risk
  readonly onClose: () => void
}

/** Reviews a risk: an optional new rating, a note and the next review date. */
export function ReviewDialog({ risk, onClose }: Props) {
  // The risk as it was when the dialog opened: a background refetch must not change it.
  const [seen] = useState(risk)
  const form = useForm({
    initialValues: {
      likelihood: seen.likelihood,
      impact: seen.impact,
      note: '',
      review_on: daysFromToday(90),
    },
    validate: { note: required },
  })
  const submit = async () => {
    if (!validateForm(form)) return false
    const { review_on, ...rest } = form.getValues()
    return withFieldErrors(form, reviewRisk(seen, { ...rest, review_on: review_on || null }))
  }
  return (
    <FormDialog
      title={t('risk.review.title', { ref: risk.ref })}
      submit={t('risk.review')}
      onClose={onClose}
      onSubmit={submit}
    >
      <RatingFields
        likelihood={form.getInputProps('likelihood')}
        impact={form.getInputProps('impact')}
      />
      <Textarea
        label={t('risk.note')}
        description={t('risk.note.about')}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={5000}
        required
        data-autofocus
        {...form.getInputProps('note')}
      />
      <TextInput
        type="date"
        label={t('risk.review-on')}
        description={t('risk.review-on.about')}
        {...form.getInputProps('review_on')}
      />
    </FormDialog>
  )
}

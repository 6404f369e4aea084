import { Button, Group, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Risk } from '@muster/contract'
import { useState } from 'react'

import { daysFromToday } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { withFieldErrors } from '#ui/problem.tsx'
import { required, validateForm } from '#ui/validation.ts'

import { reviewRisk } from './actions.ts'
import { RatingGrid } from './rating-grid.tsx'
import { RiskName } from './risk-name.tsx'

interface Props {
  readonly risk: Risk
  readonly onClose: () => void
}

/** Days until the next review that a button sets. */
const intervals = [14, 30, 90] as const

/** Reviews a risk: an optional new rating, a note and the next review date. */
export function ReviewDialog({ risk, onClose }: Props) {
  // The risk as it was when the dialog opened: a background refetch must not change it.
  const [seen] = useState(risk)
  const before = { likelihood: seen.likelihood, impact: seen.impact }
  const form = useForm({
    initialValues: { rating: before, note: '', review_on: daysFromToday(90) },
    validate: { note: required },
  })
  const submit = async () => {
    if (!validateForm(form)) return false
    const { review_on, rating, note } = form.getValues()
    const body = { ...rating, note, review_on: review_on || null }
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
    >
      <RatingGrid
        label={t('rating.title')}
        value={form.values.rating}
        before={before}
        onChange={(rating) => form.setFieldValue('rating', rating)}
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
      <Group align="flex-end" gap="sm">
        <TextInput type="date" label={t('risk.review-on')} {...form.getInputProps('review_on')} />
        <Group gap={4}>
          {intervals.map((days) => (
            <Button
              key={days}
              size="compact-sm"
              aria-pressed={form.values.review_on === daysFromToday(days)}
              onClick={() => form.setFieldValue('review_on', daysFromToday(days))}
            >
              {t('editor.in-days', { count: days })}
            </Button>
          ))}
        </Group>
      </Group>
    </FormDialog>
  )
}

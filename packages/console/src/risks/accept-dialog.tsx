import { Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Risk } from '@muster/contract'
import { useState } from 'react'

import { daysFromToday, today } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { PersonPicker } from '#ui/person-picker.tsx'
import { withFieldErrors } from '#ui/problem.tsx'
import { required, validateForm } from '#ui/validation.ts'

import { acceptRisk } from './actions.ts'
import { RiskName } from './risk-name.tsx'

interface Props {
  readonly risk: Risk
  readonly onClose: () => void
}

/** Accepts a risk until a date, or renews an acceptance. */
export function AcceptDialog({ risk, onClose }: Props) {
  const [seen] = useState(risk)
  const form = useForm({
    initialValues: {
      accepted_by_user_id: seen.acceptance?.accepted_by_user_id ?? seen.owner_user_id ?? '',
      expires_on: daysFromToday(180),
      rationale: seen.acceptance?.rationale ?? '',
    },
    validate: { rationale: required, accepted_by_user_id: required, expires_on: required },
  })
  const submit = async () =>
    validateForm(form) && withFieldErrors(form, acceptRisk(seen, form.getValues()))
  return (
    <FormDialog
      title={t('risk.accept.title', { ref: risk.ref })}
      about={<RiskName risk={seen} />}
      submit={t('risk.accept')}
      onClose={onClose}
      onSubmit={submit}
    >
      <Text size="sm">{t('risk.accept.about')}</Text>
      <Textarea
        label={t('risk.rationale')}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={5000}
        required
        data-autofocus
        {...form.getInputProps('rationale')}
      />
      <PersonPicker
        label={t('risk.accepted-by')}
        required
        value={form.values.accepted_by_user_id || null}
        onChange={(id) => form.setFieldValue('accepted_by_user_id', id ?? '')}
        error={form.errors['accepted_by_user_id']}
      />
      <TextInput
        type="date"
        label={t('risk.accepted-until')}
        required
        min={today()}
        {...form.getInputProps('expires_on')}
      />
    </FormDialog>
  )
}

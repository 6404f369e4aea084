import { NativeSelect, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Risk } from '@muster/contract'
import { useState } from 'react'

import { t } from '#text/index.ts'
import { choices } from '#text/labels.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { withFieldErrors } from '#ui/problem.tsx'

import { closeRisk } from './actions.ts'

interface Props {
  readonly risk: Risk
  readonly onClose: () => void
}

interface CloseFormValues {
  readonly close_reason: NonNullable<Risk['close_reason']>
  readonly close_note: string
}

export function CloseDialog({ risk, onClose }: Props) {
  const [seen] = useState(risk)
  const form = useForm<CloseFormValues>({
    initialValues: { close_reason: 'treated', close_note: '' },
  })
  const submit = () => {
    const { close_reason, close_note } = form.getValues()
    return withFieldErrors(form, closeRisk(seen, { close_reason, close_note: close_note || null }))
  }
  return (
    <FormDialog
      title={t('risk.close.title', { ref: risk.ref })}
      submit={t('risk.close.submit')}
      onClose={onClose}
      onSubmit={submit}
    >
      <Text size="sm">{t('risk.close.about')}</Text>
      <NativeSelect
        label={t('risk.close.reason')}
        data={choices('riskCloseReason')}
        data-autofocus
        {...form.getInputProps('close_reason')}
      />
      <Textarea
        label={t('risk.close.note')}
        description={t('risk.note.about')}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={5000}
        {...form.getInputProps('close_note')}
      />
    </FormDialog>
  )
}

import { NativeSelect, Text, Textarea } from '@mantine/core'
import type { Risk } from '@muster/contract'
import { useState } from 'react'

import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { lengthOf } from '#kit/fields/field.ts'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { useKeptForm } from '#kit/form/kept-form.ts'
import { t } from '#text/index.ts'
import { choices } from '#text/labels.ts'

import { closeRisk, closeRisks } from './actions.ts'
import { RiskName } from './risk-name.tsx'

interface Props {
  readonly risks: readonly Risk[]
  readonly onClose: () => void
  readonly onBulkDone: (() => void) | undefined
}

interface CloseFormValues {
  readonly close_reason: NonNullable<Risk['close_reason']>
  readonly close_note: string
}

/** Closes one or several risks. */
export function CloseDialog({ risks, onClose, onBulkDone }: Props) {
  const [seen] = useState(risks)
  const [first] = seen
  const isOne = seen.length === 1
  const form = useKeptForm<CloseFormValues>('risks/close', {
    initialValues: { close_reason: 'treated', close_note: '' },
  })
  const submit = () => {
    const { close_reason, close_note } = form.getValues()
    const body = { close_reason, close_note: close_note || null }
    const request: Promise<unknown> =
      isOne && first ? closeRisk(first, body) : closeRisks(seen, body).then(onBulkDone)
    return withFieldErrors(form, request)
  }
  return (
    <FormDialog
      title={
        isOne
          ? t('risk.close.title', { ref: first?.ref ?? '' })
          : t('risks.close.title', { count: seen.length })
      }
      {...(isOne && first && { about: <RiskName risk={first} /> })}
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
        maxLength={lengthOf('risks', 'close_note')}
        {...form.getInputProps('close_note')}
      />
    </FormDialog>
  )
}

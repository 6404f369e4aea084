import { NativeSelect, Textarea } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { Issue } from '@muster/contract'

import { lengthOf } from '#kit/fields/field.ts'
import { t } from '#text/index.ts'
import { choices } from '#text/labels.ts'

interface CloseForm {
  close_reason: NonNullable<Issue['close_reason']>
  close_note: string
}

export const newCloseForm: CloseForm = { close_reason: 'resolved', close_note: '' }

export const closeBody = ({ close_reason, close_note }: CloseForm) => ({
  close_reason,
  close_note: close_note || null,
})

/** The reason and the note of a closing. */
export const CloseFields = ({ form }: { readonly form: UseFormReturnType<CloseForm> }) => (
  <>
    <NativeSelect
      label={t('issue.close-reason')}
      data={choices('issueCloseReason')}
      data-autofocus
      {...form.getInputProps('close_reason')}
    />
    <Textarea
      label={t('issue.close-note')}
      autosize
      minRows={3}
      maxLength={lengthOf('issues', 'close_note')}
      {...form.getInputProps('close_note')}
    />
  </>
)

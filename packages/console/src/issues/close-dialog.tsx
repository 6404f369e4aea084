import { NativeSelect, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Issue } from '@muster/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { allItems } from '#api/lists.ts'
import { tasksOfSubject } from '#tasks/queries.ts'
import { t } from '#text/index.ts'
import { choices } from '#text/labels.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { withFieldErrors } from '#ui/problem.tsx'

import { closeIssue } from './actions.ts'
import type { IssueDialogProps } from './issue-dialogs.tsx'

interface CloseForm {
  close_reason: NonNullable<Issue['close_reason']>
  close_note: string
}

const finishedStatuses = new Set(['done', 'cancelled'])

export function CloseDialog({ issue, onClose }: IssueDialogProps) {
  const [seen] = useState(issue)
  const initialValues: CloseForm = { close_reason: 'resolved', close_note: '' }
  const form = useForm({ initialValues })
  const { data } = useInfiniteQuery(tasksOfSubject(issue.id))
  const tasks = allItems(data)
  const openTaskCount = tasks.filter(({ status }) => !finishedStatuses.has(status)).length
  const submit = () => {
    const { close_reason, close_note } = form.getValues()
    return withFieldErrors(form, closeIssue(seen, { close_reason, close_note: close_note || null }))
  }
  return (
    <FormDialog
      title={t('issue.close.title', { ref: issue.ref })}
      submit={t('issue.close')}
      onClose={onClose}
      onSubmit={submit}
    >
      {openTaskCount > 0 && (
        <Text size="sm">{t('issue.close.tasks', { count: openTaskCount })}</Text>
      )}
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
        maxLength={5000}
        {...form.getInputProps('close_note')}
      />
    </FormDialog>
  )
}

import { Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { allItems } from '#data/lists.ts'
import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { useKeptForm } from '#kit/form/kept-form.ts'
import { isOpenTask, tasksOfSubject } from '#nouns/tasks/queries.ts'
import { t } from '#text/index.ts'

import { closeIssue } from './actions.ts'
import { closeBody, CloseFields, newCloseForm } from './close-fields.tsx'
import type { IssueDialogProps } from './issue-dialogs.tsx'

export function CloseDialog({ issue, onClose }: IssueDialogProps) {
  const [seen] = useState(issue)
  const form = useKeptForm('issues/close', { initialValues: newCloseForm })
  const { data } = useInfiniteQuery(tasksOfSubject(issue.id))
  const openTaskCount = allItems(data).filter(isOpenTask).length
  return (
    <FormDialog
      title={t('issue.close.title', { ref: issue.ref })}
      submit={t('issue.close')}
      onClose={onClose}
      onSubmit={() => withFieldErrors(form, closeIssue(seen, closeBody(form.getValues())))}
    >
      {openTaskCount > 0 && (
        <Text size="sm">{t('issue.close.tasks', { count: openTaskCount })}</Text>
      )}
      <CloseFields form={form} />
    </FormDialog>
  )
}

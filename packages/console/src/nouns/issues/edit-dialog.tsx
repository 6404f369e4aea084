import { useState } from 'react'

import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { useKeptForm } from '#kit/form/kept-form.ts'
import { t } from '#text/index.ts'

import { editIssue } from './actions.ts'
import type { IssueDialogProps } from './issue-dialogs.tsx'
import { IssueFormFields, toFields, toFormValues } from './issue-fields.tsx'

export function EditDialog({ issue, onClose }: IssueDialogProps) {
  // The issue as it was when the dialog opened: only fields changed here are sent.
  const [seen] = useState(issue)
  const form = useKeptForm('issues/edit', { initialValues: toFormValues(seen) })
  return (
    <FormDialog
      title={t('issue.edit.title', { ref: issue.ref })}
      submit={t('issue.save')}
      onClose={onClose}
      onSubmit={() => withFieldErrors(form, editIssue(seen, toFields(form.getValues())))}
    >
      <IssueFormFields form={form} />
    </FormDialog>
  )
}

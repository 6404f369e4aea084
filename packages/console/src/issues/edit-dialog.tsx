import { useForm } from '@mantine/form'
import { useState } from 'react'

import { t } from '#text/index.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { showFlaws } from '#ui/problem.tsx'

import { editIssue } from './actions.ts'
import type { IssueDialogProps } from './issue-dialogs.tsx'
import { fieldsOf, formOf, IssueFormFields } from './issue-fields.tsx'

export function EditDialog({ issue, onClose }: IssueDialogProps) {
  // As it was when the dialog was opened: only what is changed here is sent.
  const [seen] = useState(issue)
  const form = useForm({ initialValues: formOf(seen) })
  return (
    <FormDialog
      title={t('issue.edit.title', { ref: issue.ref })}
      submit={t('issue.save')}
      onClose={onClose}
      onSubmit={() => showFlaws(form, editIssue(seen, fieldsOf(form.getValues())))}
    >
      <IssueFormFields form={form} />
    </FormDialog>
  )
}

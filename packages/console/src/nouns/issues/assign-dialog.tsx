import { useState } from 'react'

import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { useKeptForm } from '#kit/form/kept-form.ts'
import { t } from '#text/index.ts'

import { assignIssue } from './actions.ts'
import { AssigneeField } from './assignee-field.tsx'
import type { IssueDialogProps } from './issue-dialogs.tsx'

export function AssignDialog({ issue, onClose }: IssueDialogProps) {
  const [seen] = useState(issue)
  const form = useKeptForm('issues/assign', {
    initialValues: { assignee_user_id: seen.assignee_user_id },
  })
  return (
    <FormDialog
      title={t('issue.assign.title', { ref: issue.ref })}
      submit={t('issue.assign')}
      onClose={onClose}
      onSubmit={() => withFieldErrors(form, assignIssue(seen, form.getValues().assignee_user_id))}
    >
      <AssigneeField
        isFirst
        value={form.values.assignee_user_id}
        onChange={(id) => form.setFieldValue('assignee_user_id', id)}
        error={form.errors['assignee_user_id']}
      />
    </FormDialog>
  )
}

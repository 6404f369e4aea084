import { useForm } from '@mantine/form'
import type { Issue, IssuePatch } from '@muster/contract'
import { useState } from 'react'

import { client } from '#data/client.ts'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { BulkAssignDialog } from '#kit/list/bulk-assign-dialog.tsx'
import { runBulk } from '#kit/list/bulk.tsx'
import { t } from '#text/index.ts'

import { invalidates } from './actions.ts'
import { closeBody, CloseFields, newCloseForm } from './close-fields.tsx'
import type { BulkDialogProps } from './issue-dialogs.tsx'
import { toParams } from './queries.ts'

export function AssignIssuesDialog({ issues, onClose, onDone }: BulkDialogProps) {
  const [seen] = useState(issues)
  const send = (issue: Issue, body: IssuePatch) =>
    client.issues.update({ params: toParams(issue), body }, { ifMatch: issue.version })
  return (
    <BulkAssignDialog
      title={t('issue.assign.many.title', { count: seen.length })}
      label={t('issues.assignee')}
      onAssign={async (assignee_user_id) => {
        await runBulk({
          items: seen,
          send: (issue) => send(issue, { assignee_user_id }),
          invalidates,
          successMessage: (count) => t('issue.assigned.many', { count }),
        })
        onDone()
      }}
      onClose={onClose}
    />
  )
}

export function CloseIssuesDialog({ issues, onClose, onDone }: BulkDialogProps) {
  const [seen] = useState(issues)
  const form = useForm({ initialValues: newCloseForm })
  const submit = async () => {
    const body = closeBody(form.getValues())
    await runBulk({
      items: seen,
      send: (issue) =>
        client.issues.close({ params: toParams(issue), body }, { ifMatch: issue.version }),
      invalidates,
      successMessage: (count) => t('issue.closed.many', { count }),
    })
    onDone()
  }
  return (
    <FormDialog
      title={t('issue.close.many.title', { count: seen.length })}
      submit={t('issue.close')}
      onClose={onClose}
      onSubmit={submit}
    >
      <CloseFields form={form} />
    </FormDialog>
  )
}

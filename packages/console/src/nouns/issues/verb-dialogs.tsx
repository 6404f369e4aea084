import { Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Issue } from '@muster/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { client } from '#data/client.ts'
import { allItems } from '#data/lists.ts'
import { ActionDialog } from '#kit/fields/action-dialog.tsx'
import { type FieldForm, FieldInput } from '#kit/fields/field-input.tsx'
import { fromForm, toForm } from '#kit/fields/field.ts'
import type { DialogProps } from '#kit/form/dialogs.tsx'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { NoteDialog } from '#kit/form/note-dialog.tsx'
import { BulkAssignDialog } from '#kit/list/bulk-assign-dialog.tsx'
import { runBulk } from '#kit/list/bulk.tsx'
import { isOpenTask, tasksOfSubject } from '#nouns/tasks/queries.ts'
import { t } from '#text/index.ts'

import {
  assignIssue,
  blockIssue,
  type CloseBody,
  closeIssue,
  invalidates,
  reopenIssue,
} from './actions.ts'
import { AssigneeField } from './assignee-field.tsx'
import { closeFields, issueFields } from './fields.ts'
import { toParams } from './queries.ts'

export const AssignDialog = ({ seen, onClose }: DialogProps<Issue>) => (
  <ActionDialog
    draft="issues/assign"
    title={t('item.assign', { ref: seen.ref })}
    submit={t('word.assign')}
    initialValues={{ assignee_user_id: seen.assignee_user_id }}
    send={({ assignee_user_id }) => assignIssue(seen, assignee_user_id)}
    onClose={onClose}
  >
    {(form) => <AssigneeField isFirst {...form.getInputProps('assignee_user_id')} />}
  </ActionDialog>
)

export const BlockDialog = ({ seen, onClose }: DialogProps<Issue>) => (
  <NoteDialog
    title={t('issue.block.title', { ref: seen.ref })}
    submit={t('issue.block')}
    field={issueFields.blocked_reason}
    onClose={onClose}
    onSubmit={(reason) => blockIssue(seen, reason)}
  />
)

export function CloseDialog({ seen, onClose }: DialogProps<Issue>) {
  const { data } = useInfiniteQuery(tasksOfSubject(seen.id))
  const count = allItems(data).filter(isOpenTask).length
  return (
    <ActionDialog
      draft="issues/close"
      title={t('item.close', { ref: seen.ref })}
      submit={t('issue.close')}
      initialValues={newClosing}
      send={(values) => closeIssue(seen, fromForm<CloseBody>(closeFields, values))}
      onClose={onClose}
    >
      {(form) => (
        <>
          {count > 0 && <Text size="sm">{t('issue.close.tasks', { count })}</Text>}
          <CloseInputs form={form} />
        </>
      )}
    </ActionDialog>
  )
}

const newClosing = toForm(closeFields, { close_reason: 'resolved' })

const CloseInputs = ({ form }: { readonly form: FieldForm }) => (
  <>
    <FieldInput form={form} field={closeFields.close_reason} isFirst />
    <FieldInput form={form} field={closeFields.close_note} />
  </>
)

export const ReopenDialog = ({ seen, onClose }: DialogProps<Issue>) => (
  <NoteDialog
    title={t('item.reopen', { ref: seen.ref })}
    submit={t('issue.reopen')}
    field={{
      name: 'note',
      label: t('word.reason'),
      about: t('issue.reopen.note.about'),
    }}
    onClose={onClose}
    onSubmit={(note) => reopenIssue(seen, note === null ? {} : { note })}
  />
)

interface BulkProps {
  readonly issues: readonly Issue[]
  readonly onClose: () => void
  /** After the issues were changed. */
  readonly onDone: () => void
}

export function AssignIssuesDialog({ issues, onClose, onDone }: BulkProps) {
  const [seen] = useState(issues)
  return (
    <BulkAssignDialog
      title={t('issue.assign.many.title', { count: seen.length })}
      label={t('word.assignee')}
      onAssign={async (assignee_user_id) => {
        const body = { assignee_user_id }
        await runBulk({
          items: seen,
          send: (issue) =>
            client.issues.update({ params: toParams(issue), body }, { ifMatch: issue.version }),
          invalidates,
          successMessage: (count) => t('issue.assigned.many', { count }),
        })
        onDone()
      }}
      onClose={onClose}
    />
  )
}

export function CloseIssuesDialog({ issues, onClose, onDone }: BulkProps) {
  const [seen] = useState(issues)
  const form = useForm({ initialValues: newClosing })
  const submit = async () => {
    const body = fromForm<CloseBody>(closeFields, form.getValues())
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
      <CloseInputs form={form} />
    </FormDialog>
  )
}

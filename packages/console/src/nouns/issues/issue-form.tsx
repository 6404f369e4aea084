import { SimpleGrid } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { Issue, Project } from '@muster/contract'
import { useNavigate } from '@tanstack/react-router'

import { issueAddress } from '#data/addresses.ts'
import { ActionDialog } from '#kit/fields/action-dialog.tsx'
import { FieldInput } from '#kit/fields/field-input.tsx'
import { type FormValues, fromForm, toForm } from '#kit/fields/field.ts'
import type { DialogProps } from '#kit/form/dialogs.tsx'
import { ProjectPicker } from '#kit/references/project-picker.tsx'
import { t } from '#text/index.ts'
import { choices } from '#text/labels.ts'

import { editIssue, openIssue } from './actions.ts'
import { AssigneeField } from './assignee-field.tsx'
import { issueFields } from './fields.ts'
import { SeverityField } from './severity.tsx'

interface IssueValues extends FormValues<typeof issueFields> {
  severity: number
}

const newIssue: IssueValues = {
  ...toForm(issueFields, { type: 'problem', status: 'open' }),
  severity: 3,
}

/** The blocking reason is kept for blocked and closed issues and cleared for all others. */
function toBody({ severity, ...values }: IssueValues) {
  const body = fromForm<Pick<Issue, keyof typeof issueFields>>(issueFields, values)
  const keepsReason = body.status === 'blocked' || body.status === 'closed'
  return { ...body, severity, blocked_reason: keepsReason ? body.blocked_reason : null }
}

export interface NewIssueProps {
  readonly onClose: () => void
  /** The project of the issue; if omitted, the dialog asks for it. */
  readonly project?: Pick<Project, 'id'>
}

/** Creates an issue, then opens its page. */
export function NewIssueDialog({ onClose, project }: NewIssueProps) {
  const navigate = useNavigate()
  return (
    <ActionDialog
      draft="issues/new-issue"
      title={t('issues.new')}
      submit={t('issue.new.submit')}
      initialValues={{ ...newIssue, project_id: project?.id ?? null }}
      validate={({ project_id }) =>
        project_id === null ? { project_id: t('field.project-needed') } : {}
      }
      send={async ({ project_id: chosen, ...values }) => {
        const issue = await openIssue(chosen ?? '', toBody(values))
        return navigate(issueAddress(issue))
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          {project === undefined && (
            <ProjectPicker
              label={t('word.project')}
              required
              {...form.getInputProps('project_id')}
              value={form.values.project_id}
            />
          )}
          <IssueInputs form={form} />
        </>
      )}
    </ActionDialog>
  )
}

export const EditDialog = ({ seen, onClose }: DialogProps<Issue>) => (
  <ActionDialog
    draft="issues/edit"
    title={t('item.edit', { ref: seen.ref })}
    submit={t('word.save')}
    initialValues={{ ...toForm(issueFields, seen), severity: seen.severity }}
    send={(values) => editIssue(seen, toBody(values))}
    onClose={onClose}
  >
    {(form) => <IssueInputs form={form} />}
  </ActionDialog>
)

interface InputsProps<V> {
  readonly form: UseFormReturnType<V>
}

function IssueInputs<V extends IssueValues>({ form }: InputsProps<V>) {
  const { status } = form.values
  return (
    <>
      <FieldInput form={form} field={issueFields.title} isFirst />
      <FieldInput form={form} field={issueFields.description} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <SeverityField {...form.getInputProps('severity')} />
        <FieldInput form={form} field={issueFields.type} />
        <FieldInput
          form={form}
          field={issueFields.status}
          offered={choices('issueStatus').filter(
            ({ value }) => (value === 'closed') === (status === 'closed'),
          )}
          {...(status === 'closed' && { isDisabled: true, about: t('issue.status.closed') })}
        />
        <FieldInput form={form} field={issueFields.due_on} />
      </SimpleGrid>
      {status === 'blocked' && (
        <FieldInput form={form} field={issueFields.blocked_reason} minRows={2} />
      )}
      <AssigneeField {...form.getInputProps('assignee_user_id')} />
      <FieldInput form={form} field={issueFields.tags} />
    </>
  )
}

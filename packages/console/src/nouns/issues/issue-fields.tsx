import { NativeSelect, SimpleGrid, TagsInput, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { Issue } from '@muster/contract'

import { t } from '#text/index.ts'
import { choices, label } from '#text/labels.ts'

import type { IssueFields } from './actions.ts'
import { AssigneeField } from './assignee-field.tsx'
import { SeverityField } from './severity.tsx'

/** Form values: an empty string stands for null. */
export interface IssueForm {
  title: string
  description: string
  severity: number
  type: Issue['type']
  assignee_user_id: string | null
  due_on: string
  status: Issue['status']
  blocked_reason: string
  tags: string[]
}

export const newIssueForm: IssueForm = {
  title: '',
  description: '',
  severity: 3,
  type: 'problem',
  assignee_user_id: null,
  due_on: '',
  status: 'open',
  blocked_reason: '',
  tags: [],
}

export const toFormValues = (issue: Issue): IssueForm => ({
  title: issue.title,
  description: issue.description ?? '',
  severity: issue.severity,
  type: issue.type,
  assignee_user_id: issue.assignee_user_id,
  due_on: issue.due_on ?? '',
  status: issue.status,
  blocked_reason: issue.blocked_reason ?? '',
  tags: issue.tags,
})

/** The blocking reason is kept for blocked and closed issues and cleared for all others. */
export function toFields(form: IssueForm): Omit<IssueFields, 'links'> {
  const keepsBlockedReason = form.status === 'blocked' || form.status === 'closed'
  return {
    ...form,
    title: form.title.trim(),
    description: form.description || null,
    due_on: form.due_on || null,
    blocked_reason: (keepsBlockedReason && form.blocked_reason) || null,
    tags: [...new Set(form.tags)].toSorted(),
  }
}

interface Props {
  readonly form: UseFormReturnType<IssueForm>
}

/** The fields of the dialogs that create and edit an issue. */
export function IssueFormFields({ form }: Props) {
  return (
    <>
      <TextInput
        label={t('issue.name')}
        required
        maxLength={200}
        data-autofocus
        {...form.getInputProps('title')}
      />
      <Textarea
        label={t('issue.description')}
        description={t('issue.description.about')}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={5000}
        {...form.getInputProps('description')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <SeverityField {...form.getInputProps('severity')} />
        <NativeSelect
          label={t('issue.type')}
          data={choices('issueType')}
          {...form.getInputProps('type')}
        />
        <StatusField form={form} />
        <TextInput type="date" label={t('issues.due')} {...form.getInputProps('due_on')} />
      </SimpleGrid>
      {form.values.status === 'blocked' && (
        <Textarea
          label={t('issue.blocked-reason')}
          autosize
          minRows={2}
          maxLength={500}
          {...form.getInputProps('blocked_reason')}
        />
      )}
      <AssigneeField
        value={form.values.assignee_user_id}
        onChange={(id) => form.setFieldValue('assignee_user_id', id)}
        error={form.errors['assignee_user_id']}
      />
      <TagsField form={form} />
    </>
  )
}

function StatusField({ form }: Props) {
  if (form.values.status === 'closed') {
    return (
      <NativeSelect
        label={t('issues.status')}
        description={t('issue.status.closed')}
        data={[label('issueStatus', 'closed')]}
        disabled
      />
    )
  }
  return (
    <NativeSelect
      label={t('issues.status')}
      data={choices('issueStatus').filter(({ value }) => value !== 'closed')}
      {...form.getInputProps('status')}
    />
  )
}

/** The API reports an invalid tag by its index, as `tags.0`. */
function TagsField({ form }: Props) {
  const [, error] = Object.entries(form.errors).find(([field]) => field.startsWith('tags')) ?? []
  return (
    <TagsInput
      label={t('issue.tags')}
      description={t('issue.tags.about')}
      splitChars={[',', ' ']}
      maxTags={50}
      maxLength={50}
      {...form.getInputProps('tags')}
      error={error}
    />
  )
}

import { Textarea, TextInput } from '@mantine/core'

import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { useKeptForm } from '#kit/form/kept-form.ts'
import { required, validateForm } from '#kit/form/validation.ts'
import { PersonPicker } from '#kit/references/person-picker.tsx'
import { t } from '#text/index.ts'

import { addTask, subjectFields } from './actions.ts'
import type { TaskSubject } from './task-section.tsx'

interface Props {
  readonly subject: TaskSubject
  readonly defaultAssignee: string | null
  readonly onClose: () => void
}

interface Values {
  title: string
  assignee_user_id: string | null
  due_on: string
  description: string
}

/** Adds a task to a risk or an issue. */
export function AddTaskDialog({ subject, defaultAssignee, onClose }: Props) {
  const initialValues: Values = {
    title: '',
    assignee_user_id: defaultAssignee,
    due_on: '',
    description: '',
  }
  const form = useKeptForm('tasks/add-task', { initialValues, validate: { title: required } })
  const submit = async () => {
    if (!validateForm(form)) return false
    const { title, assignee_user_id, due_on, description } = form.getValues()
    const body = {
      title: title.trim(),
      assignee_user_id,
      due_on: due_on || null,
      description: description.trim() || null,
      ...subjectFields(subject.id),
    }
    return withFieldErrors(form, addTask(subject.project_id, body))
  }
  return (
    <FormDialog
      title={t('task.add.title', { ref: subject.ref })}
      submit={t('task.add')}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextInput
        label={t('task.one')}
        maxLength={200}
        required
        data-autofocus
        {...form.getInputProps('title')}
      />
      <PersonPicker
        label={t('task.assignee')}
        value={form.values.assignee_user_id}
        onChange={(id) => form.setFieldValue('assignee_user_id', id)}
        error={form.errors['assignee_user_id']}
      />
      <TextInput type="date" label={t('task.due')} {...form.getInputProps('due_on')} />
      <Textarea
        label={t('task.description')}
        autosize
        minRows={2}
        maxRows={12}
        maxLength={5000}
        {...form.getInputProps('description')}
      />
    </FormDialog>
  )
}

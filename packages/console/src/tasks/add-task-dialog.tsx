import { Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'

import { t } from '#text/index.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { isComplete, needed } from '#ui/needed.ts'
import { PersonPicker } from '#ui/person-picker.tsx'
import { showFlaws } from '#ui/problem.tsx'

import { aboutFields, addTask } from './actions.ts'
import type { About } from './task-section.tsx'

interface Props {
  readonly about: About
  readonly likely: string | null
  readonly onClose: () => void
}

interface Values {
  title: string
  assignee_user_id: string | null
  due_on: string
  description: string
}

/** What is to be done about a risk or an issue. */
export function AddTaskDialog({ about, likely, onClose }: Props) {
  const initialValues: Values = {
    title: '',
    assignee_user_id: likely,
    due_on: '',
    description: '',
  }
  const form = useForm({ initialValues, validate: { title: needed } })
  const submit = async () => {
    if (!isComplete(form)) return false
    const { title, assignee_user_id, due_on, description } = form.getValues()
    const body = {
      title: title.trim(),
      assignee_user_id,
      due_on: due_on || null,
      description: description.trim() || null,
      ...aboutFields(about.id),
    }
    return showFlaws(form, addTask(about.project_id, body))
  }
  return (
    <FormDialog
      title={t('task.add.title', { ref: about.ref })}
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

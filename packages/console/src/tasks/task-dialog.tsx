import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import type { Project, Task } from '@muster/contract'
import { useState } from 'react'

import { t } from '#text/index.ts'
import { choices } from '#text/labels.ts'
import { act } from '#ui/act.ts'
import { changesTo, isNothing } from '#ui/changes.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { PersonPicker } from '#ui/person-picker.tsx'
import { showFlaws } from '#ui/problem.tsx'

import { AboutPicker } from './about.tsx'
import { aboutFields, addTask, changeOfTask } from './actions.ts'

import classes from './tasks.module.css'

interface TaskValues {
  title: string
  status: Task['status']
  assignee_user_id: string | null
  due_on: string
  /** A risk or an issue, never both: so it is one field. */
  about: string | null
  description: string
}

const noValues: TaskValues = {
  title: '',
  status: 'todo',
  assignee_user_id: null,
  due_on: '',
  about: null,
  description: '',
}

const valuesOf = (task: Task): TaskValues => ({
  title: task.title,
  status: task.status,
  assignee_user_id: task.assignee_user_id,
  due_on: task.due_on ?? '',
  about: task.risk_id ?? task.issue_id,
  description: task.description ?? '',
})

const bodyOf = ({ title, status, assignee_user_id, ...rest }: TaskValues) => ({
  title: title.trim(),
  status,
  assignee_user_id,
  due_on: rest.due_on || null,
  ...aboutFields(rest.about),
  description: rest.description.trim() || null,
})

interface NewProps {
  readonly project: Pick<Project, 'id' | 'code'>
  readonly onClose: () => void
}

export function NewTaskDialog({ project, onClose }: NewProps) {
  const form = useForm({ initialValues: noValues })
  const submit = async () => {
    await showFlaws(form, addTask(project.id, bodyOf(form.getValues())))
  }
  return (
    <FormDialog
      title={t('task.new.title', { code: project.code })}
      submit={t('task.new.submit')}
      onClose={onClose}
      onSubmit={submit}
    >
      <TaskFields form={form} projectId={project.id} />
    </FormDialog>
  )
}

interface EditProps {
  readonly task: Task
  readonly onClose: () => void
}

export function EditTaskDialog({ task, onClose }: EditProps) {
  // As it was when the dialog opened: what is read anew behind it was not seen.
  const [seen] = useState(task)
  const form = useForm({ initialValues: valuesOf(seen) })
  const submit = async () => {
    const changes = changesTo(bodyOf(valuesOf(seen)), bodyOf(form.getValues()))
    if (isNothing(changes)) return
    const says = t('task.changed', { ref: seen.ref })
    await showFlaws(form, act(changeOfTask(seen, changes, says)))
  }
  return (
    <FormDialog
      title={t('task.edit.title', { ref: seen.ref })}
      submit={t('task.edit.submit')}
      onClose={onClose}
      onSubmit={submit}
    >
      <TaskFields form={form} projectId={seen.project_id} />
    </FormDialog>
  )
}

interface FieldsProps {
  readonly form: UseFormReturnType<TaskValues>
  readonly projectId: string
}

function TaskFields({ form, projectId }: FieldsProps) {
  const { assignee_user_id, about } = form.values
  return (
    <>
      <TextInput
        label={t('task.title')}
        maxLength={200}
        data-autofocus
        {...form.getInputProps('title')}
      />
      <PersonPicker
        label={t('task.assignee')}
        value={assignee_user_id}
        onChange={(id) => form.setFieldValue('assignee_user_id', id)}
        error={form.errors['assignee_user_id']}
      />
      <div className={classes.fields}>
        <NativeSelect
          label={t('task.status')}
          data={choices('taskStatus')}
          {...form.getInputProps('status')}
        />
        <TextInput type="date" label={t('task.due')} {...form.getInputProps('due_on')} />
      </div>
      <AboutPicker
        label={t('task.about')}
        description={t('task.about.hint')}
        projectId={projectId}
        value={about}
        onChange={(id) => form.setFieldValue('about', id)}
        error={form.errors['risk_id'] ?? form.errors['issue_id']}
      />
      <Textarea
        label={t('task.description')}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={5000}
        {...form.getInputProps('description')}
      />
    </>
  )
}

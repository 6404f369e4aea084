import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { Project, Task } from '@muster/contract'
import { useState } from 'react'

import { changedFields } from '#data/change/changes.ts'
import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { useKeptForm } from '#kit/form/kept-form.ts'
import { PersonPicker } from '#kit/references/person-picker.tsx'
import { ProjectPicker } from '#kit/references/project-picker.tsx'
import { t } from '#text/index.ts'
import { choices } from '#text/labels.ts'

import { addTask, editTask, subjectFields } from './actions.ts'
import { SubjectPicker } from './subject.tsx'

import classes from './tasks.module.css'

interface TaskValues {
  title: string
  status: Task['status']
  assignee_user_id: string | null
  due_on: string
  /** The id of a risk or an issue. One field, because a task cannot have both. */
  subject: string | null
  description: string
}

const emptyValues: TaskValues = {
  title: '',
  status: 'todo',
  assignee_user_id: null,
  due_on: '',
  subject: null,
  description: '',
}

const toFormValues = (task: Task): TaskValues => ({
  title: task.title,
  status: task.status,
  assignee_user_id: task.assignee_user_id,
  due_on: task.due_on ?? '',
  subject: task.risk_id ?? task.issue_id,
  description: task.description ?? '',
})

const toBody = ({ title, status, assignee_user_id, ...rest }: TaskValues) => ({
  title: title.trim(),
  status,
  assignee_user_id,
  due_on: rest.due_on || null,
  ...subjectFields(rest.subject),
  description: rest.description.trim() || null,
})

interface NewProps {
  /** The project of the task; if omitted, the dialog asks for it. */
  readonly project?: Pick<Project, 'id' | 'code'>
  readonly onClose: () => void
}

export function NewTaskDialog({ project, onClose }: NewProps) {
  const form = useKeptForm('tasks/new-task', { initialValues: emptyValues })
  const [projectId, setProjectId] = useState(project?.id ?? null)
  const [isMissing, setMissing] = useState(false)
  const submit = async () => {
    setMissing(projectId === null)
    if (projectId === null) return false
    return withFieldErrors(form, addTask(projectId, toBody(form.getValues())))
  }
  return (
    <FormDialog
      title={project ? t('task.new.title', { code: project.code }) : t('tasks.new')}
      submit={t('task.new.submit')}
      onClose={onClose}
      onSubmit={submit}
    >
      {project === undefined && (
        <ProjectPicker
          label={t('task.project')}
          required
          value={projectId}
          onChange={(id) => {
            setProjectId(id)
            setMissing(false)
            form.setFieldValue('subject', null)
          }}
          error={isMissing && t('task.project.needed')}
        />
      )}
      <TaskFields form={form} projectId={projectId} />
    </FormDialog>
  )
}

interface EditProps {
  readonly task: Task
  readonly onClose: () => void
}

export function EditTaskDialog({ task, onClose }: EditProps) {
  // The task as it was when the dialog opened: a background refetch must not change it.
  const [seen] = useState(task)
  const form = useKeptForm('tasks/edit-task', { initialValues: toFormValues(seen) })
  const submit = () => {
    const changes = changedFields(toBody(toFormValues(seen)), toBody(form.getValues()))
    return withFieldErrors(form, editTask(seen, changes))
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
  /** The subject is a risk or an issue of this project. */
  readonly projectId: string | null
}

function TaskFields({ form, projectId }: FieldsProps) {
  const { assignee_user_id, subject } = form.values
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
      {projectId !== null && (
        <SubjectPicker
          label={t('task.about')}
          description={t('task.about.hint')}
          projectId={projectId}
          value={subject}
          onChange={(id) => form.setFieldValue('subject', id)}
          error={form.errors['risk_id'] ?? form.errors['issue_id']}
        />
      )}
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

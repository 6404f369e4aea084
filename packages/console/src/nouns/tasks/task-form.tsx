import { SimpleGrid } from '@mantine/core'
import type { Project, Task } from '@muster/contract'

import { ActionDialog } from '#kit/fields/action-dialog.tsx'
import { type FieldForm, FieldInput } from '#kit/fields/field-input.tsx'
import { type FormValues, fromForm, toForm } from '#kit/fields/field.ts'
import type { DialogProps } from '#kit/form/dialogs.tsx'
import { ProjectPicker } from '#kit/references/project-picker.tsx'
import { t } from '#text/index.ts'

import { addTask, editTask, subjectFields } from './actions.ts'
import { taskFields } from './fields.ts'
import { SubjectPicker } from './subject.tsx'

interface TaskValues extends FormValues<typeof taskFields> {
  /** The id of a risk or an issue. One field, because a task cannot have both. */
  subject: string | null
}

const emptyValues: TaskValues = { ...toForm(taskFields, { status: 'todo' }), subject: null }

const toFormValues = (task: Task): TaskValues => ({
  ...toForm(taskFields, task),
  subject: task.risk_id ?? task.issue_id,
})

const toBody = ({ subject, ...values }: TaskValues) => ({
  ...fromForm<Pick<Task, keyof typeof taskFields>>(taskFields, values),
  ...subjectFields(subject),
})

export interface NewTaskProps {
  /** The project of the task; if omitted, the dialog asks for it. */
  readonly project?: Pick<Project, 'id' | 'code'>
  readonly onClose: () => void
}

export function NewTaskDialog({ project, onClose }: NewTaskProps) {
  const initialValues = { ...emptyValues, project_id: project?.id ?? null }
  return (
    <ActionDialog
      draft="tasks/new-task"
      title={project ? t('task.new.title', { code: project.code }) : t('tasks.new')}
      submit={t('task.new.submit')}
      initialValues={initialValues}
      validate={({ project_id }) =>
        project_id === null ? { project_id: t('field.project-needed') } : {}
      }
      send={({ project_id, ...values }) => addTask(project_id ?? '', toBody(values))}
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
              onChange={(id) => form.setValues({ project_id: id, subject: null })}
            />
          )}
          <TaskInputs form={form} projectId={form.values.project_id} />
        </>
      )}
    </ActionDialog>
  )
}

export const EditTaskDialog = ({ seen, onClose }: DialogProps<Task>) => (
  <ActionDialog
    draft="tasks/edit-task"
    title={t('task.edit.title', { ref: seen.ref })}
    submit={t('word.save')}
    initialValues={toFormValues(seen)}
    send={(values) => editTask(seen, toBody(values))}
    onClose={onClose}
  >
    {(form) => <TaskInputs form={form} projectId={seen.project_id} />}
  </ActionDialog>
)

interface InputsProps {
  readonly form: FieldForm & { readonly values: Pick<TaskValues, 'subject'> }
  /** The subject is a risk or an issue of this project. */
  readonly projectId: string | null
}

function TaskInputs({ form, projectId }: InputsProps) {
  const { title, assignee_user_id, status, due_on, description } = taskFields
  return (
    <>
      <FieldInput form={form} field={title} isFirst />
      <FieldInput form={form} field={assignee_user_id} />
      <SimpleGrid minColWidth={150} autoFlow="auto-fit">
        <FieldInput form={form} field={status} />
        <FieldInput form={form} field={due_on} />
      </SimpleGrid>
      {projectId !== null && (
        <SubjectPicker
          label={t('task.for')}
          description={t('task.about.hint')}
          projectId={projectId}
          {...form.getInputProps('subject')}
          value={form.values.subject}
          error={form.errors['risk_id'] ?? form.errors['issue_id']}
        />
      )}
      <FieldInput form={form} field={description} />
    </>
  )
}

import type { Task } from '@muster/contract'

import { ActionDialog } from '#kit/fields/action-dialog.tsx'
import { FieldInput } from '#kit/fields/field-input.tsx'
import { fromForm, requiredTexts, toForm } from '#kit/fields/field.ts'
import { t } from '#text/index.ts'

import { addTask, subjectFields } from './actions.ts'
import { taskFields } from './fields.ts'
import type { TaskSubject } from './task-section.tsx'

interface Props {
  readonly subject: TaskSubject
  readonly defaultAssignee: string | null
  readonly onClose: () => void
}

const { title, assignee_user_id, due_on, description } = taskFields
const fields = { title: { ...title, label: t('task.one') }, assignee_user_id, due_on, description }

/** Adds a task to a risk or an issue. */
export function AddTaskDialog({ subject, defaultAssignee, onClose }: Props) {
  return (
    <ActionDialog
      draft="tasks/add-task"
      title={t('task.add.title', { ref: subject.ref })}
      submit={t('task.add')}
      initialValues={toForm(fields, { assignee_user_id: defaultAssignee })}
      validate={requiredTexts(fields)}
      send={(values) =>
        addTask(subject.project_id, {
          ...fromForm<Pick<Task, keyof typeof fields>>(fields, values),
          ...subjectFields(subject.id),
        })
      }
      onClose={onClose}
    >
      {(form) => (
        <>
          <FieldInput form={form} field={fields.title} isFirst />
          <FieldInput form={form} field={fields.assignee_user_id} />
          <FieldInput form={form} field={fields.due_on} />
          <FieldInput form={form} field={fields.description} minRows={2} />
        </>
      )}
    </ActionDialog>
  )
}

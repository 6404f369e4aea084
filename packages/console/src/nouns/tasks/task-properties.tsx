import type { Task, TaskPatch } from '@muster/contract'

import { FieldProperty } from '#kit/fields/field-property.tsx'
import { Property } from '#kit/record/property.tsx'
import { ProjectLink } from '#kit/references/project-link.tsx'
import { useReasons } from '#kit/references/reasons.ts'
import { formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'

import { moveTask, saveTask } from './actions.ts'
import { taskFields } from './fields.ts'
import { isOpenTask } from './queries.ts'
import { SubjectOfTask } from './subject.tsx'

/** The properties of a task. Each saves at once. */
export function TaskProperties({ task }: { readonly task: Task }) {
  const { change, assign } = useReasons(task)
  const property = {
    of: task,
    reason: change,
    onSave: (changes: TaskPatch) => saveTask(task, changes),
  }
  return (
    <dl>
      <FieldProperty
        field={taskFields.status}
        of={task}
        reason={change}
        onSave={({ status }: Pick<Task, 'status'>) => moveTask(task, status)}
      />
      <FieldProperty {...property} field={taskFields.assignee_user_id} reason={assign} />
      <FieldProperty {...property} field={taskFields.due_on} isDone={!isOpenTask(task)} />
      <Property name={t('word.project')}>
        <ProjectLink id={task.project_id} />
      </Property>
      <Property name={t(task.risk_id === null ? 'task.for' : 'task.treats')}>
        <SubjectOfTask task={task} withTitle />
      </Property>
      {task.completed_at !== null && (
        <Property name={t('task.completed')}>{formatInstant(task.completed_at)}</Property>
      )}
      <FieldProperty {...property} field={taskFields.external_id} />
    </dl>
  )
}

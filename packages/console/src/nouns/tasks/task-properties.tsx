import type { Task, TaskPatch } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { FieldProperty } from '#kit/fields/field-property.tsx'
import { AnchorLink } from '#kit/parts/links.tsx'
import { Property } from '#kit/record/property.tsx'
import { projectQuery } from '#kit/references/projects.ts'
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
  const { data: project } = useQuery(projectQuery(task.project_id))
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
      <Property name={t('task.project')}>
        {project && (
          <AnchorLink to="/projects/$project_id" params={{ project_id: project.id }} inherit>
            {project.name}
          </AnchorLink>
        )}
      </Property>
      <Property name={t(task.risk_id === null ? 'task.for' : 'task.treats')}>
        <SubjectOfTask task={task} withTitle />
      </Property>
      {task.completed_at !== null && (
        <Property name={t('task.completed')}>{formatInstant(task.completed_at)}</Property>
      )}
    </dl>
  )
}

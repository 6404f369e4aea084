import type { Task } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { AnchorLink } from '#kit/parts/links.tsx'
import { StatusName } from '#kit/parts/status.tsx'
import { When } from '#kit/parts/when.tsx'
import {
  ChoiceEditor,
  DateEditor,
  EditableProperty,
  PersonEditor,
  Property,
} from '#kit/record/property.tsx'
import { PersonById } from '#kit/references/people.tsx'
import { projectQuery } from '#kit/references/projects.ts'
import { useReasons } from '#kit/references/reasons.ts'
import { formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { choices } from '#text/labels.ts'

import { moveTask, saveTask } from './actions.ts'
import { isOpenTask } from './queries.ts'
import { SubjectOfTask } from './subject.tsx'

/** The properties of a task. Each saves at once. */
export function TaskProperties({ task }: { readonly task: Task }) {
  const { change, assign } = useReasons(task)
  const { data: project } = useQuery(projectQuery(task.project_id))
  return (
    <dl>
      <EditableProperty
        name={t('task.status')}
        reason={change}
        shortcut="s"
        edit={(close) => (
          <ChoiceEditor
            label={t('task.status')}
            value={task.status}
            choices={choices('taskStatus')}
            // The cast holds because only the values of the set are offered.
            onSave={(status) => moveTask(task, status as Task['status'])}
            close={close}
          />
        )}
      >
        <StatusName set="taskStatus" status={task.status} />
      </EditableProperty>
      <EditableProperty
        name={t('task.assignee')}
        reason={assign}
        shortcut="a"
        edit={(close) => (
          <PersonEditor
            label={t('task.assignee')}
            value={task.assignee_user_id}
            onSave={(assignee_user_id) => saveTask(task, { assignee_user_id })}
            close={close}
          />
        )}
      >
        <PersonById userId={task.assignee_user_id} missing={t('tasks.unassigned')} />
      </EditableProperty>
      <EditableProperty
        name={t('task.due')}
        reason={change}
        shortcut="d"
        edit={(close) => (
          <DateEditor
            label={t('task.due')}
            value={task.due_on}
            onSave={(due_on) => saveTask(task, { due_on })}
            close={close}
          />
        )}
      >
        <When day={task.due_on} isDone={!isOpenTask(task)} />
      </EditableProperty>
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

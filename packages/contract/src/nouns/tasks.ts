import { Type, type Static } from 'typebox'

import {
  choice,
  date,
  id,
  instant,
  known,
  lifetime,
  line,
  nullable,
  personOrNone,
  prose,
} from './fields.ts'
import { anyOf, anyOfThese, listOperation } from './list.ts'
import { operation } from './operation.ts'
import { newOf, patchOf } from './patch.ts'
import { inProject } from './projects.ts'

export const openTaskStatuses = ['todo', 'in_progress', 'blocked'] as const
export const taskStatuses = [...openTaskStatuses, 'done', 'cancelled'] as const

const about = {
  title: line(200, { description: 'The task in one line.', example: 'Flush the drains' }),
  description: nullable(
    prose(5000, { description: 'What is to be done.', example: 'All twelve, from gallery 2.' }),
  ),
  assignee_user_id: nullable(id('usr', 'The user id of the person who does it.')),
  due_on: nullable(date({ description: 'When it is to be done.', example: '2025-03-31' })),
  risk_id: nullable(id('rsk', 'The risk it treats. Not together with `issue_id`.')),
  issue_id: nullable(id('iss', 'The issue it helps to solve. Not together with `risk_id`.')),
}

export const Task = Type.Object(
  {
    id: id('tsk', 'The id of this task.'),
    ref: line(24, {
      description: 'What people call it: the project code and a number, never used again.',
      example: 'DAM-T31',
    }),
    project_id: id('prj', 'The project it belongs to.'),
    ...about,
    status: known(taskStatuses, {
      description: 'Where the task is in its life. Done and cancelled are over.',
      example: 'in_progress',
    }),
    completed_at: nullable(
      instant({ description: 'When it was done.', example: '2025-03-28T14:00:00.000Z' }),
    ),
    ...lifetime('the task', 'made'),
  },
  { title: 'Task', description: 'Something to do in a project. Doing it never rescores a risk.' },
)
export type Task = Static<typeof Task>

const writable = {
  ...about,
  status: choice(taskStatuses, { description: 'Where it is in its life.', example: 'todo' }),
}

export const NewTask = newOf({ title: about.title }, writable, {
  title: 'NewTask',
  description: 'A task to make. It is still to do by default.',
  example: { title: 'Flush the drains', due_on: '2027-03-31' },
})
export type NewTask = Static<typeof NewTask>

export const TaskPatch = patchOf(Task, writable, {
  title: 'TaskPatch',
  description: 'What to change: a JSON merge patch.',
  example: { status: 'done' },
})
export type TaskPatch = Static<typeof TaskPatch>

const filters = {
  assignee_user_id: Type.Optional(
    anyOfThese(personOrNone, 'Only tasks of these people; `none` for tasks of nobody.'),
  ),
  risk_id: Type.Optional(
    anyOfThese(id('rsk', 'The id of a risk.'), 'Only tasks that treat these risks.'),
  ),
  issue_id: Type.Optional(
    anyOfThese(id('iss', 'The id of an issue.'), 'Only tasks that help to solve these issues.'),
  ),
}

const params = Type.Object({ ...inProject, task_id: id('tsk', 'The id of the task.') })

export const tasks = {
  list: listOperation({
    summary: 'List the open tasks across all projects, due first.',
    description:
      'Every task that is still to do, in progress or blocked: what is due first, first; what has ' +
      'no day, last. `status` names others.',
    path: '/v1/tasks',
    scope: 'projects.read',
    collection: 'tasks',
    item: Task,
    title: 'OpenTaskList',
    filters: {
      project_id: Type.Optional(
        anyOfThese(id('prj', 'The id of a project.'), 'Only tasks of these projects.'),
      ),
      ...filters,
      status: Type.Optional(
        anyOf(
          taskStatuses,
          'Only tasks with these statuses. Without it: those that are open.',
          'todo',
        ),
      ),
    },
  }),

  list_in_project: listOperation({
    summary: 'List the tasks of one project, whatever their status.',
    description: 'What is due first, first; what has no day, last.',
    path: '/v1/projects/{project_id}/tasks',
    scope: 'projects.read',
    params: Type.Object(inProject),
    collection: 'tasks',
    item: Task,
    title: 'TaskList',
    filters: {
      ...filters,
      status: Type.Optional(anyOf(taskStatuses, 'Only tasks with these statuses.', 'todo')),
    },
    problems: ['not_found'],
  }),

  create: operation({
    summary: 'Make a task.',
    description: 'A task on a risk is its treatment; on an issue, a step to its end.',
    method: 'POST',
    path: '/v1/projects/{project_id}/tasks',
    scope: 'projects.manage',
    params: Type.Object(inProject),
    body: NewTask,
    status: 201,
    response: Task,
    cache: 'version',
    problems: [
      'not_found',
      'project_archived',
      'unknown_reference',
      'not_assignable',
      'quota_exceeded',
    ],
    events: ['task.created'],
  }),

  view: operation({
    summary: 'View one task.',
    description: 'Also one that is over.',
    method: 'GET',
    path: '/v1/projects/{project_id}/tasks/{task_id}',
    scope: 'projects.read',
    params,
    status: 200,
    response: Task,
    cache: 'version',
    problems: ['not_found'],
  }),

  update: operation({
    summary: 'Change a task.',
    description: 'What is left out stays; null clears. Completing it is a change of `status`.',
    method: 'PATCH',
    path: '/v1/projects/{project_id}/tasks/{task_id}',
    scope: 'projects.manage',
    params,
    body: TaskPatch,
    status: 200,
    response: Task,
    cache: 'version',
    problems: [
      'not_found',
      'project_archived',
      'read_only_field',
      'unknown_reference',
      'not_assignable',
      'quota_exceeded',
    ],
    events: ['task.updated'],
  }),
}

import { Type, type Static } from 'typebox'

import { withExample } from '#contract/examples'
import {
  closedEnum,
  date,
  id,
  integer,
  timestamp,
  openEnum,
  auditFields,
  evidenceLinks,
  evidenceLinksInput,
  singleLine,
  nullable,
  userIdOrNone,
  multiLine,
} from '#contract/field-schemas'
import { createSchema, patchSchema } from '#contract/input-schemas'
import { enumFilter, listOperation, searchFilter, valuesFilter } from '#contract/list-operation'
import { operation } from '#contract/operation'
import { countField, countsByProject, countsByValue } from '#contract/rollup'

import { inProject } from './projects.ts'

export const openTaskStatuses = ['todo', 'in_progress', 'blocked'] as const
export const taskStatuses = [...openTaskStatuses, 'done', 'cancelled'] as const

const about = {
  title: singleLine(200, {
    description: 'A one-line summary of the task.',
    example: 'Flush the drains',
  }),
  description: nullable(
    multiLine(5000, { description: 'The task in detail.', example: 'All twelve, from gallery 2.' }),
  ),
  assignee_user_id: nullable(id('usr', 'The user id of the assignee.')),
  due_on: nullable(date({ description: 'The due date.', example: '2027-03-31' })),
  risk_id: nullable(id('rsk', 'The id of the risk that the task treats. Excludes `issue_id`.')),
  issue_id: nullable(
    id('iss', 'The id of the issue that the task helps to solve. Excludes `risk_id`.'),
  ),
}

export const Task = withExample(
  Type.Object(
    {
      id: id('tsk', 'The id of this task.'),
      ref: singleLine(24, {
        description: 'The reference: the project code and a number that is never reused.',
        example: 'DAM-T31',
      }),
      project_id: id('prj', 'The id of its project.'),
      ...about,
      status: openEnum(taskStatuses, {
        description: 'The status of the task. Done and cancelled tasks are not open.',
        example: 'in_progress',
      }),
      completed_at: nullable(
        timestamp({
          description: 'When the task was completed.',
          example: '2027-03-28T14:00:00.000Z',
        }),
      ),
      links: evidenceLinks,
      ...auditFields('the task'),
    },
    {
      title: 'Task',
      description: 'A task of a project. Completing it does not change the score of a risk.',
    },
  ),
  { issue_id: null, completed_at: null, links: [] },
)
export type Task = Static<typeof Task>

const writable = {
  ...about,
  status: closedEnum(taskStatuses, { description: 'The status of the task.', example: 'todo' }),
  links: evidenceLinksInput,
}

export const NewTask = createSchema({ title: about.title }, writable, {
  title: 'NewTask',
  description: 'A task to create. Default status: todo.',
  example: { title: 'Flush the drains', due_on: '2027-03-31' },
})
export type NewTask = Static<typeof NewTask>

export const TaskPatch = patchSchema(Task, writable, {
  title: 'TaskPatch',
  description: 'A JSON merge patch.',
  example: { status: 'done' },
})
export type TaskPatch = Static<typeof TaskPatch>

const projectFilter = {
  project_id: Type.Optional(
    valuesFilter(id('prj', 'The id of a project.'), 'Only tasks of these projects.'),
  ),
}

const assigneeFilter = {
  assignee_user_id: Type.Optional(
    valuesFilter(userIdOrNone, 'Only tasks of these assignees; `none` for unassigned tasks.'),
  ),
}

const filters = {
  ...assigneeFilter,
  risk_id: Type.Optional(
    valuesFilter(id('rsk', 'The id of a risk.'), 'Only tasks that treat these risks.'),
  ),
  issue_id: Type.Optional(
    valuesFilter(id('iss', 'The id of an issue.'), 'Only tasks that help to solve these issues.'),
  ),
}

export const TaskSummary = withExample(
  Type.Object(
    {
      as_of: integer(0, Number.MAX_SAFE_INTEGER, {
        description: 'The sequence number of the tasks at the time of the count.',
        example: 4711,
      }),
      count: countField('The number of open tasks.'),
      overdue: countField(
        'The number of open tasks whose due date has passed in the time zone of the workspace.',
      ),
      by_status: countsByValue(openTaskStatuses, 'By status.'),
      by_project: countsByProject,
    },
    { title: 'TaskSummary', description: 'The counts of open tasks.' },
  ),
  { overdue: 1, by_status: { todo: 1, in_progress: 2, blocked: 0 } },
)
export type TaskSummary = Static<typeof TaskSummary>

const params = Type.Object({ ...inProject, task_id: id('tsk', 'The id of the task.') })

export const tasks = {
  list: listOperation({
    summary: 'List open tasks across all projects.',
    description:
      'Returns tasks that are todo, in progress or blocked, by due date; tasks without a due ' +
      'date come last. Use `status` for other tasks.',
    path: '/v1/tasks',
    scope: 'projects.read',
    collection: 'tasks',
    item: Task,
    title: 'OpenTaskList',
    filters: {
      ...projectFilter,
      ...filters,
      status: Type.Optional(
        enumFilter(
          taskStatuses,
          'Only tasks with these statuses. Default: the open statuses.',
          'todo',
        ),
      ),
      q: Type.Optional(searchFilter('the ref or the title', 'drains')),
    },
  }),

  summary: operation({
    summary: 'View the summary of open tasks.',
    description:
      'Returns the numbers of open tasks and of overdue tasks, and counts by status and project. ' +
      'The response has no ETag, because the date changes it.',
    method: 'GET',
    path: '/v1/tasks/summary',
    scope: 'projects.read',
    query: Type.Object({ ...projectFilter, ...assigneeFilter }, { additionalProperties: false }),
    status: 200,
    response: TaskSummary,
    cache: 'none',
    problems: [],
  }),

  list_in_project: listOperation({
    summary: 'List the tasks of a project.',
    description: 'Returns tasks with any status by due date. Tasks without a due date come last.',
    path: '/v1/projects/{project_id}/tasks',
    scope: 'projects.read',
    params: Type.Object(inProject),
    collection: 'tasks',
    item: Task,
    title: 'TaskList',
    filters: {
      ...filters,
      status: Type.Optional(enumFilter(taskStatuses, 'Only tasks with these statuses.', 'todo')),
    },
    problems: ['not_found'],
  }),

  create: operation({
    summary: 'Create a task.',
    description:
      'A task with `risk_id` treats that risk; one with `issue_id` helps to solve that issue.',
    method: 'POST',
    path: '/v1/projects/{project_id}/tasks',
    scope: 'projects.manage',
    params: Type.Object(inProject),
    body: NewTask,
    status: 201,
    response: Task,
    cache: 'version',
    example: { status: 'todo' },
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
    summary: 'View a task.',
    description: 'Returns a task with any status.',
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
    summary: 'Update a task.',
    description:
      'Omitted fields are unchanged; null clears a field. Set `status` to complete the task.',
    method: 'PATCH',
    path: '/v1/projects/{project_id}/tasks/{task_id}',
    isMergePatch: true,
    scope: 'projects.manage',
    params,
    body: TaskPatch,
    status: 200,
    response: Task,
    cache: 'version',
    example: { completed_at: '2026-03-01T08:00:00.000Z' },
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

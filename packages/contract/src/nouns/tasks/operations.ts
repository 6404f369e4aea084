import { Type, type Static } from 'typebox'

import { aboutBatch, aboutBatchAcross, batchSchemas, itemBatch } from '#contract/batch-operation'
import { withExample } from '#contract/examples'
import { id, integer } from '#contract/field-schemas'
import { filtersOf } from '#contract/fields'
import {
  dayFilters,
  enumFilter,
  listOperation,
  nameFilters,
  searchFilter,
  sortParameter,
  valuesFilter,
} from '#contract/list-operation'
import { inProject } from '#contract/nouns/projects/operations'
import { operation } from '#contract/operation'
import { byPersonName, countField, countsByProject, countsByValue } from '#contract/rollup'

import { openTaskStatuses, taskFields, taskStatuses } from './fields.ts'
import { NewTask, Task, TaskPatch, TaskRow, CrossProjectTaskRow } from './task.ts'

const projectFilter = {
  project_id: Type.Optional(
    valuesFilter(id('prj', 'The id of a project.'), 'Only tasks of these projects.'),
  ),
}

const filters = filtersOf(taskFields)
const { ref: _, external_id: __, ...projectFilters } = filters
const assigneeFilter = { assignee_user_id: filters.assignee_user_id }

const sort = Type.Optional(
  sortParameter(
    ['due_on', 'title', 'assignee', 'updated_at'],
    'The sort order: due date (default), title, name of the assignee, or last change. Tasks ' +
      'without a value come last. `assignee` requires the scope `personnel.read`.',
  ),
)

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

/** What both batches have in common. */
const batched = {
  method: 'POST',
  scope: 'projects.manage',
  status: 200,
  cache: 'none',
  example: { status: 'todo' },
  events: ['task.created', 'task.updated'],
} as const

export const tasks = {
  list: listOperation({
    summary: 'List open tasks across all projects.',
    description:
      'Returns tasks that are todo, in progress or blocked, by due date unless `sort` is set; ' +
      'tasks without a due date come last. Use `status` for other tasks.',
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
      ...dayFilters('due', 'tasks', 'due date'),
      ...nameFilters('tasks', 'assignee'),
      q: Type.Optional(searchFilter('the ref or the title', 'drains')),
      sort,
    },
    sorts: { assignee: byPersonName },
    filterNeeds: { assignee_email: byPersonName },
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
    description:
      'Returns tasks with any status by due date unless `sort` is set. Tasks without a due date ' +
      'come last.',
    path: '/v1/projects/{project_id}/tasks',
    scope: 'projects.read',
    params: Type.Object(inProject),
    collection: 'tasks',
    item: Task,
    title: 'TaskList',
    filters: {
      ...projectFilters,
      status: Type.Optional(enumFilter(taskStatuses, 'Only tasks with these statuses.', 'todo')),
      sort,
    },
    sorts: { assignee: byPersonName },
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
      'external_id_taken',
      'unknown_reference',
      'not_assignable',
      'quota_exceeded',
    ],
    events: ['task.created'],
  }),

  batch: operation({
    ...batched,
    rows: TaskRow,
    ...batchSchemas(TaskRow, Task, { name: 'Task', ...itemBatch }),
    summary: 'Create and update tasks in a batch.',
    description: aboutBatch('tasks'),
    path: '/v1/projects/{project_id}/tasks/batch',
    params: Type.Object(inProject),
    problems: ['not_found', 'project_archived', 'quota_exceeded'],
  }),

  batch_across: operation({
    ...batched,
    rows: CrossProjectTaskRow,
    ...batchSchemas(CrossProjectTaskRow, Task, { name: 'CrossProjectTask', ...itemBatch }),
    summary: 'Create and update tasks of several projects in a batch.',
    description: aboutBatchAcross('tasks'),
    path: '/v1/projects/tasks/batch',
    problems: ['too_many_items', 'quota_exceeded'],
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
      'external_id_taken',
      'unknown_reference',
      'not_assignable',
      'quota_exceeded',
    ],
    events: ['task.updated'],
  }),
}

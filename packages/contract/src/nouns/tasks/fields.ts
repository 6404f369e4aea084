import {
  date,
  earlierTime,
  id,
  multiLine,
  nullable,
  openEnum,
  singleLine,
  timestamp,
  closedEnum,
  userIdOrNone,
} from '#contract/field-schemas'
import {
  auditedFields,
  externalIdField,
  filtered,
  initially,
  linksField,
  optional,
  readOnly,
  refField,
  required,
  withDefault,
} from '#contract/fields'
import { valuesFilter } from '#contract/list-operation'

export const openTaskStatuses = ['todo', 'in_progress', 'blocked'] as const
export const taskStatuses = [...openTaskStatuses, 'done', 'cancelled'] as const

/** The fields of a task, in the order of responses. */
export const taskFields = {
  id: readOnly(id('tsk', 'The id of this task.')),
  ref: refField('tasks', 'DAM-T7'),
  project_id: readOnly(id('prj', 'The id of its project.')),
  title: required(
    singleLine(200, {
      description: 'A one-line summary of the task.',
      example: 'Flush the drains',
    }),
  ),
  description: optional(
    multiLine(5000, { description: 'The task in detail.', example: 'All twelve, from gallery 2.' }),
  ),
  assignee_user_id: filtered(
    optional(id('usr', 'The user id of the assignee.')),
    valuesFilter(userIdOrNone, 'Only tasks of these assignees; `none` for unassigned tasks.'),
  ),
  due_on: optional(date({ description: 'The due date.', example: '2027-03-31' })),
  risk_id: filtered(
    optional(id('rsk', 'The id of the risk that the task treats. Excludes `issue_id`.')),
    valuesFilter(id('rsk', 'The id of a risk.'), 'Only tasks that treat these risks.'),
  ),
  issue_id: filtered(
    optional(id('iss', 'The id of the issue that the task helps to solve. Excludes `risk_id`.')),
    valuesFilter(id('iss', 'The id of an issue.'), 'Only tasks that help to solve these issues.'),
  ),
  status: withDefault(
    'todo',
    openEnum(taskStatuses, {
      description: 'The status of the task. Done and cancelled tasks are not open.',
      example: 'in_progress',
    }),
    {
      create: closedEnum(taskStatuses, {
        description: 'The status of the task.',
        example: 'todo',
      }),
    },
  ),
  completed_at: initially(
    nullable(
      timestamp({
        description: 'When the task was completed.',
        example: '2027-03-28T14:00:00.000Z',
      }),
    ),
    nullable(
      earlierTime({
        description: 'When the task was completed, with the status `done`. Default: now.',
        example: '2027-03-28',
      }),
    ),
  ),
  external_id: externalIdField('task', 'tasks', 'SD-2210'),
  links: linksField,
  ...auditedFields('the task'),
}

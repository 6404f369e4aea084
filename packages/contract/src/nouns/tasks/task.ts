import { Type, type Static } from 'typebox'

import { readOnlyInNewRows } from '#contract/batch-operation'
import { withExample } from '#contract/examples'
import {
  inputsOf,
  referencesTo,
  refOf,
  requiredOf,
  crossProjectRow,
  schemasOf,
} from '#contract/fields'
import { createSchema, patchSchema } from '#contract/input-schemas'

import { taskFields } from './fields.ts'

export const Task = withExample(
  Type.Object(schemasOf(taskFields), {
    title: 'Task',
    description: 'A task of a project. Completing it does not change the score of a risk.',
  }),
  { issue_id: null, completed_at: null, links: [] },
)
export type Task = Static<typeof Task>

export const NewTask = createSchema(requiredOf(taskFields), inputsOf(taskFields, 'create'), {
  title: 'NewTask',
  description: 'A task to create. Default status: todo.',
  example: { title: 'Flush the drains', due_on: '2027-03-31' },
})
export type NewTask = Static<typeof NewTask>

export const TaskPatch = patchSchema(Task, inputsOf(taskFields, 'patch'), {
  title: 'TaskPatch',
  description: 'A JSON merge patch.',
  example: { status: 'done' },
})
export type TaskPatch = Static<typeof TaskPatch>

/** A row of a batch: with an `id` it updates that task, without one it creates a task. */
export const TaskRow = patchSchema(
  Task,
  {
    ...inputsOf(taskFields, 'row'),
    ...referencesTo('assignee', 'the assignee'),
    risk_ref: refOf('the risk', 'DAM-R12'),
    issue_ref: refOf('the issue', 'DAM-I4'),
  },
  {
    title: 'TaskRow',
    description:
      'With `id`, the row updates that task. Without `id`, it creates a task. ' + readOnlyInNewRows,
    example: { title: 'Flush the drains', due_on: '2027-03-31' },
  },
)
export type TaskRow = Static<typeof TaskRow>

/** A row of a batch of several projects. */
export const CrossProjectTaskRow = crossProjectRow(TaskRow, 'CrossProjectTaskRow')
export type CrossProjectTaskRow = Static<typeof CrossProjectTaskRow>

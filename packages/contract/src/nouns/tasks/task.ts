import { Type, type Static } from 'typebox'

import { withExample } from '#contract/examples'
import { inputsOf, requiredOf, schemasOf } from '#contract/fields'
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

import { Type, type Static } from 'typebox'

import { withExample } from '#contract/examples'
import {
  closedEnum,
  date,
  id,
  openEnum,
  singleLine,
  nullable,
  multiLine,
  otherExampleId,
} from '#contract/field-schemas'
import { countField } from '#contract/rollup'

import { Person } from './person.ts'

const reason = Type.Optional(
  nullable(
    multiLine(500, {
      description: 'The reason, stored as `status_reason`.',
      example: 'Agreed with HR.',
    }),
  ),
)

/** The body of suspend, resume and rejoin. */
export const ChangeStatus = Type.Object(
  { status_reason: reason },
  {
    additionalProperties: false,
    title: 'ChangeStatus',
    description: 'An optional reason.',
  },
)

export const DepartPerson = Type.Object(
  {
    status_reason: reason,
    if_assigned: Type.Optional(
      closedEnum(['keep', 'fail'], {
        description:
          'What to do if the person still has assigned work. `keep` (default) leaves it assigned ' +
          'for a later reassignment; `fail` refuses the departure.',
        example: 'keep',
      }),
    ),
  },
  {
    additionalProperties: false,
    title: 'DepartPerson',
    description: 'An optional reason, and what to do with assigned work.',
  },
)

const workCounts = {
  projects: countField('The number of planned, active or on-hold projects.'),
  risks: countField('The number of live risks.'),
  issues: countField('The number of open issues.'),
  tasks: countField('The number of open tasks.'),
}

const someWork = { projects: 0, risks: 2, issues: 1, tasks: 4 }

export const Departure = withExample(
  Type.Object(
    {
      person: Person,
      open_assignments: Type.Object(workCounts, {
        description: 'The work that is still assigned to the person.',
      }),
    },
    { title: 'Departure', description: 'The departed person and their remaining assigned work.' },
  ),
  { open_assignments: someWork },
)
export type Departure = Static<typeof Departure>

export const ErasePerson = Type.Object(
  { confirm: id('usr', 'The user id again, because erasure is permanent.') },
  { additionalProperties: false, title: 'ErasePerson', description: 'The confirmation.' },
)

export const assignmentTypes = ['project', 'risk', 'issue', 'task'] as const

export const Assignment = Type.Object(
  {
    type: openEnum(assignmentTypes, { description: 'The type of the item.', example: 'risk' }),
    id: singleLine(30, {
      description: 'The id of the item.',
      example: 'rsk_01ktrr9d3hen4v9q9t9m2g8x5c',
    }),
    ref: singleLine(24, {
      description: 'The reference of the item, or the code of a project.',
      example: 'DAM-R12',
    }),
    title: singleLine(200, {
      description: 'The title of the item, or the name of a project.',
      example: 'Uplift under the stilling basin',
    }),
    status: singleLine(50, { description: 'The status of the item.', example: 'treating' }),
    project_id: id('prj', 'The id of its project; for a project, its own id.'),
    due_on: nullable(
      date({
        description: 'The due date; for a risk, the next review date.',
        example: '2027-01-15',
      }),
    ),
  },
  { title: 'Assignment', description: 'An item that is assigned to a person.' },
)
export type Assignment = Static<typeof Assignment>

export const ReassignWork = Type.Object(
  {
    to_user_id: id('usr', 'The user id of the new owner or assignee.'),
    project_id: Type.Optional(id('prj', 'Only items of this project.')),
  },
  {
    additionalProperties: false,
    title: 'ReassignWork',
    description: 'The new owner or assignee, for all work or for one project.',
    examples: [{ to_user_id: otherExampleId('usr') }],
  },
)

export const Handover = withExample(
  Type.Object(
    {
      user_id: id('usr', 'The user id of the previous owner or assignee.'),
      to_user_id: id('usr', 'The user id of the new owner or assignee.'),
      reassigned: Type.Object(workCounts, { description: 'The reassigned work.' }),
    },
    { title: 'Handover', description: 'The result of a reassignment.' },
  ),
  { to_user_id: otherExampleId('usr'), reassigned: someWork },
)
export type Handover = Static<typeof Handover>

import { Type, type Static } from 'typebox'

import { choice, date, id, known, line, nullable, prose } from './fields.ts'
import { Person } from './person.ts'
import { counted } from './view.ts'

const reason = Type.Optional(
  nullable(
    prose(500, { description: 'Why: it becomes `status_reason`.', example: 'Parental leave' }),
  ),
)

/** What suspending, resuming and rejoining take. */
export const ChangeStatus = Type.Object(
  { status_reason: reason },
  {
    additionalProperties: false,
    title: 'ChangeStatus',
    description: 'Why. May be left out.',
  },
)

export const DepartPerson = Type.Object(
  {
    status_reason: reason,
    if_assigned: Type.Optional(
      choice(['keep', 'fail'], {
        description:
          'What if the person still holds something: `keep` leaves it with them, to be handed over ' +
          'later; `fail` refuses the departure. `keep` when it is left out.',
        example: 'keep',
      }),
    ),
  },
  {
    additionalProperties: false,
    title: 'DepartPerson',
    description: 'Why, and what if something is still in their hands. May be left out.',
  },
)

const held = {
  projects: counted('Projects that are planned, active or on hold.'),
  risks: counted('Live risks.'),
  issues: counted('Open issues.'),
  tasks: counted('Open tasks.'),
}

export const Departure = Type.Object(
  {
    person: Person,
    open_assignments: Type.Object(held, { description: 'What the person still holds.' }),
  },
  { title: 'Departure', description: 'The person who left, and what they leave behind.' },
)
export type Departure = Static<typeof Departure>

export const ErasePerson = Type.Object(
  { confirm: id('usr', 'The user id once more: this cannot be undone.') },
  { additionalProperties: false, title: 'ErasePerson', description: 'That this is meant.' },
)

export const assignmentTypes = ['project', 'risk', 'issue', 'task'] as const

export const Assignment = Type.Object(
  {
    type: known(assignmentTypes, { description: 'What it is.', example: 'risk' }),
    id: line(30, {
      description: 'Its id.',
      example: 'rsk_01ktrr9d3hen4v9q9t9m2g8x5c',
    }),
    ref: line(24, {
      description: 'What people call it: its reference, or the code of a project.',
      example: 'DAM-R12',
    }),
    title: line(200, { description: 'What it is about.', example: 'Uplift under the apron' }),
    status: line(50, { description: 'Where it is in its life.', example: 'treating' }),
    project_id: id('prj', 'The project it belongs to; of a project, its own id.'),
    due_on: nullable(
      date({
        description: 'When it is due; of a risk, when it is to be reviewed.',
        example: '2027-04-15',
      }),
    ),
  },
  { title: 'Assignment', description: 'Something that is in the hands of a person.' },
)
export type Assignment = Static<typeof Assignment>

export const ReassignWork = Type.Object(
  {
    to_user_id: id('usr', 'The user id of the person who takes it over.'),
    project_id: Type.Optional(id('prj', 'Only what belongs to this project.')),
  },
  {
    additionalProperties: false,
    title: 'ReassignWork',
    description: 'Who takes it over: all of it, or what belongs to one project.',
    examples: [{ to_user_id: 'usr_01ktrr9d3hen4v9q9t9m2g8x5d' }],
  },
)

export const Handover = Type.Object(
  {
    user_id: id('usr', 'The user id of the person who held it.'),
    to_user_id: id('usr', 'The user id of the person who holds it now.'),
    reassigned: Type.Object(held, { description: 'What was handed over.' }),
  },
  { title: 'Handover', description: 'What went from one person to another.' },
)
export type Handover = Static<typeof Handover>

import { Type, type Static } from 'typebox'

import { withExample } from '#contract/examples'
import {
  closedEnum,
  date,
  id,
  multiLine,
  nullable,
  openEnum,
  singleLine,
  timestamp,
} from '#contract/field-schemas'
import { Actor } from '#contract/history'
import { ReassignWork, reason, someWork, workCounts } from '#contract/nouns/personnel/changes'
import { Person } from '#contract/nouns/personnel/person'

const ifAssigned = ['keep', 'fail'] as const

export const DepartPerson = Type.Object(
  {
    status_reason: reason,
    departs_on: Type.Optional(
      date({
        description:
          'The last day, stored as `end_on`. A date after today in the time zone of the workspace ' +
          'plans the departure for the end of that day. With today or an earlier date, the person ' +
          'departs at once. Default: today, or `end_on` if that is earlier.',
        example: '2026-03-31',
      }),
    ),
    if_assigned: Type.Optional(
      closedEnum(ifAssigned, {
        description:
          'What to do if the person still has assigned work when they depart. `keep` (default) ' +
          'leaves it assigned for a later reassignment; `fail` refuses the departure.',
        example: 'keep',
      }),
    ),
    handover: Type.Optional(ReassignWork),
  },
  {
    additionalProperties: false,
    title: 'DepartPerson',
    description: 'An optional reason and last day, and what to do with assigned work.',
    examples: [{ status_reason: 'Agreed with HR.', if_assigned: 'keep' }],
  },
)
export type DepartPerson = Static<typeof DepartPerson>

export const PlannedDeparture = withExample(
  Type.Object(
    {
      user_id: id('usr', 'The user id of the person who is to depart.'),
      departs_on: date({
        description: 'The last day. The person departs when it ends in the zone of the workspace.',
        example: '2026-03-31',
      }),
      status_reason: nullable(
        multiLine(500, {
          description: 'The reason for the departure.',
          example: 'Agreed with HR.',
        }),
      ),
      if_assigned: openEnum(ifAssigned, {
        description: 'What to do if the person still has assigned work when they depart.',
        example: 'keep',
      }),
      planned_by: Actor,
      planned_at: timestamp({
        description: 'When the departure was planned, or last changed.',
        example: '2026-03-01T08:00:00.000Z',
      }),
      refusal: nullable(
        Type.Object(
          {
            code: singleLine(50, {
              description: 'The code of the problem.',
              example: 'insufficient_scope',
            }),
            detail: singleLine(1000, {
              description: 'The reason in a sentence.',
              example: 'The planner does not hold personnel.manage.',
            }),
            refused_at: timestamp({
              description: 'When the departure was refused.',
              example: '2026-04-01T00:00:12.000Z',
            }),
          },
          {
            description:
              'Why the departure was not carried out on its day; null before that. It is not ' +
              'tried again: plan it again, offboard the person at once, or cancel it.',
          },
        ),
      ),
    },
    { title: 'PlannedDeparture', description: 'A departure on a later day.' },
  ),
  { refusal: null },
)
export type PlannedDeparture = Static<typeof PlannedDeparture>

export const PlannedHandover = withExample(
  Type.Object(
    {
      ...PlannedDeparture.properties,
      handover: nullable(
        Type.Object(ReassignWork.properties, {
          description: 'The work to reassign before the person departs, as it was sent, or null.',
        }),
      ),
    },
    {
      title: 'PlannedHandover',
      description: 'A departure on a later day, with the reassignment of work.',
    },
  ),
  { refusal: null, handover: null },
)
export type PlannedHandover = Static<typeof PlannedHandover>

export const PlannedDepartureList = Type.Object(
  {
    data: Type.Array(PlannedDeparture, {
      description: 'The planned departures, by day.',
    }),
  },
  { title: 'PlannedDepartureList', description: 'The planned departures of the workspace.' },
)
export type PlannedDepartureList = Static<typeof PlannedDepartureList>

export const Departure = withExample(
  Type.Object(
    {
      person: Person,
      open_assignments: Type.Object(workCounts, {
        description:
          'The work that is still assigned to the person, as far as you may see it. Without ' +
          '`projects.read`, all counts are 0.',
      }),
      elsewhere: Type.Boolean({
        description: 'Whether the person still has work that you may not see.',
        examples: [false],
      }),
      planned: nullable(
        Type.Object(PlannedDeparture.properties, {
          description: 'The planned departure, or null if the person departed at once.',
        }),
      ),
    },
    {
      title: 'Departure',
      description:
        'The departed person and their remaining assigned work; or the person, unchanged, and ' +
        'the planned departure.',
    },
  ),
  { open_assignments: someWork, planned: null },
)
export type Departure = Static<typeof Departure>

import { Type, type Static } from 'typebox'

import { withExample } from '#contract/examples'
import {
  booleanField,
  closedEnum,
  date,
  exampleId,
  id,
  integer,
  list,
  openEnum,
  singleLine,
  nullable,
  multiLine,
  otherExampleId,
  rating,
  workItemId,
} from '#contract/field-schemas'
import { limits } from '#contract/limits'
import { issueFlags } from '#contract/nouns/issues/fields'
import { riskFlags } from '#contract/nouns/risks/fields'
import { countField, ProjectName } from '#contract/rollup'
import { levels } from '#contract/scale'

/** The reason of a change of status. */
export const reason = Type.Optional(
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

export const workCounts = {
  projects: countField('The number of planned, active or on-hold projects.'),
  risks: countField('The number of live risks.'),
  issues: countField('The number of open issues.'),
  tasks: countField('The number of open tasks.'),
}

/** The counts of the examples. */
export const someWork = { projects: 0, risks: 2, issues: 1, tasks: 4 }

export const ErasePerson = Type.Object(
  { confirm: id('usr', 'The user id again, because erasure is permanent.') },
  { additionalProperties: false, title: 'ErasePerson', description: 'The confirmation.' },
)

export const assignmentTypes = ['project', 'risk', 'issue', 'task'] as const

export const Assignment = withExample(
  Type.Object(
    {
      type: openEnum(assignmentTypes, { description: 'The type of the item.', example: 'risk' }),
      id: singleLine(30, { description: 'The id of the item.', example: exampleId('rsk') }),
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
      score: nullable(
        integer(1, 25, { description: 'The score of a risk. Otherwise null.', example: 12 }),
      ),
      level: nullable(
        openEnum(levels, {
          description: 'The level of the score of a risk. Otherwise null.',
          example: 'high',
        }),
      ),
      severity: nullable(
        rating({ description: 'The severity of an issue. Otherwise null.', example: 4 }),
      ),
      flags: list(
        openEnum([...riskFlags, ...issueFlags], {
          description: 'A flag.',
          example: 'review_overdue',
        }),
        20,
        'The flags of a risk or an issue, sorted. Otherwise empty.',
      ),
      project: ProjectName,
    },
    { title: 'Assignment', description: 'An item that is assigned to a person.' },
  ),
  { severity: null, flags: [] },
)
export type Assignment = Static<typeof Assignment>

const ReassignedItem = Type.Object(
  {
    type: closedEnum(assignmentTypes, { description: 'The type of the item.', example: 'risk' }),
    id: workItemId('The id of the item, which has this type.'),
    to_user_id: id('usr', 'The user id of its new owner or assignee.'),
  },
  { additionalProperties: false, description: 'An item and its new owner or assignee.' },
)

export const ReassignWork = Type.Object(
  {
    to_user_id: Type.Optional(
      id('usr', 'The user id of the new owner or assignee. Required without `items`.'),
    ),
    project_id: Type.Optional(id('prj', 'With `to_user_id`: only items of this project.')),
    items: Type.Optional(
      Type.Array(ReassignedItem, {
        minItems: 1,
        maxItems: limits.itemsMax,
        description:
          'Instead of `to_user_id`: the items to reassign, each once and each with its new owner ' +
          'or assignee. All must be assigned to the person now, as in the list of assigned work.',
      }),
    ),
  },
  {
    additionalProperties: false,
    anyOf: [{ required: ['to_user_id'] }, { required: ['items'] }],
    title: 'ReassignWork',
    description:
      'Either `to_user_id`, for all work or the work in one project, or `items`, for selected work.',
    examples: [
      { to_user_id: otherExampleId('usr') },
      { items: [{ type: 'risk', id: exampleId('rsk'), to_user_id: otherExampleId('usr') }] },
    ],
  },
)
export type ReassignWork = Static<typeof ReassignWork>

export const Handover = withExample(
  Type.Object(
    {
      user_id: id('usr', 'The user id of the previous owner or assignee.'),
      to_user_id: Type.Optional(
        id(
          'usr',
          'The user id of the new owner or assignee. Absent if `items` names several people.',
        ),
      ),
      reassigned: Type.Object(workCounts, { description: 'The reassigned work.' }),
      handovers: Type.Array(
        Type.Object(
          {
            to_user_id: id('usr', 'The user id of the new owner or assignee.'),
            reassigned: Type.Object(workCounts, { description: 'The work of this person.' }),
          },
          { description: 'A new owner or assignee and their part of the work.' },
        ),
        {
          description: 'The reassigned work by new owner or assignee, in the order of the request.',
        },
      ),
    },
    { title: 'Handover', description: 'The result of a reassignment.' },
  ),
  {
    to_user_id: otherExampleId('usr'),
    reassigned: someWork,
    handovers: [{ to_user_id: otherExampleId('usr'), reassigned: someWork }],
  },
)
export type Handover = Static<typeof Handover>

/** What the example of a departed person shows. */
export const departedExample = {
  status: 'departed',
  status_reason: 'Agreed with HR.',
  assignable: false,
  group_ids: [],
}

/** What the example of an erased person shows. */
export const erasedExample = {
  ...departedExample,
  name: 'Erased person',
  email: null,
  phone: null,
  title: null,
  department: null,
  external_id: null,
  manager_user_id: null,
  time_zone: null,
  status_reason: null,
  metadata: {},
  erased_at: '2026-03-01T08:00:00.000Z',
}

/** The query of an update. */
export const EndSignIn = Type.Object(
  {
    end_sign_in: Type.Optional(
      booleanField({
        description:
          'With `true`, the request also ends the sign-in of the person: their sessions, links, ' +
          'passkeys, personal keys and the account at the identity provider. A change of the ' +
          'email alone ends none of them. You need every right of the person.',
        example: true,
      }),
    ),
  },
  { additionalProperties: false },
)

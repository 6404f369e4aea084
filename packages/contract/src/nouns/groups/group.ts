import { Type, type Static } from 'typebox'

import { withExample } from '#contract/examples'
import { booleanField, id, otherExampleId, timestamp } from '#contract/field-schemas'
import { inputsOf, requiredOf, schemasOf } from '#contract/fields'
import { createSchema, patchSchema } from '#contract/input-schemas'
import { limits } from '#contract/limits'

import { groupFields, userIds } from './fields.ts'

export const Group = withExample(
  Type.Object(schemasOf(groupFields), { title: 'Group', description: 'A personnel group.' }),
  { metadata: { cost_center: '7300' } },
)
export type Group = Static<typeof Group>

export const NewGroup = createSchema(
  requiredOf(groupFields),
  {
    ...inputsOf(groupFields, 'create'),
    member_user_ids: userIds(limits.itemsMax, 'The user ids of the first members.'),
  },
  {
    title: 'NewGroup',
    description: 'A group to create. Its leads must be members.',
    example: { name: 'Crane crews', description: 'Everyone who may lift.' },
  },
)
export type NewGroup = Static<typeof NewGroup>

export const GroupPatch = patchSchema(Group, inputsOf(groupFields, 'patch'), {
  title: 'GroupPatch',
  description: 'A JSON merge patch. The leads must be members.',
  example: { description: 'Everyone who answers for soil, rock and water.' },
})
export type GroupPatch = Static<typeof GroupPatch>

export const Member = Type.Object(
  {
    user_id: id('usr', 'The user id of the person.'),
    is_lead: booleanField({ description: 'Whether the person leads the group.', example: true }),
    joined_at: timestamp({
      description: 'When the person joined the group.',
      example: '2026-03-01T08:00:00.000Z',
    }),
  },
  { title: 'Member', description: 'A person as a member of a group.' },
)
export type Member = Static<typeof Member>

export const ChangeMembers = Type.Object(
  {
    add: Type.Optional(
      userIds(limits.itemsMax, 'The user ids to add. Existing members are unchanged.'),
    ),
    remove: Type.Optional(
      userIds(limits.itemsMax, 'The user ids to remove. People who are not members are unchanged.'),
    ),
  },
  {
    additionalProperties: false,
    title: 'ChangeMembers',
    description: `The members to add and remove: at most ${limits.itemsMax} in total, all or none.`,
    examples: [{ add: [otherExampleId('usr')] }],
  },
)

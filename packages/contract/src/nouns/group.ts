import { Type, type Static } from 'typebox'

import { withExample } from '#contract/examples'
import {
  booleanField,
  id,
  timestamp,
  integer,
  openEnum,
  auditFields,
  singleLine,
  list,
  Metadata,
  MetadataPatch,
  nullable,
  multiLine,
  otherExampleId,
} from '#contract/field-schemas'
import { createSchema, patchSchema } from '#contract/input-schemas'
import { limits } from '#contract/limits'

export const groupStatuses = ['active', 'archived'] as const

const userIds = (max: number, description: string) => ({
  ...list(id('usr', 'The user id of a person.'), max, description),
  uniqueItems: true,
})

/** The fields that a client sets on creation and changes with PATCH. */
const writable = {
  name: singleLine(100, {
    description: 'The name, unique among active groups. Letter case does not matter.',
    example: 'Geotechnics',
  }),
  description: nullable(
    multiLine(5000, {
      description: 'The purpose of the group.',
      example: 'Everyone who answers for soil and rock.',
    }),
  ),
  external_id: nullable(
    singleLine(255, {
      description: 'The id of this group in your own system.',
      example: 'ou-77',
    }),
  ),
}

const leads = {
  lead_user_ids: userIds(
    limits.leadsMax,
    'The user ids of the members who lead the group, sorted.',
  ),
}

export const Group = withExample(
  Type.Object(
    {
      id: id('grp', 'The id of this group.'),
      ...writable,
      status: openEnum(groupStatuses, {
        description: 'Whether the group is active or archived.',
        example: 'active',
      }),
      member_count: integer(0, 100_000, {
        description: 'The number of members.',
        example: 7,
      }),
      ...leads,
      metadata: Metadata,
      members_changed_at: timestamp({
        description: 'When the membership last changed.',
        example: '2026-03-01T08:00:00.000Z',
      }),
      ...auditFields('the group'),
    },
    { title: 'Group', description: 'A personnel group.' },
  ),
  { metadata: { cost_center: '7300' } },
)
export type Group = Static<typeof Group>

export const NewGroup = createSchema(
  { name: writable.name },
  {
    ...writable,
    ...leads,
    member_user_ids: userIds(limits.itemsMax, 'The user ids of the first members.'),
    metadata: Metadata,
  },
  {
    title: 'NewGroup',
    description: 'A group to create. Its leads must be members.',
    example: { name: 'Crane crews', description: 'Everyone who may lift.' },
  },
)
export type NewGroup = Static<typeof NewGroup>

export const GroupPatch = patchSchema(
  Group,
  { ...writable, ...leads, metadata: MetadataPatch },
  {
    title: 'GroupPatch',
    description: 'A JSON merge patch. The leads must be members.',
    example: { description: 'Everyone who answers for soil, rock and water.' },
  },
)
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

import { Type, type Static } from 'typebox'

import {
  flag,
  id,
  instant,
  integer,
  known,
  lifetime,
  line,
  list,
  Metadata,
  MetadataPatch,
  nullable,
  prose,
} from './fields.ts'
import { limits } from './limits.ts'
import { newOf, patchOf } from './patch.ts'

export const groupStatuses = ['active', 'archived'] as const

const userIds = (max: number, description: string) => ({
  ...list(id('usr', 'The user id of a person.'), max, description),
  uniqueItems: true,
})

/** What can be said of a group when it is made, and changed by PATCH. */
const given = {
  name: line(100, {
    description: 'Unique among active groups; letter case does not matter.',
    example: 'Geotechnics',
  }),
  description: nullable(
    prose(5000, {
      description: 'What the group is for.',
      example: 'Everyone who answers for soil and rock.',
    }),
  ),
  external_id: nullable(
    line(255, { description: 'The id of this group in a system of yours.', example: 'ou-77' }),
  ),
}

const leads = {
  lead_user_ids: userIds(limits.leadsMax, 'The members who lead the group, sorted.'),
}

export const Group = Type.Object(
  {
    id: id('grp', 'The id of this group.'),
    ...given,
    status: known(groupStatuses, {
      description: 'Whether the group is in use.',
      example: 'active',
    }),
    member_count: integer(0, 100_000, {
      description: 'How many people belong to the group.',
      example: 7,
    }),
    ...leads,
    metadata: Metadata,
    members_changed_at: instant({
      description: 'When someone last joined or left.',
      example: '2024-03-01T08:00:00.000Z',
    }),
    ...lifetime('the group', 'made'),
  },
  { title: 'Group', description: 'A group that people belong to.' },
)
export type Group = Static<typeof Group>

export const NewGroup = newOf(
  { name: given.name },
  {
    ...given,
    ...leads,
    member_user_ids: userIds(limits.itemsMax, 'The first members; more can join later.'),
    metadata: Metadata,
  },
  {
    title: 'NewGroup',
    description: 'A group to make. Those who lead it must be among its members.',
    example: { name: 'Crane crews', description: 'Everyone who may lift.' },
  },
)
export type NewGroup = Static<typeof NewGroup>

export const GroupPatch = patchOf(
  Group,
  { ...given, ...leads, metadata: MetadataPatch },
  {
    title: 'GroupPatch',
    description: 'What to change: a JSON merge patch. Those who lead the group must be members.',
    example: { description: 'Everyone who answers for soil, rock and water.' },
  },
)
export type GroupPatch = Static<typeof GroupPatch>

export const Member = Type.Object(
  {
    user_id: id('usr', 'The user id of the person.'),
    is_lead: flag({ description: 'Whether the person leads the group.', example: false }),
    joined_at: instant({
      description: 'When the person joined the group.',
      example: '2024-03-01T08:00:00.000Z',
    }),
  },
  { title: 'Member', description: 'A person as a member of a group.' },
)
export type Member = Static<typeof Member>

export const ChangeMembers = Type.Object(
  {
    add: Type.Optional(userIds(limits.itemsMax, 'Who joins. Whoever is a member stays one.')),
    remove: Type.Optional(userIds(limits.itemsMax, 'Who leaves. Whoever is no member stays so.')),
  },
  {
    additionalProperties: false,
    title: 'ChangeMembers',
    description: `Who joins and who leaves: at most ${limits.itemsMax} together, all or none.`,
    examples: [{ add: ['usr_01ktrr9d3hen4v9q9t9m2g8x5d'] }],
  },
)

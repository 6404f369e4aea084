import { Type, type Static } from 'typebox'

import {
  id,
  instant,
  integer,
  known,
  lifetime,
  line,
  list,
  Metadata,
  nullable,
  prose,
} from './fields.ts'
import { anyOf, listOperation, q, sort } from './list.ts'

export const groupStatuses = ['active', 'archived'] as const

export const Group = Type.Object(
  {
    id: id('grp', 'The id of this group.'),
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
    status: known(groupStatuses, {
      description: 'Whether the group is in use.',
      example: 'active',
    }),
    member_count: integer(0, 100_000, {
      description: 'How many people belong to the group.',
      example: 7,
    }),
    lead_user_ids: list(
      id('usr', 'The user id of a person.'),
      100,
      'The members who lead the group, sorted.',
    ),
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

export const groups = {
  list: listOperation({
    summary: 'List the personnel groups.',
    description:
      'All active groups, in the order they were made. `status=archived` lists the others.',
    path: '/v1/groups',
    scope: 'personnel.read',
    collection: 'groups',
    item: Group,
    title: 'GroupList',
    filters: {
      status: Type.Optional(
        anyOf(
          groupStatuses,
          'Only groups with one of these statuses. Without it: active.',
          'active',
        ),
      ),
      q: Type.Optional(q('the name', 'geo')),
      sort: Type.Optional(
        sort(
          ['created_at', 'name', 'updated_at'],
          'The order: when they were made (as without `sort`), by name, or by last change.',
        ),
      ),
    },
  }),
}

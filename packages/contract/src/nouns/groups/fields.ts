import {
  id,
  integer,
  list,
  multiLine,
  openEnum,
  singleLine,
  timestamp,
} from '#contract/field-schemas'
import {
  auditedFields,
  metadataField,
  optional,
  readOnly,
  required,
  withDefault,
} from '#contract/fields'
import { limits } from '#contract/limits'

export const groupStatuses = ['active', 'archived'] as const

export const userIds = (max: number, description: string) => ({
  ...list(id('usr', 'The user id of a person.'), max, description),
  uniqueItems: true,
})

/** The fields of a group, in the order of responses. */
export const groupFields = {
  id: readOnly(id('grp', 'The id of this group.')),
  name: required(
    singleLine(100, {
      description: 'The name, unique among active groups. Letter case does not matter.',
      example: 'Geotechnics',
    }),
  ),
  description: optional(
    multiLine(5000, {
      description: 'The purpose of the group.',
      example: 'Everyone who answers for soil and rock.',
    }),
  ),
  external_id: optional(
    singleLine(255, { description: 'The id of this group in your own system.', example: 'ou-77' }),
  ),
  status: readOnly(
    openEnum(groupStatuses, {
      description: 'Whether the group is active or archived.',
      example: 'active',
    }),
  ),
  member_count: readOnly(
    integer(0, 100_000, { description: 'The number of members.', example: 7 }),
  ),
  lead_user_ids: withDefault(
    [],
    userIds(limits.leadsMax, 'The user ids of the members who lead the group, sorted.'),
  ),
  metadata: metadataField,
  members_changed_at: readOnly(
    timestamp({
      description: 'When the membership last changed.',
      example: '2026-03-01T08:00:00.000Z',
    }),
  ),
  ...auditedFields('the group'),
}

import {
  booleanField,
  date,
  email,
  id,
  list,
  multiLine,
  nullable,
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

export const personStatuses = ['active', 'suspended', 'departed'] as const
export type PersonStatus = (typeof personStatuses)[number]

const statusReason = nullable(
  multiLine(500, { description: 'The reason for the current status.', example: 'Parental leave' }),
)

/** The fields of a person, in the order of responses. */
export const personFields = {
  id: readOnly(id('usr', 'The id of this person.')),
  user_id: readOnly(id('usr', 'The same id, under the name that tasks, risks and issues use.')),
  name: required(
    singleLine(200, { description: 'The name of the person.', example: 'Mara Lindqvist' }),
  ),
  email: optional(
    email({
      description:
        'Unique among people who have not departed. Letter case is kept but does not matter.',
      example: 'mara.lindqvist@example.com',
    }),
  ),
  phone: optional(
    singleLine(50, {
      description: 'A telephone number, stored as sent.',
      example: '+46 8 123 456',
    }),
  ),
  title: optional(singleLine(200, { description: 'The job title.', example: 'Site engineer' })),
  department: optional(singleLine(200, { description: 'The department.', example: 'Civil works' })),
  external_id: optional(
    singleLine(255, {
      description:
        'The id of this person in your own system. Unique among people who have not departed.',
      example: 'hr-20417',
    }),
  ),
  manager_user_id: optional(id('usr', 'The user id of the manager.')),
  time_zone: optional(
    singleLine(64, { description: 'An IANA time zone.', example: 'Europe/Stockholm' }),
  ),
  start_on: optional(date({ description: 'The first working day.', example: '2026-03-01' })),
  end_on: optional(
    date({ description: 'The last working day, not before `start_on`.', example: '2027-02-28' }),
  ),
  status: readOnly(
    openEnum(personStatuses, {
      description: 'The status. Active and suspended people are on the roster.',
      example: 'active',
    }),
  ),
  status_reason: withDefault(null, statusReason, {
    create: null,
    patch: statusReason,
    row: statusReason,
  }),
  status_changed_at: readOnly(
    timestamp({
      description: 'When the status last changed.',
      example: '2026-03-01T08:00:00.000Z',
    }),
  ),
  assignable: readOnly(
    booleanField({
      description: 'Whether the person can be assigned new work: true for active people.',
      example: true,
    }),
  ),
  group_ids: readOnly(
    list(id('grp', 'The id of a group.'), 10_000, 'The ids of the groups of the person, sorted.'),
  ),
  erased_at: readOnly(
    nullable(
      timestamp({
        description: 'When the personal data was erased, or null. Ids and dates are kept.',
        example: '2031-03-01T08:00:00.000Z',
      }),
    ),
  ),
  metadata: metadataField,
  ...auditedFields('the person'),
}

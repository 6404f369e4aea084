import { Type, type Static } from 'typebox'

import { withExample } from '#contract/examples'
import {
  date,
  email,
  booleanField,
  id,
  timestamp,
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

export const personStatuses = ['active', 'suspended', 'departed'] as const
export type PersonStatus = (typeof personStatuses)[number]

/** The fields that a client sets on creation and changes with PATCH. */
const creatable = {
  name: singleLine(200, { description: 'The name of the person.', example: 'Mara Lindqvist' }),
  email: nullable(
    email({
      description:
        'Unique among people who have not departed. Letter case is kept but does not matter.',
      example: 'mara.lindqvist@example.com',
    }),
  ),
  phone: nullable(
    singleLine(50, {
      description: 'A telephone number, stored as sent.',
      example: '+46 8 123 456',
    }),
  ),
  title: nullable(singleLine(200, { description: 'The job title.', example: 'Site engineer' })),
  department: nullable(
    singleLine(200, {
      description: 'The department.',
      example: 'Civil works',
    }),
  ),
  external_id: nullable(
    singleLine(255, {
      description:
        'The id of this person in your own system. Unique among people who have not departed.',
      example: 'hr-20417',
    }),
  ),
  manager_user_id: nullable(id('usr', 'The user id of the manager.')),
  time_zone: nullable(
    singleLine(64, {
      description: 'An IANA time zone.',
      example: 'Europe/Stockholm',
    }),
  ),
  start_on: nullable(date({ description: 'The first working day.', example: '2026-03-01' })),
  end_on: nullable(
    date({ description: 'The last working day, not before `start_on`.', example: '2027-02-28' }),
  ),
}

const statusReason = nullable(
  multiLine(500, { description: 'The reason for the current status.', example: 'Parental leave' }),
)

export const Person = withExample(
  Type.Object(
    {
      id: id('usr', 'The id of this person.'),
      user_id: id('usr', 'The same id, under the name that tasks, risks and issues use.'),
      ...creatable,
      status: openEnum(personStatuses, {
        description: 'The status. Active and suspended people are on the roster.',
        example: 'active',
      }),
      status_reason: statusReason,
      status_changed_at: timestamp({
        description: 'When the status last changed.',
        example: '2026-03-01T08:00:00.000Z',
      }),
      assignable: booleanField({
        description: 'Whether the person can be assigned new work: true for active people.',
        example: true,
      }),
      group_ids: list(
        id('grp', 'The id of a group.'),
        10_000,
        'The ids of the groups of the person, sorted.',
      ),
      erased_at: nullable(
        timestamp({
          description: 'When the personal data was erased, or null. Ids and dates are kept.',
          example: '2031-03-01T08:00:00.000Z',
        }),
      ),
      metadata: Metadata,
      ...auditFields('the person'),
    },
    { title: 'Person', description: 'A member of the roster.' },
  ),
  { manager_user_id: otherExampleId('usr'), status_reason: null, erased_at: null },
)
export type Person = Static<typeof Person>

export const NewPerson = createSchema(
  { name: creatable.name },
  { ...creatable, metadata: Metadata },
  {
    title: 'NewPerson',
    description: 'A person to add. Omitted fields are null.',
    example: {
      name: 'Mara Lindqvist',
      email: 'mara.lindqvist@example.com',
      title: 'Site engineer',
      department: 'Civil works',
      start_on: '2026-03-01',
      metadata: { badge: 'B-1042' },
    },
  },
)
export type NewPerson = Static<typeof NewPerson>

const writable = { ...creatable, status_reason: statusReason }

export const PersonPatch = patchSchema(
  Person,
  { ...writable, metadata: MetadataPatch },
  {
    title: 'PersonPatch',
    description: 'A JSON merge patch.',
    example: { title: 'Resident engineer', phone: null },
  },
)
export type PersonPatch = Static<typeof PersonPatch>

/** A row of a batch: with an `id` it updates that person, without one it adds a person. */
export const PersonRow = patchSchema(
  Person,
  { ...writable, metadata: Metadata },
  {
    title: 'PersonRow',
    description:
      'With `id`, the row updates that person. Without `id`, it adds a person and read-only ' +
      'fields are ignored.',
    example: { name: 'Tove Ekberg', title: 'Surveyor', department: 'Civil works' },
  },
)
export type PersonRow = Static<typeof PersonRow>

import { Type, type Static } from 'typebox'

import {
  date,
  email,
  flag,
  id,
  instant,
  known,
  lifetime,
  line,
  list,
  Metadata,
  MetadataPatch,
  nullable,
  prose,
} from './fields.ts'
import { newOf, patchOf } from './patch.ts'

export const personStatuses = ['active', 'suspended', 'departed'] as const
export type PersonStatus = (typeof personStatuses)[number]

/** What can be said of a person when they are added, and changed by PATCH. */
const given = {
  name: line(200, { description: 'What the person is called.', example: 'Mara Lindqvist' }),
  email: nullable(
    email({
      description:
        'Unique among those who have not departed; letter case does not matter. Kept as sent.',
      example: 'mara.lindqvist@example.com',
    }),
  ),
  phone: nullable(
    line(50, { description: 'A telephone number, kept as sent.', example: '+46 8 123 456' }),
  ),
  title: nullable(line(200, { description: 'What the person does.', example: 'Site engineer' })),
  department: nullable(
    line(200, { description: 'Where in the organisation they work.', example: 'Civil works' }),
  ),
  external_id: nullable(
    line(255, {
      description:
        'The id of this person in a system of yours. Unique among those who have not departed.',
      example: 'hr-20417',
    }),
  ),
  manager_user_id: nullable(id('usr', 'The user id of the person they report to.')),
  time_zone: nullable(
    line(64, { description: 'A time zone of the IANA database.', example: 'Europe/Stockholm' }),
  ),
  start_on: nullable(date({ description: 'The first day.', example: '2024-03-01' })),
  end_on: nullable(
    date({ description: 'The last day, not before the first.', example: '2027-02-28' }),
  ),
}

const statusReason = nullable(
  prose(500, { description: 'Why the status is what it is.', example: 'Parental leave' }),
)

export const Person = Type.Object(
  {
    id: id('usr', 'The id of this person.'),
    user_id: id('usr', 'The same id under the name that tasks, risks and issues refer to it by.'),
    ...given,
    status: known(personStatuses, {
      description: 'Where the person is in their time here. The roster is active and suspended.',
      example: 'active',
    }),
    status_reason: statusReason,
    status_changed_at: instant({
      description: 'When the status last changed.',
      example: '2024-03-01T08:00:00.000Z',
    }),
    assignable: flag({
      description: 'Whether new work can be given to this person: true when they are active.',
      example: true,
    }),
    group_ids: list(
      id('grp', 'The id of a group.'),
      10_000,
      'The groups the person belongs to, sorted.',
    ),
    erased_at: nullable(
      instant({
        description:
          'When all that was known of the person was erased, but for ids and dates; null for most.',
        example: '2031-03-01T08:00:00.000Z',
      }),
    ),
    metadata: Metadata,
    ...lifetime('the person', 'added'),
  },
  { title: 'Person', description: 'A member of the roster.' },
)
export type Person = Static<typeof Person>

export const NewPerson = newOf(
  { name: given.name },
  { ...given, metadata: Metadata },
  {
    title: 'NewPerson',
    description: 'A person to add. What is left out is null.',
    example: {
      name: 'Mara Lindqvist',
      email: 'mara@example.com',
      title: 'Site engineer',
      department: 'Civil works',
      start_on: '2024-03-01',
      metadata: { badge: 'B-1042' },
    },
  },
)
export type NewPerson = Static<typeof NewPerson>

const writable = { ...given, status_reason: statusReason }

export const PersonPatch = patchOf(
  Person,
  { ...writable, metadata: MetadataPatch },
  {
    title: 'PersonPatch',
    description: 'What to change: a JSON merge patch.',
    example: { title: 'Resident engineer', phone: null },
  },
)
export type PersonPatch = Static<typeof PersonPatch>

/** A row of a batch: with an `id` a change of that person, without one a new person. */
export const PersonRow = patchOf(
  Person,
  { ...writable, metadata: Metadata },
  {
    title: 'PersonRow',
    description:
      'With `id`: what to change of that person. Without: a person to add; what the service sets ' +
      'itself is then ignored.',
    example: { name: 'Tove Ekberg', title: 'Surveyor', department: 'Civil works' },
  },
)
export type PersonRow = Static<typeof PersonRow>

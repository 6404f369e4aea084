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
  nullable,
  prose,
} from './fields.ts'
import { historyOperation } from './history.ts'
import { anyOf, listOperation, q, sort } from './list.ts'
import { operation } from './operation.ts'

export const personStatuses = ['active', 'suspended', 'departed'] as const
export type PersonStatus = (typeof personStatuses)[number]

/** What whoever adds a person may say of them. */
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

export const Person = Type.Object(
  {
    id: id('usr', 'The id of this person.'),
    user_id: id('usr', 'The same id under the name that tasks, risks and issues refer to it by.'),
    ...given,
    status: known(personStatuses, {
      description: 'Where the person is in their time here. The roster is active and suspended.',
      example: 'active',
    }),
    status_reason: nullable(
      prose(500, { description: 'Why the status is what it is.', example: 'Parental leave' }),
    ),
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
    metadata: Metadata,
    ...lifetime('the person', 'added'),
  },
  { title: 'Person', description: 'A member of the roster.' },
)
export type Person = Static<typeof Person>

export const NewPerson = Type.Object(
  {
    name: given.name,
    email: Type.Optional(given.email),
    phone: Type.Optional(given.phone),
    title: Type.Optional(given.title),
    department: Type.Optional(given.department),
    external_id: Type.Optional(given.external_id),
    manager_user_id: Type.Optional(given.manager_user_id),
    time_zone: Type.Optional(given.time_zone),
    start_on: Type.Optional(given.start_on),
    end_on: Type.Optional(given.end_on),
    metadata: Type.Optional(Metadata),
  },
  {
    additionalProperties: false,
    title: 'NewPerson',
    description: 'A person to add. What is left out is null.',
    examples: [
      {
        name: 'Mara Lindqvist',
        email: 'mara@example.com',
        title: 'Site engineer',
        department: 'Civil works',
        start_on: '2024-03-01',
        metadata: { badge: 'B-1042' },
      },
    ],
  },
)
export type NewPerson = Static<typeof NewPerson>

const params = Type.Object({ user_id: id('usr', 'The user id of the person.') })

export const personnel = {
  list: listOperation({
    summary: 'List everyone on the roster.',
    description:
      'Everyone who is active or suspended, in the order they were added. `status` names others: ' +
      '`status=departed` lists those who left.',
    path: '/v1/personnel',
    scope: 'personnel.read',
    collection: 'personnel',
    item: Person,
    title: 'PersonList',
    filters: {
      status: Type.Optional(
        anyOf(
          personStatuses,
          'Only people with one of these statuses. Without it: active and suspended.',
          'active',
        ),
      ),
      q: Type.Optional(q('the name or the email', 'lind')),
      sort: Type.Optional(
        sort(
          ['created_at', 'name', 'updated_at'],
          'The order: when they were added (as without `sort`), by name, or by last change.',
        ),
      ),
    },
  }),

  create: operation({
    summary: 'Add a person to the roster.',
    description:
      'The person is active at once, and their user id can be given work. Send an ' +
      'Idempotency-Key, and the request can be repeated safely when its answer was lost.',
    method: 'POST',
    path: '/v1/personnel',
    scope: 'personnel.manage',
    body: NewPerson,
    status: 201,
    response: Person,
    cache: 'version',
    problems: ['email_taken', 'external_id_taken', 'unknown_reference', 'quota_exceeded'],
    events: ['person.created'],
  }),

  view: operation({
    summary: 'View one person.',
    description: 'Answers anyone who ever was on the roster, also those who departed.',
    method: 'GET',
    path: '/v1/personnel/{user_id}',
    scope: 'personnel.read',
    params,
    status: 200,
    response: Person,
    cache: 'version',
    problems: ['not_found'],
  }),

  history: historyOperation({
    of: 'a person',
    path: '/v1/personnel/{user_id}/history',
    collection: 'personnel',
    scope: 'personnel.read',
    params,
  }),
}

import { Type } from 'typebox'

import { id, line, personOrNone } from './fields.ts'
import { historyOperation } from './history.ts'
import { limits } from './limits.ts'
import { anyOf, anyOfThese, batchOf, listOperation, q, sort } from './list.ts'
import { operation } from './operation.ts'
import {
  Assignment,
  ChangeStatus,
  DepartPerson,
  Departure,
  ErasePerson,
  Handover,
  ReassignWork,
} from './person-changes.ts'
import { NewPerson, Person, PersonPatch, PersonRow, personStatuses } from './person.ts'

const params = Type.Object({ user_id: id('usr', 'The user id of the person.') })

/** What all changes of a person have in common. */
const change = {
  method: 'POST',
  scope: 'personnel.manage',
  params,
  status: 200,
  response: Person,
  cache: 'version',
} as const

const named = (what: string, example: string) =>
  line(200, {
    description:
      `Only people with this ${what}, the whole of it; letter case and accents do not matter. ` +
      `\`none\` for people without one.`,
    example,
  })

const filters = {
  user_id: Type.Optional(
    anyOfThese(
      id('usr', 'A user id.'),
      'Only these people, of those with the statuses asked for: name all statuses to resolve any id.',
      limits.idsMax,
    ),
  ),
  status: Type.Optional(
    anyOf(
      personStatuses,
      'Only people with one of these statuses. Without it: active and suspended.',
      'active',
    ),
  ),
  group_id: Type.Optional(
    anyOfThese(id('grp', 'The id of a group.'), 'Only members of one of these groups.'),
  ),
  manager_user_id: Type.Optional(
    anyOfThese(personOrNone, 'Only people who report to one of these; `none` for those to nobody.'),
  ),
  title: Type.Optional(named('title', 'Site engineer')),
  department: Type.Optional(named('department', 'Civil works')),
  q: Type.Optional(q('the name or the email', 'lind')),
  sort: Type.Optional(
    sort(
      ['created_at', 'name', 'updated_at'],
      'The order: when they were added (as without `sort`), by name, or by last change.',
    ),
  ),
}

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
    filters,
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
    problems: [
      'email_taken',
      'external_id_taken',
      'unknown_reference',
      'not_on_roster',
      'quota_exceeded',
    ],
    events: ['person.created'],
  }),

  batch: operation({
    summary: 'Add and change many people at once.',
    description:
      `At most ${limits.itemsMax} rows, all or none. As CSV with the header that the export of ` +
      'the roster writes: export, edit, and send it back. An unchanged row changes nothing. An ' +
      'email that one of the rows gives up is free for another only afterwards. With `dry_run` ' +
      'all of it is tried, and nothing done.',
    method: 'POST',
    path: '/v1/personnel/batch',
    scope: 'personnel.manage',
    rows: PersonRow,
    ...batchOf(PersonRow, Person, 'Person'),
    status: 200,
    cache: 'none',
    problems: ['quota_exceeded'],
    events: ['person.created', 'person.updated'],
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

  update: operation({
    ...change,
    summary: 'Change a person.',
    description:
      'What is left out stays; null clears. Status and groups are changed by operations of their ' +
      'own. A person can report to nobody who reports to them.',
    method: 'PATCH',
    path: '/v1/personnel/{user_id}',
    body: PersonPatch,
    problems: [
      'not_found',
      'read_only_field',
      'email_taken',
      'external_id_taken',
      'manager_cycle',
      'unknown_reference',
      'not_on_roster',
      'person_erased',
    ],
    events: ['person.updated'],
  }),

  suspend: operation({
    ...change,
    summary: 'Suspend a person.',
    description:
      'The person stays on the roster and keeps what they hold, and is given no new work until ' +
      'they are resumed.',
    path: '/v1/personnel/{user_id}/suspend',
    body: ChangeStatus,
    problems: ['not_found', 'invalid_transition'],
    events: ['person.suspended'],
  }),

  resume: operation({
    ...change,
    summary: 'End the suspension of a person.',
    description: 'The person is active, and can be given work again.',
    path: '/v1/personnel/{user_id}/resume',
    body: ChangeStatus,
    problems: ['not_found', 'invalid_transition'],
    events: ['person.resumed'],
  }),

  depart: operation({
    ...change,
    summary: 'Say that a person has left.',
    description:
      'The person leaves the roster and every group, in one step. Their user id stays good for ' +
      'ever: what they hold stays with them until it is reassigned, and the answer tells how much ' +
      'that is. Their email and external id are free for someone else.',
    path: '/v1/personnel/{user_id}/depart',
    body: DepartPerson,
    response: Departure,
    cache: 'none',
    problems: ['not_found', 'has_open_assignments'],
    events: ['person.departed', 'group.member_removed'],
  }),

  rejoin: operation({
    ...change,
    summary: 'Bring back a person who had left.',
    description:
      'The person is active under the user id they always had. Groups and work are not given back ' +
      'by this.',
    path: '/v1/personnel/{user_id}/rejoin',
    body: ChangeStatus,
    problems: [
      'not_found',
      'invalid_transition',
      'email_taken',
      'external_id_taken',
      'person_erased',
      'quota_exceeded',
    ],
    events: ['person.rejoined'],
  }),

  erase: operation({
    ...change,
    summary: 'Erase what is known of a person who left.',
    description:
      'Name, email, telephone and everything else that was said of the person is cleared wherever ' +
      'it is stored: in the row, its history, and answers kept for repetition. The id, the status ' +
      'and the dates stay. This cannot be undone.',
    path: '/v1/personnel/{user_id}/erase',
    body: ErasePerson,
    problems: ['not_found', 'invalid_transition'],
    events: ['person.erased'],
  }),

  assignments: listOperation({
    summary: 'List what is in the hands of a person.',
    description:
      'Projects that are planned, active or on hold, then live risks by rank, open issues by ' +
      'severity, and open tasks as they are due.',
    path: '/v1/personnel/{user_id}/assignments',
    scope: 'projects.read',
    params,
    collection: 'tasks',
    also: ['projects', 'risks', 'issues'],
    item: Assignment,
    title: 'AssignmentList',
    filters: {},
    problems: ['not_found'],
  }),

  reassign: operation({
    ...change,
    scope: 'projects.manage',
    summary: 'Hand over what is in the hands of a person.',
    description:
      `All of it, or what belongs to one project, in one step; at most ${limits.itemsMax} things ` +
      'at once. The person may have left long ago.',
    path: '/v1/personnel/{user_id}/reassign',
    body: ReassignWork,
    response: Handover,
    cache: 'none',
    problems: ['not_found', 'unknown_reference', 'not_assignable', 'too_many_items'],
    events: ['project.updated', 'risk.updated', 'issue.updated', 'task.updated'],
  }),

  history: historyOperation({
    of: 'a person',
    path: '/v1/personnel/{user_id}/history',
    collection: 'personnel',
    scope: 'personnel.read',
    params,
  }),
}

import { Type } from 'typebox'

import { batchSchemas, rowOutcomes } from '#contract/batch-operation'
import { id } from '#contract/field-schemas'
import { historyOperation } from '#contract/history'
import { limits } from '#contract/limits'
import { listOperation } from '#contract/list-operation'
import { depart } from '#contract/nouns/departures/operations'
import { operation } from '#contract/operation'
import { growthProblems } from '#contract/problems/operation-problems'

import {
  Assignment,
  ChangeStatus,
  erasedExample,
  EndSignIn,
  ErasePerson,
  Handover,
  ReassignWork,
} from './changes.ts'
import { filters } from './filters.ts'
import { me } from './me.ts'
import { NewPerson, Person, PersonPatch, PersonRow } from './person.ts'
import { syncParameters, syncResult } from './sync.ts'

const params = Type.Object({ user_id: id('usr', 'The user id of the person.') })

/** The common part of all operations that change a person. */
const change = {
  method: 'POST',
  scope: 'personnel.manage',
  params,
  status: 200,
  response: Person,
  cache: 'version',
} as const

export const personnel = {
  list: listOperation({
    summary: 'List everyone on the roster.',
    description:
      'Returns active and suspended people in the order in which they were added. ' +
      '`status=departed` lists departed people.',
    path: '/v1/personnel',
    scope: 'personnel.read',
    collection: 'personnel',
    item: Person,
    title: 'PersonList',
    filters,
    exportedAs: 'personnel.exported',
  }),

  create: operation({
    summary: 'Add a person to the roster.',
    description:
      'The person is active, and work can be assigned to their user id. Send an Idempotency-Key ' +
      'to make the request safe to repeat after a lost response.',
    method: 'POST',
    path: '/v1/personnel',
    scope: 'personnel.manage',
    body: NewPerson,
    status: 201,
    response: Person,
    cache: 'version',
    example: { group_ids: [], status_changed_at: '2026-02-12T09:30:00.000Z' },
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
    summary: 'Add and update people in a batch.',
    description:
      `Saves at most ${limits.itemsMax} rows, all or none, as JSON or as CSV with the header row ` +
      'of the export: export the roster, edit the file and send it back. Unchanged rows have no ' +
      'effect. A row cannot take an email that another row of the same batch releases. With ' +
      '`match`, `rejoin` and `missing`, one request brings the roster to the state of another ' +
      'system. `dry_run` validates without saving.',
    method: 'POST',
    path: '/v1/personnel/batch',
    scope: 'personnel.manage',
    rows: PersonRow,
    ...batchSchemas(PersonRow, Person, {
      name: 'Person',
      matches: ['external_id', 'email'],
      outcomes: [...rowOutcomes, 'rejoined'],
      parameters: syncParameters,
      also: syncResult,
    }),
    status: 200,
    cache: 'none',
    example: { status_changed_at: '2026-02-12T09:30:00.000Z' },
    problems: [...growthProblems, 'quota_exceeded', 'too_many_missing'],
    events: [
      'person.created',
      'person.updated',
      'person.rejoined',
      'person.departed',
      'group.member_removed',
      'key.revoked',
    ],
  }),

  view: operation({
    summary: 'View a person.',
    description: 'Returns a person with any status, including departed people.',
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
    summary: 'Update a person.',
    description:
      'Omitted fields are unchanged; null clears a field. Other operations change the status and ' +
      'the groups. A manager must not report to this person, directly or through others. A change ' +
      'of the email or external id ends no sign-in; see `end_sign_in`. In a session, it needs a ' +
      'recent sign-in if the person has a role.',
    method: 'PATCH',
    path: '/v1/personnel/{user_id}',
    isMergePatch: true,
    query: EndSignIn,
    body: PersonPatch,
    problems: [
      'beyond_your_rights',
      'reauthentication_required',
      'not_found',
      'read_only_field',
      'email_taken',
      'external_id_taken',
      'manager_cycle',
      'unknown_reference',
      'not_on_roster',
      'person_erased',
    ],
    events: ['key.revoked', 'person.updated'],
  }),

  suspend: operation({
    ...change,
    summary: 'Suspend a person.',
    description:
      'The person stays on the roster, keeps their assigned work and cannot be assigned new work ' +
      'until they are resumed. Their sessions end. Suspending a person with `keys.manage` or ' +
      '`workspace.manage` needs `workspace.manage`.',
    path: '/v1/personnel/{user_id}/suspend',
    body: ChangeStatus,
    example: { status: 'suspended', status_reason: 'Agreed with HR.', assignable: false },
    problems: ['beyond_your_rights', 'last_admin', 'not_found', 'invalid_transition'],
    events: ['person.suspended'],
  }),

  resume: operation({
    ...change,
    summary: 'End the suspension of a person.',
    description:
      'The person is active and can be assigned work again. If the person has a role, this needs ' +
      'every right of the role and, in a session, a recent sign-in.',
    path: '/v1/personnel/{user_id}/resume',
    body: ChangeStatus,
    example: { status_reason: 'Agreed with HR.' },
    problems: [...growthProblems, 'not_found', 'invalid_transition'],
    events: ['person.resumed'],
  }),

  depart,

  rejoin: operation({
    ...change,
    summary: 'Reinstate a departed person.',
    description:
      'The person is active again with the same user id. Group memberships and work are not ' +
      'restored. A last day that has passed is cleared.',
    path: '/v1/personnel/{user_id}/rejoin',
    body: ChangeStatus,
    example: { status_reason: 'Agreed with HR.', group_ids: [], end_on: null },
    problems: [
      ...growthProblems,
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
    summary: 'Erase the personal data of a departed person.',
    description:
      'Clears the name, email, telephone and all other personal data in the person, in the ' +
      'history and in stored idempotent responses. The id, the status and the dates are kept. ' +
      'Erasure is permanent.',
    path: '/v1/personnel/{user_id}/erase',
    body: ErasePerson,
    example: erasedExample,
    problems: ['not_found', 'invalid_transition'],
    events: ['person.erased'],
  }),

  assignments: listOperation({
    summary: 'List the assigned work of a person.',
    description:
      'Returns planned, active and on-hold projects, then live risks by rank, open issues by ' +
      'severity and open tasks by due date.',
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

  ...me,

  reassign: operation({
    ...change,
    scope: 'projects.manage',
    summary: 'Reassign the work of a person.',
    description:
      'With `to_user_id`: all work, or the work in one project, to one person. With `items`: the ' +
      `listed work, to one or several people. All in one transaction, at most ${limits.itemsMax} ` +
      'items. If one of the `items` is not assigned to the person now, the request changes ' +
      'nothing. The person may have departed.',
    path: '/v1/personnel/{user_id}/reassign',
    body: ReassignWork,
    bodyBytesMax: limits.idListBytesMax,
    response: Handover,
    cache: 'none',
    problems: ['not_found', 'unknown_reference', 'not_assignable', 'too_many_items'],
    events: ['project.updated', 'risk.updated', 'issue.updated', 'task.updated'],
  }),

  history: historyOperation({
    resource: 'a person',
    entry: {
      type: 'person.updated',
      note: null,
      changes: [{ field: 'title', from: 'Site engineer', to: 'Resident engineer' }],
    },
    path: '/v1/personnel/{user_id}/history',
    collection: 'personnel',
    scope: 'personnel.read',
    params,
  }),
}

import { Type } from 'typebox'

import { id } from '#contract/field-schemas'
import { limits } from '#contract/limits'
import { departedExample } from '#contract/nouns/personnel/changes'
import { operation } from '#contract/operation'

import { DepartPerson, Departure, PlannedDepartureList, PlannedHandover } from './departure.ts'

const params = Type.Object({ user_id: id('usr', 'The user id of the person.') })

/** `personnel.depart` */
export const depart = operation({
  method: 'POST',
  scope: 'personnel.manage',
  params,
  status: 200,
  summary: 'Offboard a person.',
  description:
    'Removes the person from the roster and from every group, and sets `end_on`, in one ' +
    'transaction. The user id stays valid, and assigned work stays assigned until it is ' +
    'reassigned. `handover` reassigns it in the same transaction, which needs ' +
    '`projects.manage`. The response counts the work that remains, as far as you may see it. The email and external id ' +
    'become available to other people. Offboarding a person with `keys.manage` or ' +
    '`workspace.manage` needs `workspace.manage`. With a later `departs_on`, the departure is ' +
    'planned, and nothing else changes: see `GET /v1/personnel/{user_id}/departure`. When that ' +
    'day ends, the service carries it out if you still have the rights. Items of `handover` ' +
    'that are no longer assigned to the person are then left out. Planning again replaces the ' +
    'plan, and departing at once ends it. You cannot plan your own departure.',
  path: '/v1/personnel/{user_id}/depart',
  body: DepartPerson,
  bodyBytesMax: limits.idListBytesMax,
  response: Departure,
  cache: 'none',
  example: { person: departedExample },
  problems: [
    'beyond_your_rights',
    'last_admin',
    'not_found',
    'invalid_transition',
    'has_open_assignments',
    'unknown_reference',
    'not_assignable',
    'too_many_items',
    'quota_exceeded',
  ],
  events: [
    'key.revoked',
    'person.departed',
    'group.member_removed',
    'project.updated',
    'risk.updated',
    'issue.updated',
    'task.updated',
  ],
})

/** The common part of the operations on the planned departure of one person. */
const ofPerson = {
  path: '/v1/personnel/{user_id}/departure',
  scope: 'personnel.manage',
  params,
  status: 200,
  response: PlannedHandover,
  cache: 'none',
} as const

/**
 * Planned departures are confidential. They are no part of the person, and they are unnumbered: no
 * list, ETag, history or event shows them to a reader.
 */
export const departures = {
  list: operation({
    summary: 'List planned departures.',
    description:
      'Returns the departures that are planned for a later day, and those that were refused on ' +
      'their day. Your own departure is not listed.',
    method: 'GET',
    path: '/v1/departures',
    scope: 'personnel.manage',
    status: 200,
    response: PlannedDepartureList,
    cache: 'none',
    problems: [],
  }),

  view: operation({
    ...ofPerson,
    summary: 'View the planned departure of a person.',
    description:
      'Plan or change it with `POST /v1/personnel/{user_id}/depart` and `departs_on`. You cannot ' +
      'view your own.',
    method: 'GET',
    problems: ['not_found'],
  }),

  cancel: operation({
    ...ofPerson,
    summary: 'Cancel the planned departure of a person.',
    description:
      'Needs the rights that offboarding the person needs. Returns the departure that was ' +
      'cancelled. You cannot cancel your own.',
    method: 'DELETE',
    problems: ['beyond_your_rights', 'not_found'],
  }),
}

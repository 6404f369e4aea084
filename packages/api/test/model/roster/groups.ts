import { isDeepStrictEqual } from 'node:util'

import type { Group } from '@muster/contract'

import { patchedMap } from '#test/model/projects/model'

import { memberErrors, withMembers, refuseArchived, refuseFieldErrors } from './members.ts'
import {
  attempt,
  differences,
  notFound,
  noEffect,
  readPatch,
  refuseFull,
  refuseStale,
  type RosterState,
  type Rule,
  changeEffect,
  unless,
} from './model.ts'

/** The name of an active group is unique, ignoring case. */
function refuseTaken({ activeGroups }: RosterState, { id, name }: Pick<Group, 'id' | 'name'>) {
  const hasSameName = (group: Group) => group.name.toLowerCase() === name.toLowerCase()
  const existing = activeGroups.find((group) => hasSameName(group) && group.id !== id)
  return unless(existing === undefined, { code: 'name_taken', conflicting_id: existing?.id })
}

/** Every lead must be a member. */
const leadErrors = (leads: readonly string[], members: readonly string[]) =>
  leads.flatMap((lead, index) =>
    members.includes(lead) ? [] : [`/lead_user_ids/${index} not_a_member`],
  )

const responseOf = (id: string) => (then: RosterState) => then.group.get(id)

export const createGroup: Rule = (state, { body }, observed) => {
  const { member_user_ids = [], lead_user_ids = [], ...fields } = body
  const id: string = observed.body?.id ?? ''
  // The cast holds because the body has a name, and every other field has a value here.
  const after = {
    description: null,
    external_id: null,
    metadata: {},
    ...fields,
    id,
    status: 'active',
    lead_user_ids: lead_user_ids.toSorted(),
    members_changed_at: state.now,
    created_at: state.now,
  } as unknown as Group
  const people = state.people.filter((person) => member_user_ids.includes(person.id))
  const refusals = [
    refuseFieldErrors(leadErrors(lead_user_ids, member_user_ids)),
    refuseFull(state, 'groups'),
    refuseFieldErrors(memberErrors(state, member_user_ids, '/member_user_ids')),
    refuseTaken(state, after),
  ]
  return attempt([refusals], () => {
    const { items, events } = withMembers(after, people)
    const made = { type: 'group.created', subject: id, changed: Object.keys(body) }
    return {
      items: [...items, { noun: 'group', after }],
      events: [made, ...events],
      responseBody: responseOf(id),
    }
  })
}

const writable = ['name', 'description', 'external_id', 'lead_user_ids', 'metadata']

export const updateGroup: Rule = (state, { at, body, ifMatch }) => {
  const before = state.group.get(at['group_id'] ?? '')
  if (before === undefined) return notFound
  const { fields, refusals } = readPatch(before, body, writable)
  const after = {
    ...before,
    ...fields,
    lead_user_ids: (fields.lead_user_ids ?? before.lead_user_ids).toSorted(),
    metadata: patchedMap(before.metadata, body['metadata']),
  }
  const members = state.members(before.id).map(({ id }) => id)
  const hasNewLeads = !isDeepStrictEqual(before.lead_user_ids, after.lead_user_ids)
  return attempt(
    [
      [refuseStale(ifMatch, before)],
      [
        ...refusals,
        refuseStale(body['version'], before),
        refuseArchived(before),
        hasNewLeads ? refuseFieldErrors(leadErrors(body['lead_user_ids'], members)) : null,
        before.status === 'active' ? refuseTaken(state, after) : null,
      ],
    ],
    () => ({
      ...changeEffect({ noun: 'group', after }, before, 'group.updated'),
      responseBody: responseOf(before.id),
    }),
  )
}

/** Archives or restores a group. In the same status nothing changes. */
const setStatus =
  (status: Group['status'], type: string): Rule =>
  (state, { at, ifMatch }) => {
    const before = state.group.get(at['group_id'] ?? '')
    if (before === undefined) return notFound
    const after = { ...before, status }
    const isRestored = status === 'active' && differences(before, after).length > 0
    const restoreRefusals = isRestored
      ? [refuseFull(state, 'groups'), refuseTaken(state, before)]
      : []
    return attempt([[refuseStale(ifMatch, before)], restoreRefusals], () => ({
      ...(before.status === status
        ? noEffect
        : changeEffect({ noun: 'group', after }, before, type)),
      responseBody: responseOf(before.id),
    }))
  }

export const archiveGroup = setStatus('archived', 'group.archived')
export const restoreGroup = setStatus('active', 'group.restored')

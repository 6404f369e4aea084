import { isDeepStrictEqual } from 'node:util'

import type { Group } from '@muster/contract'

import { patchedMap } from './model.ts'
import { flawsOfMembers, joined, refuseArchived, refuseFlaws } from './roster-model-members.ts'
import {
  attempt,
  differences,
  missing,
  nothing,
  readPatch,
  refuseFull,
  refuseStale,
  type Roster,
  type Rule,
  saved,
  unless,
} from './roster-model.ts'

/** The name of an active group belongs to it alone, whatever its letter case. */
function refuseTaken({ activeGroups }: Roster, { id, name }: Pick<Group, 'id' | 'name'>) {
  const isTwin = (group: Group) => group.name.toLowerCase() === name.toLowerCase()
  const holder = activeGroups.find((group) => isTwin(group) && group.id !== id)
  return unless(holder === undefined, { code: 'name_taken', conflicting_id: holder?.id })
}

/** Whoever leads a group is in it. */
const flawsOfLeads = (leads: readonly string[], members: readonly string[]) =>
  leads.flatMap((lead, index) =>
    members.includes(lead) ? [] : [`/lead_user_ids/${index} not_a_member`],
  )

const answerOf = (id: string) => (then: Roster) => then.group.get(id)

export const createGroup: Rule = (world, { body }, heard) => {
  const { member_user_ids = [], lead_user_ids = [], ...said } = body
  const id: string = heard.body?.id ?? ''
  // The cast holds because the body has a name, and all else has a value here.
  const after = {
    description: null,
    external_id: null,
    metadata: {},
    ...said,
    id,
    status: 'active',
    lead_user_ids: lead_user_ids.toSorted(),
    members_changed_at: world.now,
    created_at: world.now,
  } as unknown as Group
  const people = world.people.filter((person) => member_user_ids.includes(person.id))
  const refusals = [
    refuseFlaws(flawsOfLeads(lead_user_ids, member_user_ids)),
    refuseFull(world, 'groups'),
    refuseFlaws(flawsOfMembers(world, member_user_ids, '/member_user_ids')),
    refuseTaken(world, after),
  ]
  return attempt([refusals], () => {
    const { things, events } = joined(after, people)
    const made = { type: 'group.created', subject: id, changed: Object.keys(body) }
    return {
      things: [...things, { noun: 'group', after }],
      events: [made, ...events],
      answer: answerOf(id),
    }
  })
}

const writable = ['name', 'description', 'external_id', 'lead_user_ids', 'metadata']

export const updateGroup: Rule = (world, { at, body, onlyIf }) => {
  const before = world.group.get(at['group_id'] ?? '')
  if (before === undefined) return missing
  const { fields, refusals } = readPatch(before, body, writable)
  const after = {
    ...before,
    ...fields,
    lead_user_ids: (fields.lead_user_ids ?? before.lead_user_ids).toSorted(),
    metadata: patchedMap(before.metadata, body['metadata']),
  }
  const members = world.members(before.id).map(({ id }) => id)
  const isLedAnew = !isDeepStrictEqual(before.lead_user_ids, after.lead_user_ids)
  return attempt(
    [
      [refuseStale(onlyIf, before)],
      [
        ...refusals,
        refuseStale(body['version'], before),
        refuseArchived(before),
        isLedAnew ? refuseFlaws(flawsOfLeads(body['lead_user_ids'], members)) : null,
        before.status === 'active' ? refuseTaken(world, after) : null,
      ],
    ],
    () => ({
      ...saved({ noun: 'group', after }, before, 'group.updated'),
      answer: answerOf(before.id),
    }),
  )
}

/** One that is archived stays so, and one that is not archived when it is restored. */
const moveTo =
  (status: Group['status'], type: string): Rule =>
  (world, { at, onlyIf }) => {
    const before = world.group.get(at['group_id'] ?? '')
    if (before === undefined) return missing
    const after = { ...before, status }
    const isRestored = status === 'active' && differences(before, after).length > 0
    const inTheWay = isRestored ? [refuseFull(world, 'groups'), refuseTaken(world, before)] : []
    return attempt([[refuseStale(onlyIf, before)], inTheWay], () => ({
      ...(before.status === status ? nothing : saved({ noun: 'group', after }, before, type)),
      answer: answerOf(before.id),
    }))
  }

export const archiveGroup = moveTo('archived', 'group.archived')
export const restoreGroup = moveTo('active', 'group.restored')

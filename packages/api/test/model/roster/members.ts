import type { Group, Person } from '@muster/contract'

import {
  attempt,
  type Effect,
  notFound,
  noEffect,
  type Refusal,
  refused,
  refuseStale,
  type RosterState,
  type Rule,
  type ModelEvent,
  unless,
} from './model.ts'

/** The field errors of people who cannot be members. */
export function memberErrors({ person }: RosterState, ids: readonly string[], place: string) {
  return ids.flatMap((id, index) => {
    const status = person.get(id)?.status
    if (status === undefined) return [`${place}/${index} unknown_reference`]
    return status === 'departed' ? [`${place}/${index} not_on_roster`] : []
  })
}

export const refuseFieldErrors = (fieldErrors: readonly string[]) =>
  unless(fieldErrors.length === 0, {
    code: 'validation_failed',
    fieldErrors: fieldErrors.map((fieldError) => [fieldError]),
  })

const eventOf = (type: string, { id }: Group, user: string): ModelEvent => ({
  type,
  subject: id,
  changed: ['member_count'],
  user,
})

/** The group without these members. The caller writes people who depart. */
export function withoutMembers(
  { now }: RosterState,
  group: Group,
  leaving: readonly string[],
): Effect {
  const lead_user_ids = group.lead_user_ids.filter((id) => !leaving.includes(id))
  return {
    items: [{ noun: 'group', after: { ...group, lead_user_ids, members_changed_at: now } }],
    events: leaving.map((id) => eventOf('group.member_removed', group, id)),
  }
}

/** Adds these people to a new or existing group. */
export const withMembers = (group: Group, joining: readonly Person[]): Effect => ({
  items: joining.map((person) => ({
    noun: 'person',
    after: { ...person, group_ids: [...person.group_ids, group.id].toSorted() },
  })),
  events: joining.map(({ id }) => eventOf('group.member_added', group, id)),
})

interface Move {
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

/** Changes the group and every person who joins or leaves. */
function membershipEffect(state: RosterState, group: Group, { add, remove }: Move): Effect {
  const people = (ids: readonly string[]) => ids.flatMap((id) => state.person.get(id) ?? [])
  const isMember = ({ group_ids }: Person) => group_ids.includes(group.id)
  const joining = people(add).filter((person) => !isMember(person))
  const leaving = people(remove).filter(isMember)
  if (joining.length + leaving.length === 0) return noEffect
  const joinEffect = withMembers(group, joining)
  const leaveEffect = withoutMembers(
    state,
    group,
    leaving.map(({ id }) => id),
  )
  const leavers = leaving.map((person) => ({
    noun: 'person' as const,
    after: { ...person, group_ids: person.group_ids.filter((id) => id !== group.id) },
  }))
  return {
    items: [...joinEffect.items, ...leavers, ...leaveEffect.items],
    events: [...joinEffect.events, ...leaveEffect.events],
  }
}

const responseOf = (id: string) => (then: RosterState) => then.group.get(id)

export const refuseArchived = ({ status }: Group) =>
  unless(status === 'active', { code: 'group_archived' })

export const changeMembers: Rule = (state, { at, body, ifMatch }) => {
  const group = state.group.get(at['group_id'] ?? '')
  if (group === undefined) return notFound
  const { add = [], remove = [] }: Partial<Move> = body
  const fieldErrors = [
    ...memberErrors(state, add, '/add'),
    ...memberErrors(state, remove, '/remove').filter(
      (fieldError) => !fieldError.endsWith('not_on_roster'),
    ),
    ...remove.flatMap((id, index) => (add.includes(id) ? [`/remove/${index} contradiction`] : [])),
  ]
  return attempt(
    [[refuseStale(ifMatch, group)], [refuseArchived(group), refuseFieldErrors(fieldErrors)]],
    () => ({
      ...membershipEffect(state, group, { add, remove }),
      responseBody: responseOf(group.id),
    }),
  )
}

const changeMember =
  (move: (userId: string) => Move): Rule =>
  (state, { at, ifMatch }) => {
    const group = state.group.get(at['group_id'] ?? '')
    const person = state.person.get(at['user_id'] ?? '')
    if (group === undefined) return notFound
    const stale = refuseStale(ifMatch, group)
    if (person === undefined) {
      return refused({ code: 'not_found' }, ...(stale ? [stale] : []))
    }
    const { add, remove } = move(person.id)
    const isHere = add.length === 0 || person.status !== 'departed'
    const departed: Refusal = { code: 'not_on_roster' }
    return attempt([[stale], [refuseArchived(group), unless(isHere, departed)]], () => ({
      ...membershipEffect(state, group, { add, remove }),
      responseBody: responseOf(group.id),
    }))
  }

export const addMember = changeMember((id) => ({ add: [id], remove: [] }))
export const removeMember = changeMember((id) => ({ add: [], remove: [id] }))

import type { Group, Person } from '@muster/contract'

import {
  attempt,
  type Effect,
  missing,
  nothing,
  type Refusal,
  refused,
  refuseStale,
  type Roster,
  type Rule,
  type Telling,
  unless,
} from './roster-model.ts'

/** What keeps each of these people from being in a group. */
export function flawsOfMembers({ person }: Roster, ids: readonly string[], place: string) {
  return ids.flatMap((id, index) => {
    const status = person.get(id)?.status
    if (status === undefined) return [`${place}/${index} unknown_reference`]
    return status === 'departed' ? [`${place}/${index} not_on_roster`] : []
  })
}

export const refuseFlaws = (flaws: readonly string[]) =>
  unless(flaws.length === 0, { code: 'validation_failed', flaws: flaws.map((flaw) => [flaw]) })

const told = (type: string, { id }: Group, user: string): Telling => ({
  type,
  subject: id,
  changed: ['member_count'],
  user,
})

/** The group as these leave it; those who depart are written by whoever lets them. */
export function left({ now }: Roster, group: Group, leaving: readonly string[]): Effect {
  const lead_user_ids = group.lead_user_ids.filter((id) => !leaving.includes(id))
  return {
    things: [{ noun: 'group', after: { ...group, lead_user_ids, members_changed_at: now } }],
    events: leaving.map((id) => told('group.member_removed', group, id)),
  }
}

/** These as members of a new group, or of one that is there already. */
export const joined = (group: Group, joining: readonly Person[]): Effect => ({
  things: joining.map((person) => ({
    noun: 'person',
    after: { ...person, group_ids: [...person.group_ids, group.id].toSorted() },
  })),
  events: joining.map(({ id }) => told('group.member_added', group, id)),
})

interface Move {
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

/** Both sides change: the group, and everyone who joins or leaves it. */
function moved(world: Roster, group: Group, { add, remove }: Move): Effect {
  const people = (ids: readonly string[]) => ids.flatMap((id) => world.person.get(id) ?? [])
  const isMember = ({ group_ids }: Person) => group_ids.includes(group.id)
  const joining = people(add).filter((person) => !isMember(person))
  const leaving = people(remove).filter(isMember)
  if (joining.length + leaving.length === 0) return nothing
  const come = joined(group, joining)
  const gone = left(
    world,
    group,
    leaving.map(({ id }) => id),
  )
  const leavers = leaving.map((person) => ({
    noun: 'person' as const,
    after: { ...person, group_ids: person.group_ids.filter((id) => id !== group.id) },
  }))
  return {
    things: [...come.things, ...leavers, ...gone.things],
    events: [...come.events, ...gone.events],
  }
}

const answerOf = (id: string) => (then: Roster) => then.group.get(id)

export const refuseArchived = ({ status }: Group) =>
  unless(status === 'active', { code: 'group_archived' })

export const changeMembers: Rule = (world, { at, body, onlyIf }) => {
  const group = world.group.get(at['group_id'] ?? '')
  if (group === undefined) return missing
  const { add = [], remove = [] }: Partial<Move> = body
  const flaws = [
    ...flawsOfMembers(world, add, '/add'),
    ...flawsOfMembers(world, remove, '/remove').filter((flaw) => !flaw.endsWith('not_on_roster')),
    ...remove.flatMap((id, index) => (add.includes(id) ? [`/remove/${index} contradiction`] : [])),
  ]
  return attempt(
    [[refuseStale(onlyIf, group)], [refuseArchived(group), refuseFlaws(flaws)]],
    () => ({
      ...moved(world, group, { add, remove }),
      answer: answerOf(group.id),
    }),
  )
}

const changeMember =
  (move: (userId: string) => Move): Rule =>
  (world, { at, onlyIf }) => {
    const group = world.group.get(at['group_id'] ?? '')
    const person = world.person.get(at['user_id'] ?? '')
    if (group === undefined) return missing
    const stale = refuseStale(onlyIf, group)
    if (person === undefined) {
      return refused({ code: 'not_found' }, ...(stale ? [stale] : []))
    }
    const { add, remove } = move(person.id)
    const isHere = add.length === 0 || person.status !== 'departed'
    const gone: Refusal = { code: 'not_on_roster' }
    return attempt([[stale], [refuseArchived(group), unless(isHere, gone)]], () => ({
      ...moved(world, group, { add, remove }),
      answer: answerOf(group.id),
    }))
  }

export const addMember = changeMember((id) => ({ add: [id], remove: [] }))
export const removeMember = changeMember((id) => ({ add: [], remove: [id] }))

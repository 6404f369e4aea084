import { type Group, limits } from '@muster/contract'

import { type HeldPeople, lockAll } from '#domain/assignable'
import type { Caller } from '#domain/caller'
import { Failure, type Flaw, invalid } from '#domain/failure'
import { lockGroup, refuseArchived } from '#domain/group'
import { thePerson } from '#domain/person'
import type { Write } from '#storage/database'
import { lockGroups, type StoredGroup, storeGroup } from '#storage/groups'
import { type StoredPerson, storePerson } from '#storage/personnel'

export interface MemberChange {
  readonly add?: readonly string[]
  readonly remove?: readonly string[]
}

/** Many join and leave a group, all or none. */
export function changeMembers(
  caller: Caller<'personnel.manage'>,
  groupId: string,
  { add = [], remove = [] }: MemberChange,
): Promise<Group> {
  refuseTooMany(add.length + remove.length)
  return caller.database.write(caller, async (write) => {
    const people = await lockAll(write, [...add, ...remove])
    const group = await lockGroup(write, caller, groupId)
    refuseArchived(group)
    const flaws = [
      ...flawsOfMembers(people, add, '/add'),
      ...flawsOfMembers(people, remove, '/remove').filter(({ code }) => code !== 'not_on_roster'),
      ...remove.flatMap((id, index) => (add.includes(id) ? [undecided(index)] : [])),
    ]
    if (flaws.length > 0) throw invalid(...flaws.slice(0, limits.errorsMax))
    const named = (ids: readonly string[]) => ids.flatMap((id) => people.get(id) ?? [])
    return joinOrLeave(write, group, { joining: named(add), leaving: named(remove) })
  })
}

function refuseTooMany(count: number): void {
  if (count <= limits.itemsMax) return
  const detail = `There are ${count} people; at most ${limits.itemsMax} join or leave at once.`
  throw new Failure('too_many_items', detail, { count, limit: limits.itemsMax })
}

const undecided = (index: number): Flaw => ({
  pointer: `/remove/${index}`,
  code: 'contradiction',
  detail: 'must not also be in add',
})

/** What keeps each of these people from being in a group. */
export function flawsOfMembers(
  people: HeldPeople,
  userIds: readonly string[],
  pointer: string,
): Flaw[] {
  return userIds.flatMap((userId, index) => {
    const person = people.get(userId)
    const place = { pointer: `${pointer}/${index}` }
    if (person === undefined) {
      return [{ ...place, code: 'unknown_reference', detail: 'is not the id of a person' }]
    }
    if (person.status !== 'departed') return []
    return [{ ...place, code: 'not_on_roster', detail: 'is the id of a person who has departed' }]
  })
}

export interface Membership {
  readonly groupId: string
  readonly userId: string
}

/** A member stays one. */
export function addMember(caller: Caller<'personnel.manage'>, at: Membership): Promise<Group> {
  return changeMember(caller, at, (person) => {
    if (person.status === 'departed') {
      throw new Failure('not_on_roster', `${person.id} has departed.`)
    }
    return { joining: [person], leaving: [] }
  })
}

/** Whoever is no member stays so. */
export function removeMember(caller: Caller<'personnel.manage'>, at: Membership): Promise<Group> {
  return changeMember(caller, at, (person) => ({ joining: [], leaving: [person] }))
}

function changeMember(
  caller: Caller<'personnel.manage'>,
  { groupId, userId }: Membership,
  move: (person: StoredPerson) => Move,
): Promise<Group> {
  return caller.database.write(caller, async (write) => {
    const people = await lockAll(write, [userId])
    const group = await lockGroup(write, caller, groupId)
    const person = thePerson(people.get(userId), userId)
    refuseArchived(group)
    return joinOrLeave(write, group, move(person))
  })
}

interface Move {
  readonly joining: readonly StoredPerson[]
  readonly leaving: readonly StoredPerson[]
}

/** Both sides change: the group, and everyone who joins or leaves it. */
function joinOrLeave(write: Write, group: StoredGroup, move: Move): StoredGroup {
  const joining = move.joining.filter((person) => !person.group_ids.includes(group.id))
  const leaving = move.leaving.filter((person) => person.group_ids.includes(group.id))
  if (joining.length + leaving.length === 0) return group
  for (const person of joining) join(write, group.id, person)
  for (const person of leaving) leave(write, group.id, person)
  return storeMoved(write, group, { joined: joining.length, left: leaving.map(({ id }) => id) })
}

export function join(write: Write, groupId: string, person: StoredPerson): void {
  const group_ids = [...person.group_ids, groupId].toSorted()
  storePerson(write, person, { ...person, group_ids, version: 0, updated_at: write.now })
  tellMove(write, 'group.member_added', { groupId, userId: person.id })
}

function leave(write: Write, groupId: string, person: StoredPerson): void {
  const group_ids = person.group_ids.filter((id) => id !== groupId)
  storePerson(write, person, { ...person, group_ids, version: 0, updated_at: write.now })
  tellMove(write, 'group.member_removed', { groupId, userId: person.id })
}

const tellMove = (write: Write, type: string, { groupId, userId }: Membership) =>
  write.record({ type, subject: groupId, changed: ['member_count'], data: { user_id: userId } })

/** The group with its numbers as they are after the move. */
function storeMoved(
  write: Write,
  group: StoredGroup,
  { joined, left }: { readonly joined: number; readonly left: readonly string[] },
): StoredGroup {
  const after = {
    ...group,
    member_count: group.member_count + joined - left.length,
    lead_user_ids: group.lead_user_ids.filter((id) => !left.includes(id)),
    members_changed_at: write.now,
    version: 0,
    updated_at: write.now,
  }
  storeGroup(write, group, after)
  return after
}

/** Whoever departs leaves every group, archived ones too. The person is written by the caller. */
export async function leaveAllGroups(write: Write, { id, group_ids }: StoredPerson): Promise<void> {
  if (group_ids.length === 0) return
  for (const group of await lockGroups(write, group_ids)) {
    tellMove(write, 'group.member_removed', { groupId: group.id, userId: id })
    storeMoved(write, group, { joined: 0, left: [id] })
  }
}

import { type EventType, type Group, limits } from '@muster/contract'

import { changeMemberRights, refuseLastAdmin } from '#domain/auth/grants'
import type { Caller } from '#domain/engine/caller'
import { Failure, type InvalidField, invalid } from '#domain/engine/failure'
import { type LockedPeople, lockPeopleById } from '#domain/roster/assignable'
import { requirePerson } from '#domain/roster/person'
import { lockGroups, type StoredGroup, upsertGroup } from '#storage/nouns/groups'
import { type StoredPerson, upsertPerson } from '#storage/nouns/personnel'
import type { Write } from '#storage/statements/access'

import { lockGroup, refuseArchived } from './group.ts'

export interface MemberChange {
  readonly add?: readonly string[]
  readonly remove?: readonly string[]
}

/** Adds and removes members of a group: all or none. */
export function changeMembers(
  caller: Caller<'personnel.manage'>,
  groupId: string,
  { add = [], remove = [] }: MemberChange,
): Promise<Group> {
  refuseTooMany(add.length + remove.length)
  return caller.database.write(caller, async (write) => {
    const people = await lockPeopleById(write, [...add, ...remove])
    const group = await lockGroup(write, caller, groupId)
    refuseArchived(group)
    const fieldErrors = [
      ...memberErrors(people, add, '/add'),
      ...memberErrors(people, remove, '/remove').filter(({ code }) => code !== 'not_on_roster'),
      ...remove.flatMap((id, index) => (add.includes(id) ? [contradiction(index)] : [])),
    ]
    if (fieldErrors.length > 0) throw invalid(...fieldErrors)
    const peopleOf = (ids: readonly string[]) => ids.flatMap((id) => people.get(id) ?? [])
    const move = { joining: peopleOf(add), leaving: peopleOf(remove) }
    return applyMemberMove(write, caller, { group, ...move })
  })
}

function refuseTooMany(count: number): void {
  if (count <= limits.itemsMax) return
  const detail = `The request has ${count} people. At most ${limits.itemsMax} are allowed.`
  throw new Failure('too_many_items', detail, { count, limit: limits.itemsMax })
}

const contradiction = (index: number): InvalidField => ({
  pointer: `/remove/${index}`,
  code: 'contradiction',
  detail: 'must not also be in add',
})

/** Returns an error for each user id that cannot be a member. */
export function memberErrors(
  people: LockedPeople,
  userIds: readonly string[],
  pointer: string,
): InvalidField[] {
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

/** Adding a member again is a no-op. */
export function addMember(caller: Caller<'personnel.manage'>, at: Membership): Promise<Group> {
  return changeMember(caller, at, (person) => {
    if (person.status === 'departed') {
      throw new Failure('not_on_roster', `${person.id} has departed.`)
    }
    return { joining: [person], leaving: [] }
  })
}

/** Removing a person who is not a member is a no-op. */
export function removeMember(caller: Caller<'personnel.manage'>, at: Membership): Promise<Group> {
  return changeMember(caller, at, (person) => ({ joining: [], leaving: [person] }))
}

function changeMember(
  caller: Caller<'personnel.manage'>,
  { groupId, userId }: Membership,
  move: (person: StoredPerson) => MemberMove,
): Promise<Group> {
  return caller.database.write(caller, async (write) => {
    const people = await lockPeopleById(write, [userId])
    const group = await lockGroup(write, caller, groupId)
    const person = requirePerson(people.get(userId), userId)
    refuseArchived(group)
    return applyMemberMove(write, caller, { group, ...move(person) })
  })
}

interface MemberMove {
  readonly joining: readonly StoredPerson[]
  readonly leaving: readonly StoredPerson[]
}

/** Updates both sides: the group, and each person who joins or leaves. */
async function applyMemberMove(
  write: Write,
  caller: Caller<'personnel.manage'>,
  { group, ...move }: MemberMove & { readonly group: StoredGroup },
): Promise<StoredGroup> {
  const joining = move.joining.filter((person) => !person.group_ids.includes(group.id))
  const leaving = move.leaving.filter((person) => person.group_ids.includes(group.id))
  if (joining.length + leaving.length === 0) return group
  const joined = joining.map(({ id }) => id)
  const left = leaving.map(({ id }) => id)
  if (left.length > 0)
    await refuseLastAdmin(write, (each) => each.groupId === group.id && left.includes(each.userId))
  const ids = { groupId: group.id, joining: joined, leaving: left }
  await changeMemberRights(write, caller, ids)
  for (const person of joining) addToGroup(write, group.id, person)
  for (const person of leaving) removeFromGroup(write, group.id, person)
  return updateMemberCount(write, group, { joined: joined.length, left })
}

export function addToGroup(write: Write, groupId: string, person: StoredPerson): void {
  const group_ids = [...person.group_ids, groupId].toSorted()
  upsertPerson(write, person, { ...person, group_ids, version: 0, updated_at: write.now })
  recordMemberEvent(write, 'group.member_added', { groupId, userId: person.id })
}

function removeFromGroup(write: Write, groupId: string, person: StoredPerson): void {
  const group_ids = person.group_ids.filter((id) => id !== groupId)
  upsertPerson(write, person, { ...person, group_ids, version: 0, updated_at: write.now })
  recordMemberEvent(write, 'group.member_removed', { groupId, userId: person.id })
}

const recordMemberEvent = (write: Write, type: EventType, { groupId, userId }: Membership) =>
  write.record({ type, subject: groupId, changed: ['member_count'], data: { user_id: userId } })

/** Updates the member count and removes leads who left. */
function updateMemberCount(
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
  upsertGroup(write, group, after)
  return after
}

/** Removes a departing person from every group, archived ones too. The caller saves the person. */
export async function leaveAllGroups(write: Write, { id, group_ids }: StoredPerson): Promise<void> {
  if (group_ids.length === 0) return
  for (const group of await lockGroups(write, group_ids)) {
    recordMemberEvent(write, 'group.member_removed', { groupId: group.id, userId: id })
    updateMemberCount(write, group, { joined: 0, left: [id] })
  }
}

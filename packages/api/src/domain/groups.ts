import type { Group } from '@muster/contract'

import type { Caller } from '#domain/caller'
import { Failure } from '#domain/failure'
import { listing, type Listing } from '#domain/listing'
import { refuseOverQuota } from '#domain/quota'
import { sortOrder } from '#domain/sort'
import {
  countGroups,
  insertGroup,
  insertMembership,
  selectGroupIdByName,
  selectGroups,
} from '#storage/groups'
import { lockPeople, updatePerson } from '#storage/personnel'

export interface GroupsQuery {
  readonly status?: readonly Group['status'][]
  readonly q?: string
  readonly sort?: string
}

/** The active groups, or those that the query names instead. */
export function listGroups(
  caller: Caller<'personnel.read'>,
  { status, q, sort }: GroupsQuery,
): Listing<Group> {
  const filter = { statuses: status ?? (['active'] as const), q: q ?? null }
  const order = sortOrder(sort)
  return listing(caller, {
    counter: status === undefined && q === undefined ? 'groups' : null,
    select: (snapshot, page) => selectGroups(snapshot, { filter, order, page }),
    count: (snapshot, max) => countGroups(snapshot, filter, max),
  })
}

export interface NewGroup {
  readonly name: string
  readonly description?: string
  readonly member_user_ids: readonly string[]
  readonly lead_user_ids: readonly string[]
}

/** A group with its first members. Joining changes the version of each of them too. */
export function addGroup(caller: Caller<'personnel.manage'>, input: NewGroup): Promise<Group> {
  return caller.database.write(caller, async (write) => {
    refuseOverQuota(write, 'groups')
    const taken = await selectGroupIdByName(write, input.name)
    if (taken !== null) {
      const detail = `The group ${taken} is already named ${input.name}.`
      throw new Failure('name_taken', detail, { conflicting_id: taken })
    }
    const members = await lockPeople(write, input.member_user_ids)
    const group: Group = {
      id: write.newId('grp'),
      name: input.name,
      description: input.description ?? null,
      external_id: null,
      status: 'active',
      member_count: members.length,
      lead_user_ids: input.lead_user_ids.toSorted(),
      metadata: {},
      members_changed_at: write.now,
      version: 0,
      created_at: write.now,
      updated_at: write.now,
    }
    insertGroup(write, group)
    for (const person of members) {
      const group_ids = [...person.group_ids, group.id].toSorted()
      updatePerson(write, { ...person, group_ids, version: 0, updated_at: write.now })
      insertMembership(write, {
        group_id: group.id,
        user_id: person.id,
        is_lead: input.lead_user_ids.includes(person.id),
        joined_at: write.now,
      })
    }
    write.record({ type: 'group.created', subject: group.id })
    return group
  })
}

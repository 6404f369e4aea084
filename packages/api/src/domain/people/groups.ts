import { isDeepStrictEqual } from 'node:util'

import type { Group, GroupPatch, Member, NewGroup } from '@muster/contract'

import { lockAll } from '#domain/assignable'
import type { Caller } from '#domain/caller'
import { mergedMetadata, patched } from '#domain/change'
import { Failure, invalid } from '#domain/failure'
import { findGroup, lockGroup, refuseArchived, saveGroup } from '#domain/group'
import { filtersIn, listing, type Listing } from '#domain/listing'
import { flawsOfMembers, join } from '#domain/members'
import { refuseOverQuota } from '#domain/quota'
import { sortOrder } from '#domain/sort'
import type { Write } from '#storage/database'
import {
  countGroups,
  selectGroupIdByName,
  selectGroups,
  type StoredGroup,
  storeGroup,
} from '#storage/groups'
import { countMembers, selectMemberIds, selectMembers } from '#storage/members'

export interface GroupsQuery {
  readonly status?: readonly Group['status'][]
  readonly q?: string
  readonly sort?: string
}

/** The active groups, or those that the query names instead. */
export function listGroups(caller: Caller<'personnel.read'>, query: GroupsQuery): Listing<Group> {
  const { status, q, sort } = query
  const filter = { statuses: status ?? (['active'] as const), q: q ?? null }
  const order = sortOrder(sort)
  return listing(caller, {
    counter: filtersIn(query).length > 0 ? null : 'groups',
    select: (snapshot, page) => selectGroups(snapshot, { filter, order, page }),
    count: (snapshot, max) => countGroups(snapshot, filter, max),
  })
}

export function viewGroup(caller: Caller<'personnel.read'>, id: string): Promise<Group> {
  return caller.database.read(caller, (read) => findGroup(read, id))
}

export function listMembers(caller: Caller<'personnel.read'>, id: string): Listing<Member> {
  return listing(caller, {
    counter: null,
    count: (snapshot, max) => countMembers(snapshot, id, max),
    select: async (snapshot, page) => {
      const { lead_user_ids } = await findGroup(snapshot, id)
      const { items, next } = await selectMembers(snapshot, id, page)
      const members = items.map(({ user_id, joined_at }) => ({
        user_id,
        is_lead: lead_user_ids.includes(user_id),
        joined_at,
      }))
      return { items: members, next }
    },
  })
}

/** A group with its first members. Joining changes the version of each of them too. */
export function addGroup(caller: Caller<'personnel.manage'>, input: NewGroup): Promise<Group> {
  const { member_user_ids: userIds = [], lead_user_ids: leads = [], ...said } = input
  refuseStrangers(leads, new Set(userIds))
  return caller.database.write(caller, async (write) => {
    await refuseOverQuota(write, 'groups')
    const people = await lockAll(write, userIds)
    const flaws = flawsOfMembers(people, userIds, '/member_user_ids')
    if (flaws.length > 0) throw invalid(...flaws)
    await refuseTaken(write, input.name)
    const group: StoredGroup = {
      description: null,
      external_id: null,
      metadata: {},
      ...said,
      id: write.newId('grp'),
      status: 'active',
      member_count: userIds.length,
      lead_user_ids: leads.toSorted(),
      members_changed_at: write.now,
      version: 0,
      created_at: write.now,
      updated_at: write.now,
    }
    storeGroup(write, null, group)
    write.record({ type: 'group.created', subject: group.id, changed: Object.keys(input) })
    for (const person of people.values()) join(write, group.id, person)
    return group
  })
}

/** Whoever leads a group is in it. */
function refuseStrangers(leads: readonly string[], members: ReadonlySet<string>): void {
  const flaws = [...leads.entries()]
    .filter(([, lead]) => !members.has(lead))
    .map(([index]) => ({
      pointer: `/lead_user_ids/${index}`,
      code: 'not_a_member',
      detail: 'must be a member of the group',
    }))
  if (flaws.length > 0) throw invalid(...flaws)
}

async function refuseTaken(write: Write, name: string, ownId: string | null = null): Promise<void> {
  const holder = await selectGroupIdByName(write, name)
  if (holder === null || holder === ownId) return
  const detail = `The group ${holder} already has this name.`
  throw new Failure('name_taken', detail, { conflicting_id: holder })
}

const writable = ['name', 'description', 'external_id', 'lead_user_ids', 'metadata'] as const

const byMembers = 'It follows from PUT, DELETE and PATCH …/members'
const byArchive = 'It follows from POST …/archive and …/restore'
const advice = { status: byArchive, member_count: byMembers, members_changed_at: byMembers }

export function updateGroup(
  caller: Caller<'personnel.manage'>,
  id: string,
  { metadata, ...patch }: GroupPatch,
): Promise<Group> {
  return caller.database.write(caller, async (write) => {
    const before = await lockGroup(write, caller, id)
    refuseArchived(before)
    const fields = patched(before, patch, { writable, advice })
    const leads = [...new Set(fields.lead_user_ids ?? before.lead_user_ids)].toSorted()
    const after = {
      ...before,
      ...fields,
      lead_user_ids: leads,
      ...(metadata && { metadata: mergedMetadata(before.metadata, metadata) }),
    }
    const isLedAnew = !isDeepStrictEqual(leads, before.lead_user_ids)
    if (isLedAnew)
      refuseStrangers(patch.lead_user_ids ?? [], await selectMemberIds(write, id, leads))
    await refuseTaken(write, after.name, id)
    return saveGroup(write, { before, after, type: 'group.updated' })
  })
}

/** Archiving it again changes nothing. */
export function archiveGroup(caller: Caller<'personnel.manage'>, id: string): Promise<Group> {
  return caller.database.write(caller, async (write) => {
    const before = await lockGroup(write, caller, id)
    const after = { ...before, status: 'archived' as const }
    return saveGroup(write, { before, after, type: 'group.archived' })
  })
}

/** One that is not archived stays as it is. */
export function restoreGroup(caller: Caller<'personnel.manage'>, id: string): Promise<Group> {
  return caller.database.write(caller, async (write) => {
    const before = await lockGroup(write, caller, id)
    if (before.status === 'active') return before
    await refuseOverQuota(write, 'groups')
    await refuseTaken(write, before.name)
    const after = { ...before, status: 'active' as const }
    return saveGroup(write, { before, after, type: 'group.restored' })
  })
}

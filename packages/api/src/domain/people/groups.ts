import { isDeepStrictEqual } from 'node:util'

import {
  type Group,
  groupFields,
  type GroupPatch,
  initialOf,
  type Member,
  type NewGroup,
  type Operations,
  patchNames,
  type QueryOf,
} from '@muster/contract'

import { refuseLastAdmin, setGranting } from '#domain/auth/grants'
import type { Caller } from '#domain/engine/caller'
import { mergedMetadata, applyPatch } from '#domain/engine/change'
import { Failure, invalid } from '#domain/engine/failure'
import { filtersIn, type Listing, listingOf } from '#domain/engine/listing'
import { refuseOverQuota } from '#domain/engine/quota'
import { lockPeopleById } from '#domain/roster/assignable'
import { sortOrder } from '#domain/rules/sort'
import {
  selectGroupIdByName,
  groupsList,
  type StoredGroup,
  upsertGroup,
} from '#storage/nouns/groups'
import { membersList, selectMemberIds } from '#storage/nouns/members'
import type { Write } from '#storage/statements/access'

import { findGroup, lockGroup, refuseArchived, saveGroup } from './group.ts'
import { memberErrors, addToGroup } from './members.ts'

export type GroupsQuery = QueryOf<Operations['groups']['list']>

/** Lists groups: active ones, unless the query filters by status. */
export function listGroups(caller: Caller<'personnel.read'>, query: GroupsQuery): Listing<Group> {
  const { status, external_id, name, q, sort } = query
  const filter = {
    statuses: status ?? (['active'] as const),
    externalIds: external_id,
    names: name,
    q: q ?? null,
  }
  const order = sortOrder(sort)
  return listingOf(caller, {
    counter: filtersIn(query).length > 0 ? null : 'groups',
    list: groupsList(filter, order),
    present: (groups) => groups,
    item: (group) => group,
  })
}

export function viewGroup(caller: Caller<'personnel.read'>, id: string): Promise<Group> {
  return caller.database.read(caller, (read) => findGroup(read, id))
}

export function listMembers(caller: Caller<'personnel.read'>, id: string): Listing<Member> {
  return listingOf(caller, {
    counter: null,
    list: membersList(id),
    context: (snapshot) => findGroup(snapshot, id),
    present: (members, { context: group }) =>
      members.map(({ user_id, joined_at }) => ({
        user_id,
        is_lead: group.lead_user_ids.includes(user_id),
        joined_at,
      })),
  })
}

/** Creates a group with its first members, whose versions change too. */
export function addGroup(caller: Caller<'personnel.manage'>, input: NewGroup): Promise<Group> {
  const { member_user_ids: userIds = [], lead_user_ids: leads = [], ...fields } = input
  refuseNonMembers(leads, new Set(userIds))
  return caller.database.write(caller, async (write) => {
    await refuseOverQuota(write, 'groups')
    const people = await lockPeopleById(write, userIds)
    const fieldErrors = memberErrors(people, userIds, '/member_user_ids')
    if (fieldErrors.length > 0) throw invalid(...fieldErrors)
    await refuseTakenName(write, input.name)
    const group: StoredGroup = {
      ...initialOf(groupFields),
      ...fields,
      id: write.newId('grp'),
      status: 'active',
      member_count: userIds.length,
      lead_user_ids: leads.toSorted(),
      members_changed_at: write.now,
      version: 0,
      created_at: write.now,
      updated_at: write.now,
    }
    upsertGroup(write, null, group)
    write.record({ type: 'group.created', subject: group.id, changed: Object.keys(input) })
    for (const person of people.values()) addToGroup(write, group.id, person)
    return group
  })
}

/** A lead must be a member. */
function refuseNonMembers(leads: readonly string[], members: ReadonlySet<string>): void {
  const fieldErrors = [...leads.entries()]
    .filter(([, lead]) => !members.has(lead))
    .map(([index]) => ({
      pointer: `/lead_user_ids/${index}`,
      code: 'not_a_member',
      detail: 'must be a member of the group',
    }))
  if (fieldErrors.length > 0) throw invalid(...fieldErrors)
}

async function refuseTakenName(
  write: Write,
  name: string,
  ownId: string | null = null,
): Promise<void> {
  const holder = await selectGroupIdByName(write, name)
  if (holder === null || holder === ownId) return
  const detail = `The group ${holder} already has this name.`
  throw new Failure('name_taken', detail, { conflicting_id: holder })
}

const writable = patchNames(groupFields)

const membersAdvice = 'Use PUT, DELETE or PATCH …/members'
const archiveAdvice = 'Use POST …/archive or …/restore'
const advice = {
  status: archiveAdvice,
  member_count: membersAdvice,
  members_changed_at: membersAdvice,
}

export function updateGroup(
  caller: Caller<'personnel.manage'>,
  id: string,
  { metadata, ...patch }: GroupPatch,
): Promise<Group> {
  return caller.database.write(caller, async (write) => {
    const before = await lockGroup(write, caller, id)
    refuseArchived(before)
    const fields = applyPatch(before, patch, { writable, advice })
    const leads = [...new Set(fields.lead_user_ids ?? before.lead_user_ids)].toSorted()
    const after = {
      ...before,
      ...fields,
      lead_user_ids: leads,
      ...(metadata && { metadata: mergedMetadata(before.metadata, metadata) }),
    }
    const isLeadChanged = !isDeepStrictEqual(leads, before.lead_user_ids)
    if (isLeadChanged)
      refuseNonMembers(patch.lead_user_ids ?? [], await selectMemberIds(write, id, leads))
    await refuseTakenName(write, after.name, id)
    return saveGroup(write, { before, after, type: 'group.updated' })
  })
}

/** Archiving an archived group is a no-op. Members are kept for a later restore. */
export function archiveGroup(caller: Caller<'personnel.manage'>, id: string): Promise<Group> {
  return caller.database.write(caller, async (write) => {
    const before = await lockGroup(write, caller, id)
    if (before.status === 'active') {
      await refuseLastAdmin(write, ({ groupId }) => groupId === id)
      await setGranting(write, caller, { groupId: id, isGranting: false })
    }
    const after = { ...before, status: 'archived' as const }
    return saveGroup(write, { before, after, type: 'group.archived' })
  })
}

/** Restoring an active group is a no-op. */
export function restoreGroup(caller: Caller<'personnel.manage'>, id: string): Promise<Group> {
  return caller.database.write(caller, async (write) => {
    const before = await lockGroup(write, caller, id)
    if (before.status === 'active') return before
    await refuseOverQuota(write, 'groups')
    await refuseTakenName(write, before.name)
    await setGranting(write, caller, { groupId: id, isGranting: true })
    const after = { ...before, status: 'active' as const }
    return saveGroup(write, { before, after, type: 'group.restored' })
  })
}

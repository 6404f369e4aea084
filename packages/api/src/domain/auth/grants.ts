/** Checks of changes that give or take a role: by access entries, groups, or the status of people. */

import type { RoleName } from '@muster/contract'

import type { Caller } from '#domain/engine/caller'
import { Failure } from '#domain/engine/failure'
import {
  type AdministratorPath,
  deleteAccessEntries,
  hasKeyWith,
  lockAccess,
  selectAccessEntries,
  selectAdministrators,
  selectEntriesOf,
  selectRolesOf,
  shareLockAccess,
  type StoredAccessEntry,
  updateAccessEntry,
} from '#storage/nouns/access'
import type { Read, Write } from '#storage/statements/access'

import { audit, type AuditInput } from './audit.ts'
import { changeRights, refuseOldSession } from './rights-growth.ts'
import { missingRights, refuseBeyondRights, refuseTaking } from './rights.ts'

interface Holder {
  readonly id: string
  readonly group_ids: readonly string[]
}

const distinct = (roles: Iterable<RoleName>) => [...new Set(roles)]

/** The roles of a person: those of their own entry and of their groups. */
export async function rolesOfPerson(read: Read, { id, group_ids }: Holder): Promise<RoleName[]> {
  return distinct((await selectRolesOf(read, [id, ...group_ids])).values())
}

/** A caller with every right may give any role, so the roles need not be read. */
const hasEveryRight = (caller: Caller<never>) => missingRights(caller, ['admin']).length === 0

/** The role of a group. A concurrent change of it waits for this write. */
async function roleOfGroup(write: Write, groupId: string): Promise<RoleName | undefined> {
  await shareLockAccess(write)
  return (await selectRolesOf(write, [groupId])).get(groupId)
}

interface MemberIds {
  readonly groupId: string
  readonly joining: readonly string[]
  readonly leaving: readonly string[]
}

const memberEntry = (groupId: string, userId: string, reason: string): AuditInput => ({
  type: 'membership.updated',
  userId,
  subjectId: groupId,
  reason,
})

/** The members of a group with a role have its rights. */
export async function changeMemberRights(
  write: Write,
  caller: Caller<never>,
  { groupId, joining, leaving }: MemberIds,
): Promise<void> {
  const role = await roleOfGroup(write, groupId)
  if (role === undefined) return
  const entry = (userId: string, reason: string) => memberEntry(groupId, userId, reason)
  await changeRights(write, caller, {
    isGrowth: joining.length > 0,
    userIds: joining,
    roles: [role],
    what: `A membership of ${groupId}`,
    entries: [
      ...joining.map((userId) => entry(userId, `none to ${role}`)),
      ...leaving.map((userId) => entry(userId, `${role} to none`)),
    ],
  })
}

/** A person who returns can use their roles again. */
export async function returnPerson(
  write: Write,
  caller: Caller<never>,
  { type, person }: { type: 'person.resumed' | 'person.rejoined'; person: Holder },
): Promise<void> {
  await shareLockAccess(write)
  const roles = await rolesOfPerson(write, person)
  await changeRights(write, caller, {
    isGrowth: roles.length > 0,
    userIds: [person.id],
    roles,
    what: `Access of ${person.id}`,
    entries: [{ type, userId: person.id }],
  })
}

/** Refuses to suspend or remove a person who gives access to others, without that right. */
export async function refuseTakingAccess(
  read: Read,
  caller: Caller<never>,
  { id, group_ids }: Holder,
): Promise<void> {
  const entries = await selectEntriesOf(read, [id, ...group_ids])
  const granting = entries.filter(({ is_granting }) => is_granting)
  refuseTaking(caller, distinct(granting.map(({ role }) => role)), id)
}

/**
 * The identity provider finds a person by these fields. In a session, changing those of a person
 * with a role needs a recent sign-in.
 */
export async function refuseIdentityChange(
  write: Write,
  caller: Caller<never>,
  people: readonly Holder[],
): Promise<void> {
  if (caller.isSignInRecent) return
  const roles = await selectRolesOf(
    write,
    people.flatMap(({ id, group_ids }) => [id, ...group_ids]),
  )
  if (roles.size > 0) refuseOldSession(caller)
}

/** Refuses to act for a person, such as with a link, without all their rights. */
export async function refusePersonBeyondRights(
  read: Read,
  caller: Caller<never>,
  person: Holder,
): Promise<void> {
  if (hasEveryRight(caller)) return
  await shareLockAccess(read)
  refuseBeyondRights(caller, await rolesOfPerson(read, person), `Access of ${person.id}`)
}

/** The administrators of a list of entries: the person, and the group that makes them one. */
export async function findAdministrators(
  read: Read,
  entries: readonly StoredAccessEntry[],
): Promise<AdministratorPath[]> {
  const granting = entries.filter(({ role, is_granting }) => role === 'admin' && is_granting)
  const userIds = granting.flatMap(({ user_id }) => user_id ?? [])
  const groupIds = granting.flatMap(({ group_id }) => group_id ?? [])
  if (userIds.length + groupIds.length === 0) return []
  return selectAdministrators(read, { userIds, groupIds })
}

/** The active people with the role admin. Changes of roles wait for this write. */
export async function selectActiveAdministrators(write: Write): Promise<string[]> {
  await lockAccess(write)
  const paths = await findAdministrators(write, await selectAccessEntries(write))
  return [...new Set(paths.map(({ userId }) => userId))]
}

/**
 * Refuses a change that removes the last administrator, while no live key could give the role to
 * another person.
 */
export async function refuseLastAdmin(
  read: Read,
  isRemoved: (administrator: AdministratorPath) => boolean,
  after: readonly StoredAccessEntry[] | null = null,
): Promise<void> {
  const entries = await selectAccessEntries(read)
  if (!entries.some(({ role }) => role === 'admin')) return
  await lockAccess(read)
  const before = await findAdministrators(read, entries)
  if (before.length === 0) return
  const kept = after === null ? before : await findAdministrators(read, after)
  if (kept.some((administrator) => !isRemoved(administrator))) return
  if (await hasKeyWith(read, 'workspace.manage')) return
  throw new Failure('last_admin')
}

/** An archived group gives no role. */
export async function setGranting(
  write: Write,
  caller: Caller<never>,
  { groupId, isGranting }: { groupId: string; isGranting: boolean },
): Promise<void> {
  const role = await roleOfGroup(write, groupId)
  if (role === undefined) return
  updateAccessEntry(write, groupId, { is_granting: isGranting })
  const type = isGranting ? 'group.restored' : 'group.archived'
  const reason = isGranting ? `none to ${role}` : `${role} to none`
  await changeRights(write, caller, {
    isGrowth: isGranting,
    groupIds: [groupId],
    roles: [role],
    what: `A membership of ${groupId}`,
    entries: [{ type, subjectId: groupId, reason }],
  })
}

/** Removes the own access entry of a departing person, who also leaves their groups. */
export async function removeAccess(
  write: Write,
  caller: Caller<never>,
  { id: userId, group_ids }: Holder,
): Promise<void> {
  const entries = await selectEntriesOf(write, [userId, ...group_ids])
  for (const { role, group_id, is_granting } of entries) {
    if (group_id === null) {
      deleteAccessEntries(write, [userId])
      audit(write, caller, roleEntry({ subject: userId, before: role }))
    } else if (is_granting) {
      audit(write, caller, memberEntry(group_id, userId, `${role} to none`))
    }
  }
}

interface RoleChange {
  /** The id of the person or the group. */
  readonly subject: string
  readonly before?: RoleName | undefined
  readonly after?: RoleName | undefined
}

/** The change of a role for the audit log, such as `reader to admin`. */
export function roleEntry({ subject, before, after }: RoleChange): AuditInput {
  const about = subject.startsWith('usr_') ? { userId: subject } : { subjectId: subject }
  const reason = `${before ?? 'none'} to ${after ?? 'none'}`
  return { type: 'access.updated', ...about, reason }
}

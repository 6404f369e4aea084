/** Checks of changes that give or take a role: by access entries, groups, or the status of people. */

import type { RoleName } from '@muster/contract'

import { Failure } from '#domain/engine/failure'
import type { Read, Write } from '#storage/engine/access'
import {
  type AdministratorPath,
  deleteAccessEntries,
  hasKeyWith,
  lockAccess,
  selectAccessEntries,
  selectAdministrators,
  selectRolesOf,
  shareLockAccess,
  type StoredAccessEntry,
  updateAccessEntry,
} from '#storage/nouns/access'

import { audit } from './audit.ts'
import type { Caller } from './caller.ts'
import { missingRights, refuseBeyondRights } from './rights.ts'

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

/**
 * Refuses a change after which people have the role of a group. A concurrent change of the role
 * waits for it.
 */
export async function refuseGroupBeyondRights(
  write: Write,
  caller: Caller<never>,
  groupId: string,
): Promise<void> {
  if (hasEveryRight(caller)) return
  await shareLockAccess(write)
  const roles = distinct((await selectRolesOf(write, [groupId])).values())
  refuseBeyondRights(caller, roles, `A membership of ${groupId}`)
}

/** Refuses a change after which a person can use their roles, such as ending a suspension. */
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
  write: Write,
  isRemoved: (administrator: AdministratorPath) => boolean,
  after: readonly StoredAccessEntry[] | null = null,
): Promise<void> {
  const entries = await selectAccessEntries(write)
  if (!entries.some(({ role }) => role === 'admin')) return
  await lockAccess(write)
  const before = await findAdministrators(write, entries)
  if (before.length === 0) return
  const kept = after === null ? before : await findAdministrators(write, after)
  if (kept.some((administrator) => !isRemoved(administrator))) return
  if (await hasKeyWith(write, 'workspace.manage')) return
  throw new Failure('last_admin')
}

/** An archived group gives no role. */
export async function setGranting(
  write: Write,
  groupId: string,
  isGranting: boolean,
): Promise<void> {
  const roles = await selectRolesOf(write, [groupId])
  if (roles.size === 0) return
  updateAccessEntry(write, groupId, { is_granting: isGranting })
}

/** Removes the own access entry of a departing person. */
export async function removeAccess(
  write: Write,
  caller: Caller<never>,
  userId: string,
): Promise<void> {
  const role = (await selectRolesOf(write, [userId])).get(userId)
  if (role === undefined) return
  deleteAccessEntries(write, [userId])
  auditRole(write, caller, { subject: userId, before: role })
}

interface RoleChange {
  /** The id of the person or the group. */
  readonly subject: string
  readonly before?: RoleName | undefined
  readonly after?: RoleName | undefined
}

/** Adds the change of a role to the audit log, such as `reader to admin`. */
export function auditRole(
  write: Write,
  caller: Caller<never>,
  { subject, before, after }: RoleChange,
): void {
  const about = subject.startsWith('usr_') ? { userId: subject } : { subjectId: subject }
  const reason = `${before ?? 'none'} to ${after ?? 'none'}`
  audit(write, caller, { type: 'access.updated', ...about, reason })
}

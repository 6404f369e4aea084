/**
 * Changes of the email or external id of a person by someone who lacks a right. With such a change
 * the account of someone else could sign in as the person. So the person gets no right that the
 * changer lacked, until someone with that right confirms the change. A hold records it. Only a
 * confirmation and erasure remove the hold.
 */

import { identityFields, type IdentityChange, type Person, type RoleName } from '@muster/contract'

import type { Caller } from '#domain/engine/caller'
import { refuseStale } from '#domain/engine/change'
import { requirePerson } from '#domain/roster/person'
import { selectRolesOf } from '#storage/nouns/access'
import {
  deleteHold,
  type IdentityHold,
  selectHolds,
  upsertHold,
} from '#storage/nouns/identity-holds'
import { lockPeople, type StoredPerson, upsertPerson } from '#storage/nouns/personnel'
import type { Read, Write } from '#storage/statements/access'

import { audit } from './audit.ts'
import { endEverySignIn } from './end-sign-in.ts'
import { refuseIdentityChange, refusePersonBeyondRights, rolesOfPerson } from './grants.ts'
import { isEveryRight, rightsOfCaller, rightsOfRoles } from './rights.ts'
import { refuseUnconfirmed } from './unconfirmed-identity.ts'

/** A person before and after a change, under the lock of the person. */
interface ChangedPerson {
  readonly before: StoredPerson
  readonly after: StoredPerson
}

/** Records changed emails and external ids with the rights of the caller, and audits them. */
export async function recordIdentityChanges(
  write: Write,
  caller: Caller<never>,
  people: readonly ChangedPerson[],
): Promise<void> {
  const changed = people.flatMap(({ before, after }) => {
    const fields = identityFields.filter((field) => before[field] !== after[field])
    return fields.length === 0 ? [] : [{ ...before, fields }]
  })
  if (changed.length === 0) return
  await refuseIdentityChange(write, caller, changed)
  for (const { id: userId, fields } of changed) {
    audit(write, caller, { type: 'identity.changed', userId, reason: fields.join(', ') })
  }
  const rights = rightsOfCaller(caller)
  if (isEveryRight(rights)) return
  const userIds = changed.map(({ id }) => id)
  const holds = await selectHolds(write, userIds)
  for (const { id: userId, fields } of changed) {
    const before = holds.get(userId) ?? null
    upsertHold(write, before, {
      user_id: userId,
      fields: identityFields.filter((each) =>
        [...fields, ...(before?.fields ?? [])].includes(each),
      ),
      rights: rights.filter((right) => before === null || before.rights.includes(right)),
      is_bound: before?.is_bound ?? false,
      actor: caller.actor,
      created_at: write.now,
    })
  }
  await touchAccess(write, userIds)
}

/** The access list shows the holds of its people. */
async function touchAccess(write: Write, userIds: readonly string[]): Promise<void> {
  if ((await selectRolesOf(write, userIds)).size > 0) write.touch('access')
}

interface GivenRole {
  readonly role: RoleName
  readonly user_id: string | null
  readonly group_id: string | null
}

/** Refuses entries that give rights. `before` has the earlier role of each person or group. */
export async function refuseUnconfirmedEntries(
  write: Write,
  entries: readonly GivenRole[],
  before: ReadonlyMap<string, RoleName>,
): Promise<void> {
  const earlier = ({ user_id, group_id }: GivenRole) => before.get(user_id ?? group_id ?? '')
  const changes = Map.groupBy(entries, (entry) => `${earlier(entry)} to ${entry.role}`)
  for (const given of changes.values()) {
    const had = new Set(given.map(earlier).flatMap((role) => rightsOfRoles(role ? [role] : [])))
    const roles = [...new Set(given.map(({ role }) => role))]
    const rights = rightsOfRoles(roles).filter((right) => !had.has(right))
    const userIds = given.flatMap(({ user_id }) => user_id ?? [])
    const groupIds = given.flatMap(({ group_id }) => group_id ?? [])
    await refuseUnconfirmed(write, { userIds, groupIds }, rights)
  }
}

/**
 * Whether a person has a right, or gets one with `given`, that someone lacks who changed their
 * email or external id.
 */
export async function isUnconfirmed(
  read: Read,
  person: Pick<StoredPerson, 'id' | 'group_ids'>,
  given: readonly RoleName[],
): Promise<boolean> {
  const hold = (await selectHolds(read, [person.id])).get(person.id)
  if (hold === undefined) return false
  const rights = rightsOfRoles([...(await rolesOfPerson(read, person)), ...given])
  return rights.some((right) => !hold.rights.includes(right))
}

/**
 * Allows the rights of the caller. A caller with every right removes the hold. If an account was
 * bound since the change, it may be that of someone else, although the email is correct now. So the
 * sign-in of the person ends; their own account is bound again at its next sign-in.
 */
export function confirmIdentity(
  caller: Caller<'workspace.manage'>,
  userId: string,
): Promise<Person> {
  return caller.database.write(caller, async (write) => {
    const before = requirePerson((await lockPeople(write, [userId]))[0], userId)
    await refusePersonBeyondRights(write, caller, before)
    refuseStale(caller, before)
    const hold = (await selectHolds(write, [userId])).get(userId)
    if (hold === undefined) return before
    const rights = [...new Set([...hold.rights, ...rightsOfCaller(caller)])]
    if (rights.length === hold.rights.length) return before
    if (isEveryRight(rights)) deleteHold(write, userId)
    else upsertHold(write, hold, { ...hold, rights, is_bound: false })
    if (hold.is_bound) {
      await endEverySignIn(write, caller, userId)
      audit(write, caller, { type: 'identity.removed', userId, reason: 'identity_confirmed' })
    }
    await touchAccess(write, [userId])
    const after = { ...before, version: 0, updated_at: write.now }
    upsertPerson(write, before, after)
    write.record({ type: 'person.identity_confirmed', subject: userId })
    audit(write, caller, { type: 'identity.confirmed', userId })
    return after
  })
}

/** The unconfirmed changes of these people, by user id, as responses show them. */
export async function identityChanges(
  read: Read,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, IdentityChange>> {
  const holds = await selectHolds(read, userIds)
  return new Map(Array.from(holds, ([userId, hold]) => [userId, presentChange(hold)]))
}

/** The cast holds because fields are recorded only with values of the contract. */
const presentChange = ({ fields, actor, created_at }: IdentityHold): IdentityChange => ({
  fields: [...fields] as IdentityChange['fields'],
  changed_by: actor,
  changed_at: created_at,
})

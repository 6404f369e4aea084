/** The first sign-in of an account: it finds its person and is bound to them. */

import { limits, type RoleName } from '@muster/contract'

import { audit } from '#domain/auth/audit'
import { rolesOfPerson } from '#domain/auth/grants'
import { isUnconfirmed } from '#domain/auth/identity-holds'
import { type Caller, type Origin, system } from '#domain/engine/caller'
import type { OidcAccount, OidcProfile } from '#domain/oidc/oidc-client'
import { asciiLowerCase } from '#domain/rules/ascii'
import {
  insertAccessEntry,
  lockAccess,
  selectAccessEntries,
  shareLockAccess,
} from '#storage/nouns/access'
import { insertAuditEntry } from '#storage/nouns/audit'
import { markBound } from '#storage/nouns/identity-holds'
import {
  emailKey,
  lockActivePerson,
  selectPerson,
  selectUniqueOwners,
} from '#storage/nouns/personnel'
import { insertIdentity, type StoredProvider } from '#storage/nouns/sign-in'
import type { Read, Write } from '#storage/statements/access'
import type { Database } from '#storage/transaction/database'

import { Refusal } from './refusal.ts'

/** An account that is not bound, with its claims. */
export interface Unbound {
  readonly workspaceId: string
  readonly provider: StoredProvider
  readonly account: OidcAccount
  readonly profile: OidcProfile
  readonly origin: Origin
}

/**
 * Binds an account to the person that it matches, and returns the user id. Binds once, and only a
 * person who has no account: afterwards an email that was changed finds no one else.
 */
export async function bindAccount(database: Database, unbound: Unbound): Promise<string> {
  const { workspaceId, provider } = unbound
  const hasRole = await database.read({ workspaceId }, async (read) => {
    const person = await selectPerson(read, await findMatch(read, unbound))
    return person !== null && (await rolesOfPerson(read, person)).length > 0
  })
  if (hasRole) {
    return database.writeUnnumbered({ workspaceId }, async (read) => {
      await shareLockAccess(read)
      return bind(read, unbound, [])
    })
  }
  if (provider.first_sign_in === 'refuse') throw new Refusal('no_role')
  const caller = { ...system(database, workspaceId), origin: unbound.origin }
  return database.write(caller, async (write) => {
    await lockAccess(write)
    const userId = await bind(write, unbound, ['reader'])
    await giveReader(write, caller, userId)
    return userId
  })
}

/** The person on the roster that the claims match. */
async function findMatch(read: Read, { provider, profile }: Unbound): Promise<string> {
  const find = provider.match === 'email' ? findByEmail : findByExternalId
  const userId = await find(read, profile)
  if (userId === null) throw new Refusal('no_match')
  return userId
}

/** The roster compares emails in lower case; a claim must be equal but for the case of A to Z. */
async function findByEmail(read: Read, { email, isEmailVerified }: OidcProfile) {
  if (email === null) return null
  if (!isEmailVerified) throw new Refusal('email_not_verified')
  const { emails } = await selectUniqueOwners(read, { emails: [email], externalIds: [] })
  const userId = emails.get(emailKey(email))
  const person = userId === undefined ? null : await selectPerson(read, userId)
  const isEqual = asciiLowerCase(person?.email ?? '') === asciiLowerCase(email)
  return isEqual ? (person?.id ?? null) : null
}

async function findByExternalId(read: Read, { externalId }: OidcProfile) {
  const externalIds = externalId === null ? [] : [externalId]
  const owners = await selectUniqueOwners(read, { emails: [], externalIds })
  return owners.externalIds.get(externalId ?? '') ?? null
}

/**
 * Checks under the lock of the person: email and status may have changed since. The caller has
 * locked the access list, and gives the roles `given`.
 */
async function bind(read: Read, unbound: Unbound, given: readonly RoleName[]): Promise<string> {
  const userId = await findMatch(read, unbound)
  const isActive = await lockActivePerson(read, userId)
  if ((await findMatch(read, unbound)) !== userId) throw new Refusal('no_match')
  if (!isActive) throw new Refusal('person_not_active', userId)
  const person = await selectPerson(read, userId)
  if (person === null || (await isUnconfirmed(read, person, given)))
    throw new Refusal('identity_not_confirmed', userId)
  const isBound = await insertIdentity(read, userId, unbound.account)
  if (!isBound) throw new Refusal('already_bound', userId)
  await markBound(read, userId)
  const actor = { type: 'person', id: userId, user_id: userId } as const
  const { origin } = unbound
  await insertAuditEntry(read, { type: 'identity.bound', actor, userId, ...origin }).execute()
  return userId
}

/** Gives the role reader, unless the list of roles is full: `PUT /v1/access` could not change it. */
async function giveReader(write: Write, caller: Caller<never>, userId: string): Promise<void> {
  const entries = await selectAccessEntries(write)
  if (entries.some(({ user_id }) => user_id === userId)) return
  if (entries.length >= limits.accessEntriesMax) throw new Refusal('access_list_full', userId)
  insertAccessEntry(write, { role: 'reader', user_id: userId, group_id: null, is_granting: true })
  write.record({ type: 'access.updated', subject: caller.workspaceId, changed: ['entries'] })
  audit(write, caller, { type: 'access.updated', userId })
}

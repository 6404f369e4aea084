/** One-time links: sign-in of a person without a password, created by an administrator. */

import assert from 'node:assert/strict'

import { limits, type NewSignInLink, type SignInLink } from '@muster/contract'

import type { Caller } from '#domain/engine/caller'
import { invalidTransition } from '#domain/engine/change'
import { Failure } from '#domain/engine/failure'
import { requirePerson } from '#domain/roster/person'
import { idError } from '#domain/rules/id'
import { deleteExpiredRows } from '#storage/nouns/expired-rows'
import {
  deleteLink,
  deleteLinksOfPerson,
  insertLink,
  selectLinkHolder,
  selectLiveLinkHolder,
} from '#storage/nouns/links'
import { emailKey, lockPeople, selectPerson, selectUniqueOwners } from '#storage/nouns/personnel'
import { selectWorkspace } from '#storage/nouns/workspace'
import type { Read } from '#storage/statements/access'

import { auditUnnumbered } from './audit.ts'
import { refusePersonBeyondRights } from './grants.ts'
import type { Proof } from './sessions.ts'
import { refuseUselessLink } from './sign-in-methods.ts'
import { issueToken } from './token.ts'

/**
 * Creates the only valid link of a person. Anyone who has it can act as the person, so the caller
 * needs every right of the person. The secret is in the fragment of the URL, which browsers do not
 * send: it reaches no log of a server or proxy.
 */
export async function createLink(
  caller: Caller<'workspace.manage'>,
  userId: string,
  { purpose }: NewSignInLink,
): Promise<SignInLink> {
  const { workspaceId, publicUrl } = caller
  assert(publicUrl, 'a link starts with the public URL')
  const { token, hash } = issueToken(workspaceId, 'link')
  const created = await caller.database.writeUnnumbered(caller, async (read) => {
    await refuseLink(read, caller, userId)
    await refuseUselessLink(read)
    await deleteExpiredRows(read, 'sign_in_links')
    await deleteLinksOfPerson(read, userId)
    const minutes = limits.linkMinutes[purpose]
    const { expires_at } = await insertLink(read, { hash, userId, purpose, minutes })
    await auditUnnumbered(read, caller, { type: 'link.created', userId, reason: purpose })
    return { user_id: userId, purpose, expires_at }
  })
  // A duplicate request may have won the race. Then its response has the secret.
  if (caller.idempotentRequest?.isReplay) throw new Failure('secret_not_replayable')
  const url = `${publicUrl}/sign-in/${workspaceId}#${token}`
  return { ...created, url }
}

/** Locks the person, so that a suspension comes before the link or deletes it. */
async function refuseLink(read: Read, caller: Caller<never>, userId: string): Promise<void> {
  const [locked] = await lockPeople(read, [userId])
  const person = requirePerson(locked, userId)
  await refusePersonBeyondRights(read, caller, person)
  const { status: from } = person
  if (from === 'active') return
  const allowed = [from === 'suspended' ? 'resume' : 'rejoin']
  throw invalidTransition(`${userId} is ${from}, so they cannot sign in.`, {
    from,
    to: 'active',
    allowed,
  })
}

/** A link as the proof of a sign-in. */
export const linkProof = (hash: Buffer): Proof => ({
  find: (read) => selectLinkHolder(read, hash),
  use: (read) => deleteLink(read, hash),
})

/** Whom a link signs in. It is not used up, and null if it would be refused. */
export async function previewLink(read: Read, hash: Buffer) {
  const userId = await selectLiveLinkHolder(read, hash)
  const person = userId === null ? null : await selectPerson(read, userId)
  if (person?.status !== 'active') return null
  const { name, status } = await selectWorkspace(read)
  return status === 'suspended' ? null : { workspace: { name }, person: { name: person.name } }
}

/** The user id of a person on the roster, by user id or email. */
export async function findUserId(
  caller: Caller<'workspace.manage'>,
  userIdOrEmail: string,
): Promise<string> {
  if (idError(userIdOrEmail, 'usr') === null) return userIdOrEmail
  return caller.database.read(caller, async (read) => {
    const emails = [userIdOrEmail]
    const found = await selectUniqueOwners(read, { emails, externalIds: [] })
    const userId = found.emails.get(emailKey(userIdOrEmail))
    if (userId === undefined)
      throw new Failure('not_found', 'No person on the roster has this user id or email.')
    return userId
  })
}

/** Repair after a takeover: an administrator removes the account or a passkey of a person. */

import type { PersonSignIn, Session } from '@muster/contract'

import type { Caller } from '#domain/engine/caller'
import { Failure } from '#domain/engine/failure'
import { findPerson, requirePerson } from '#domain/roster/person'
import { deletePasskey, selectPasskeysOfPerson } from '#storage/nouns/passkeys'
import { selectIdentity } from '#storage/nouns/person-sign-in'
import { lockPeople } from '#storage/nouns/personnel'
import { deleteSessionsByMethod } from '#storage/nouns/sessions'
import { deleteIdentities } from '#storage/nouns/sign-in'
import type { Read } from '#storage/statements/access'

import { auditUnnumbered } from './audit.ts'
import { refusePersonBeyondRights } from './grants.ts'
import { presentPasskey } from './passkeys.ts'

export function viewPersonSignIn(
  caller: Caller<'workspace.manage'>,
  userId: string,
): Promise<PersonSignIn> {
  return caller.database.read(caller, async (read) => {
    await findPerson(read, userId)
    return personSignIn(read, userId)
  })
}

/** Removing the account of a person who has none is a no-op. */
export function removeIdentity(
  caller: Caller<'workspace.manage'>,
  userId: string,
): Promise<PersonSignIn> {
  return caller.database.writeUnnumbered(caller, async (read) => {
    await lockPerson(read, caller, userId)
    const identity = await selectIdentity(read, userId)
    if (identity === null) return personSignIn(read, userId)
    await deleteIdentities(read, userId)
    await auditUnnumbered(read, caller, { type: 'identity.removed', userId })
    await endSessions(read, caller, { userId, method: 'oidc', reason: 'identity_removed' })
    return personSignIn(read, userId)
  })
}

/** Ends all sessions by passkey, because a session does not store which one it was. */
export function removePasskeyOfPerson(
  caller: Caller<'workspace.manage'>,
  userId: string,
  id: string,
): Promise<PersonSignIn> {
  return caller.database.writeUnnumbered(caller, async (read) => {
    await lockPerson(read, caller, userId)
    if (!(await deletePasskey(read, { id, userId })))
      throw new Failure('not_found', `${userId} has no passkey ${id}.`)
    await auditUnnumbered(read, caller, { type: 'passkey.removed', userId, subjectId: id })
    await endSessions(read, caller, { userId, method: 'passkey', reason: 'passkey_removed' })
    return personSignIn(read, userId)
  })
}

/** The lock orders the removal before or after a sign-in of the person. */
async function lockPerson(read: Read, caller: Caller<never>, userId: string): Promise<void> {
  const person = requirePerson((await lockPeople(read, [userId]))[0], userId)
  await refusePersonBeyondRights(read, caller, person)
}

interface EndedSessions {
  readonly userId: string
  readonly method: Session['method']
  readonly reason: string
}

async function endSessions(
  read: Read,
  caller: Caller<never>,
  { userId, method, reason }: EndedSessions,
): Promise<void> {
  const count = await deleteSessionsByMethod(read, method, userId)
  if (count === 0) return
  await auditUnnumbered(read, caller, { type: 'session.ended', userId, reason, count })
}

async function personSignIn(read: Read, userId: string): Promise<PersonSignIn> {
  const identity = await selectIdentity(read, userId)
  const passkeys = await selectPasskeysOfPerson(read, userId)
  return { user_id: userId, identity, passkeys: passkeys.map(presentPasskey) }
}

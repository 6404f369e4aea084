/** The step-up: a person signs in again for a change that gives rights. */

import { type Caller, personOf } from '#domain/engine/caller'
import { selectAccessEntries } from '#storage/nouns/access'
import { selectPasskeysOfPerson } from '#storage/nouns/passkeys'
import { isBound } from '#storage/nouns/sign-in'
import type { Read } from '#storage/statements/access'

import { findAdministrators } from './grants.ts'
import { isMethodAllowed } from './sign-in-methods.ts'

/** How the person of a session can sign in again, for a change that needs a recent sign-in. */
interface StepUpMethods {
  /** Whether a passkey can sign people in. */
  readonly allows_passkeys: boolean
  readonly has_passkey: boolean
  /** Whether an account of the identity provider is bound to the person. */
  readonly has_account: boolean
  /** Whether another administrator can create a sign-in link for the person. */
  readonly has_other_administrator: boolean
}

/** Reads what the person has, and the workspace allows. A step-up offers nothing else. */
export function viewStepUpMethods(caller: Caller<'person'>): Promise<StepUpMethods> {
  const userId = personOf(caller)
  return caller.database.read(caller, async (read) => {
    const allows_passkeys = await isMethodAllowed(read, 'passkey')
    return {
      allows_passkeys,
      has_passkey: allows_passkeys && (await selectPasskeysOfPerson(read, userId)).length > 0,
      has_account: (await isMethodAllowed(read, 'oidc')) && (await isBound(read, userId)),
      has_other_administrator: await hasOtherAdministrator(read, userId),
    }
  })
}

async function hasOtherAdministrator(read: Read, userId: string): Promise<boolean> {
  const administrators = await findAdministrators(read, await selectAccessEntries(read))
  return administrators.some((each) => each.userId !== userId)
}

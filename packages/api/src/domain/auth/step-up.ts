import type { Read } from '#storage/engine/access'
import { selectAccessEntries } from '#storage/nouns/access'
import { selectPasskeysOfPerson } from '#storage/nouns/passkeys'
import { isBound } from '#storage/nouns/sign-in'

import { type Caller, personOf } from './caller.ts'
import { findAdministrators } from './grants.ts'

/** How the person of a session can sign in again, for a change that needs a recent sign-in. */
interface StepUpMethods {
  readonly has_passkey: boolean
  /** Whether an account of the identity provider is bound to the person. */
  readonly has_account: boolean
  /** Whether another administrator can create a sign-in link for the person. */
  readonly has_other_administrator: boolean
}

/** Reads what the person has. A step-up offers nothing else. */
export function viewStepUpMethods(caller: Caller<'person'>): Promise<StepUpMethods> {
  const userId = personOf(caller)
  return caller.database.read(caller, async (read) => ({
    has_passkey: (await selectPasskeysOfPerson(read, userId)).length > 0,
    has_account: await isBound(read, userId),
    has_other_administrator: await hasOtherAdministrator(read, userId),
  }))
}

async function hasOtherAdministrator(read: Read, userId: string): Promise<boolean> {
  const administrators = await findAdministrators(read, await selectAccessEntries(read))
  return administrators.some((each) => each.userId !== userId)
}

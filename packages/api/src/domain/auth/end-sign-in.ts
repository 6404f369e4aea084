import type { Caller } from '#domain/engine/caller'
import { endSignIns, removeCredentials } from '#storage/nouns/credentials'
import { selectKeysOfPerson } from '#storage/nouns/personal-keys'
import type { Write } from '#storage/statements/access'

import { markRevoked } from './key.ts'

/**
 * Ends every way in which a person signs in: sessions, links, passkeys, personal keys, and the
 * account at the identity provider, which could have added any of the others.
 */
export async function endEverySignIn(
  write: Write,
  caller: Caller<never>,
  userId: string,
): Promise<void> {
  endSignIns(write, userId)
  removeCredentials(write, userId)
  for (const key of await selectKeysOfPerson(write, userId)) markRevoked(write, caller, key)
}

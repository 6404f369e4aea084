import { Failure } from '#domain/engine/failure'
import { type Receivers, selectHeldBelow, selectHolds } from '#storage/nouns/identity-holds'
import type { Read } from '#storage/statements/access'

import type { Right } from './rights.ts'

/** The most people that a problem names. */
const namedMax = 50

/** Refuses to give rights to people whose identity was changed by someone who lacks one of them. */
export async function refuseUnconfirmed(
  read: Read,
  receivers: Receivers,
  rights: readonly Right[],
): Promise<void> {
  if (rights.length === 0) return
  const found = await selectHeldBelow(read, receivers, { rights, limit: namedMax + 1 })
  const user_ids = found.slice(0, namedMax)
  const [first] = user_ids
  if (first === undefined) return
  const holds = [...(await selectHolds(read, user_ids)).values()]
  const missing_rights = rights.filter((right) =>
    holds.some((hold) => !hold.rights.includes(right)),
  )
  const others = found.length > namedMax ? `at least ${namedMax}` : `${found.length - 1}`
  const more = found.length === 1 ? '' : ` and of ${others} more`
  const detail =
    `The email or external id of ${first}${more} was changed by someone without ` +
    `${missing_rights.join(', ')}. Confirm the change: POST …/confirm-identity.`
  throw new Failure('identity_unconfirmed', detail, { user_ids, missing_rights })
}

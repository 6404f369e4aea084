/**
 * Growth of rights: the rule for writes after which anyone has more rights than before. It does not
 * depend on the operation. The caller needs the rights that the write gives and, in a session, a
 * recent sign-in. A person whose identity is unconfirmed gets no more rights. Growth and loss of
 * rights are in the audit log.
 */

import type { RoleName } from '@muster/contract'

import type { Caller } from '#domain/engine/caller'
import { Failure } from '#domain/engine/failure'
import type { Write } from '#storage/statements/access'

import { audit, type AuditInput } from './audit.ts'
import { refuseBeyondRights, rightsOfRoles } from './rights.ts'
import { refuseUnconfirmed } from './unconfirmed-identity.ts'

/** What a write does to the rights of people and keys. */
interface RightsChange {
  /** Whether anyone has more rights afterwards. */
  readonly isGrowth: boolean
  /** The people whose rights grow. */
  readonly userIds?: readonly string[]
  /** The groups whose members get more rights. */
  readonly groupIds?: readonly string[]
  /** The roles that they get. */
  readonly roles?: readonly RoleName[]
  /** What gives the roles: the start of a sentence. */
  readonly what?: string
  /** The entries for the audit log. */
  readonly entries: readonly AuditInput[]
}

/**
 * Every write that changes rights calls this function, in its transaction. Nothing else decides
 * whether a growth of rights is allowed.
 */
export async function changeRights(
  write: Write,
  caller: Caller<never>,
  { isGrowth, userIds = [], groupIds = [], roles = [], what = '', entries }: RightsChange,
): Promise<void> {
  if (isGrowth) {
    refuseBeyondRights(caller, roles, what)
    refuseOldSession(caller)
    await refuseUnconfirmed(write, { userIds, groupIds }, rightsOfRoles(roles))
  }
  for (const entry of entries) audit(write, caller, entry)
}

/** A stolen or unattended session must not give access. Keys are not affected. */
export function refuseOldSession({ isSignInRecent }: Caller<never>): void {
  if (!isSignInRecent) throw new Failure('reauthentication_required')
}

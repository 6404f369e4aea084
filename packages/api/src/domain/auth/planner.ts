/** The principal who planned a change, when the service carries it out. */

import { type RoleName, roleNames, type Scope } from '@muster/contract'

import { administrator, type Caller } from '#domain/engine/caller'
import { Failure } from '#domain/engine/failure'
import { selectEntriesOf } from '#storage/nouns/access'
import type { Planner } from '#storage/nouns/departures'
import { selectKey, type StoredKey } from '#storage/nouns/keys'
import { selectPerson } from '#storage/nouns/personnel'
import type { Read } from '#storage/statements/access'
import type { Database } from '#storage/transaction/database'

import { statusOf } from './key.ts'
import { mayExceedAppetite, refuseWithoutScope, scopesInBoth, scopesOfRoles } from './rights.ts'

/** Acts for the planner, who is the actor of the events. It has no rights: see `withRightsNow`. */
export function actingFor(
  database: Database,
  workspaceId: string,
  actor: Planner,
): Caller<'personnel.manage'> {
  return { ...administrator(database, workspaceId), actor, scopes: [], isPlanned: true }
}

/**
 * The same caller with the rights that the planner has now. Fails if the person is not active, the
 * key has ended, or the scope was lost. The successor of a rotated key stands for it.
 */
export async function withRightsNow(
  read: Read,
  acting: Caller<'personnel.manage'>,
  { now, planner }: { readonly now: string; readonly planner: Planner },
): Promise<Caller<'personnel.manage'>> {
  const key = planner.type === 'key' ? await currentKey(read, planner.id) : null
  if (key !== null) refuseEnded(key, now)
  const roles = planner.user_id === null ? null : await rolesNow(read, planner.user_id)
  const caller = {
    ...acting,
    roles: roles ?? [],
    scopes: scopesNow(key, roles),
    mayExceedAppetite: roles === null || mayExceedAppetite(roles),
  }
  refuseWithoutScope(caller, 'personnel.manage', 'The departure')
  return caller
}

// The cast holds because keys are created only with scopes of the contract.
const scopesOf = ({ scopes }: StoredKey) => scopes as Scope[]

function scopesNow(key: StoredKey | null, roles: readonly RoleName[] | null): readonly Scope[] {
  if (key === null) return scopesOfRoles(roles ?? [])
  return roles === null ? scopesOf(key) : scopesInBoth(scopesOf(key), roles)
}

async function rolesNow(read: Read, userId: string): Promise<RoleName[]> {
  const person = await selectPerson(read, userId)
  if (person?.status !== 'active') {
    throw new Failure('person_not_active', `${userId}, who planned the departure, is not active.`)
  }
  const entries = await selectEntriesOf(read, [userId, ...person.group_ids])
  const held = new Set(entries.filter(({ is_granting }) => is_granting).map(({ role }) => role))
  return roleNames.filter((role) => held.has(role))
}

/** The newest key of the rotations of a key. */
async function currentKey(read: Read, id: string): Promise<StoredKey> {
  for (let next = id; ;) {
    const key = await selectKey(read, next)
    if (key === null) throw new Failure('key_revoked', `There is no key ${id} any more.`)
    if (key.replaced_by === null) return key
    next = key.replaced_by
  }
}

function refuseEnded(key: StoredKey, now: string): void {
  const status = statusOf(key, now)
  if (status === 'active') return
  const detail = `The key ${key.id}, which planned the departure, is ${status}.`
  throw new Failure(status === 'revoked' ? 'key_revoked' : 'key_expired', detail)
}

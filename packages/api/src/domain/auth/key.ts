import { isGranted, type Key, type Scope } from '@muster/contract'

import type { Caller } from '#domain/caller'
import { Failure } from '#domain/failure'
import { refuseOverQuota } from '#domain/quota'
import { issueToken } from '#domain/token'
import type { Read, Write } from '#storage/database'
import { insertKey, lockKey, type StoredKey, updateKey } from '#storage/keys'
import { instantOf, selectMoment } from '#storage/moment'

interface KeyFields {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly allowedCidrs?: readonly string[]
}

/** A key as an administrator wants it. */
export interface KeyWish extends KeyFields {
  /** Null: it never expires. */
  readonly expiresInHours: number | null
}

interface KeyToIssue extends KeyFields {
  readonly expiresAt: string | null
  /** The key that it is to replace. */
  readonly replaces?: StoredKey
}

/** Puts a new key into a write. Its secret is in the answer and nowhere else. */
export async function issueKey(write: Write, caller: Caller<'keys.manage'>, wish: KeyToIssue) {
  await refuseOverQuota(write, 'keys')
  const { token, hash, hint } = issueToken(caller.workspaceId)
  const { name, scopes, allowedCidrs = [], expiresAt, replaces } = wish
  const id = write.newId('key')
  const key: StoredKey = {
    id,
    lineage: replaces?.lineage ?? id,
    name,
    scopes: [...scopes],
    hint,
    allowed_cidrs: [...allowedCidrs],
    created_by: caller.actor,
    expires_at: expiresAt,
    revoked_at: null,
    replaces: replaces?.id ?? null,
    replaced_by: null,
    rotated_at: null,
    is_expiry_told: false,
    last_used_at: null,
    last_used_from: null,
    refused_at: null,
    version: 0,
    created_at: write.now,
    updated_at: write.now,
  }
  insertKey(write, key, hash)
  write.record({ type: 'key.created', subject: id, changed: ['name', 'scopes'] })
  return { key, token }
}

/** A key gives only scopes that it holds. */
export function refuseUnheld(caller: Caller<'keys.manage'>, scopes: readonly Scope[]): void {
  const scope = scopes.find((each) => !isGranted(caller.scopes, each))
  if (scope !== undefined) {
    throw unheld(caller, scope, `Your key does not hold ${scope}, so it cannot give it.`)
  }
}

/** Changing or rotating a key needs every scope that it holds. Revoking it does not. */
export function refuseMorePrivileged(caller: Caller<'keys.manage'>, key: StoredKey): void {
  // The cast holds because only scopes of the contract are ever given to a key.
  const scope = (key.scopes as Scope[]).find((each) => !isGranted(caller.scopes, each))
  if (scope === undefined) return
  const advice = `Use a key that holds ${scope}, or revoke this key.`
  throw unheld(caller, scope, `${key.id} holds ${scope}, and your key does not. ${advice}`)
}

const unheld = ({ scopes }: Caller<'keys.manage'>, scope: Scope, detail: string) =>
  new Failure('insufficient_scope', detail, { required_scope: scope, granted_scopes: scopes })

/** The key, to be changed by this write. */
export async function findToChange(write: Write, id: string): Promise<StoredKey> {
  const key = await lockKey(write, id)
  if (key === null) throw noKey(id)
  return key
}

export const noKey = (id: string) =>
  new Failure('not_found', `There is no key ${id} in this workspace.`)

/** Marks it revoked. Revoking it again changes nothing. */
export function revoke(write: Write, key: StoredKey): StoredKey {
  if (key.revoked_at !== null) return key
  const after = { ...key, revoked_at: write.now, updated_at: write.now, version: 0 }
  updateKey(write, key, after)
  write.record({ type: 'key.revoked', subject: key.id, changed: ['status', 'revoked_at'] })
  return after
}

/** The instant that decides whether a key has ended: the database's, as at the door. */
export async function momentOf(read: Read): Promise<string> {
  return instantOf(await selectMoment(read, null))
}

/** A key as it is told, at this instant. */
export function presentKey(key: StoredKey, now: string): Key {
  const { lineage: _, rotated_at: __, is_expiry_told: ___, refused_at: ____, ...told } = key
  return {
    ...told,
    // The casts hold because only what the contract lists is ever given to a key.
    scopes: key.scopes as Scope[],
    created_by: key.created_by as Key['created_by'],
    status: statusOf(key, now),
  }
}

export function statusOf({ revoked_at, expires_at }: StoredKey, now: string): Key['status'] {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && expires_at <= now ? 'expired' : 'active'
}

import { isGranted, type Key, type Scope, scopes as everyScope } from '@muster/contract'

import type { Caller } from '#domain/engine/caller'
import { Failure } from '#domain/engine/failure'
import { refuseOverQuota } from '#domain/engine/quota'
import { insertKey, lockKey, type StoredKey, updateKey } from '#storage/nouns/keys'
import { instantOf, selectMoment } from '#storage/numbers/moment'
import type { Read, Write } from '#storage/statements/access'

import { audit } from './audit.ts'
import { issueToken } from './token.ts'

/** The scopes of a key that an administrator gets with a new or an imported workspace. */
export const manageScopes = everyScope.filter((scope) => scope.endsWith('.manage'))

interface KeyFields {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly allowedCidrs?: readonly string[]
  /** Null or absent for a key that shows all projects. */
  readonly projectIds?: readonly string[] | null
}

/** The fields of a key that an administrator creates. */
export interface KeyInput extends KeyFields {
  /** Null for a key that does not expire. */
  readonly expiresInHours: number | null
}

interface KeyToIssue extends KeyFields {
  readonly expiresAt: string | null
  /** The person of a personal key. */
  readonly userId?: string | null
  readonly responsibleUserId?: string | null
  /** The key that the new one replaces in a rotation. */
  readonly replaces?: StoredKey
}

/** The fields that the creator of a key decides. An event names those that have a value. */
const givenFields = [
  'name',
  'scopes',
  'allowed_cidrs',
  'project_ids',
  'user_id',
  'responsible_user_id',
  'expires_at',
  'replaces',
] as const

/** Creates a key in this write. Only the hash of the returned token is stored. */
export async function issueKey(write: Write, caller: Caller<never>, input: KeyToIssue) {
  await refuseOverQuota(write, 'keys')
  const { token, hash, hint } = issueToken(caller.workspaceId)
  const { name, scopes, allowedCidrs = [], projectIds = null, expiresAt, replaces } = input
  const id = write.newId('key')
  const key: StoredKey = {
    id,
    lineage: replaces?.lineage ?? id,
    name,
    scopes: [...scopes],
    hint,
    allowed_cidrs: [...allowedCidrs],
    project_ids: projectIds && [...projectIds],
    user_id: input.userId ?? null,
    responsible_user_id: input.responsibleUserId ?? null,
    created_by: caller.actor,
    expires_at: expiresAt,
    revoked_at: null,
    replaces: replaces?.id ?? null,
    replaced_by: null,
    rotated_at: null,
    is_expiry_notified: false,
    last_used_at: null,
    last_used_from: null,
    refused_at: null,
    version: 0,
    created_at: write.now,
    updated_at: write.now,
  }
  insertKey(write, key, hash)
  const changed = givenFields.filter((field) => (key[field]?.length ?? 0) > 0)
  write.record({ type: 'key.created', subject: id, changed })
  // A rotation adds an entry of its own.
  if (!replaces) audit(write, caller, { type: 'key.created', subjectId: id, userId: key.user_id })
  return { key, token }
}

/** A key can grant only scopes that it holds. */
export function refuseScopesNotHeld(caller: Caller<never>, scopes: readonly Scope[]): void {
  const scope = scopes.find((each) => !isGranted(caller.scopes, each))
  if (scope !== undefined) {
    throw insufficientScope(
      caller,
      scope,
      `Your key does not hold ${scope}, so it cannot grant it.`,
    )
  }
}

/** Changing or rotating a key needs every scope that it holds. Revoking it does not. */
export function refuseMorePrivileged(caller: Caller<'keys.manage'>, key: StoredKey): void {
  // The cast holds because keys are created only with scopes of the contract.
  const scope = (key.scopes as Scope[]).find((each) => !isGranted(caller.scopes, each))
  if (scope === undefined) return
  const advice = `Use a key that holds ${scope}, or revoke this key.`
  throw insufficientScope(
    caller,
    scope,
    `${key.id} holds ${scope}, and your key does not. ${advice}`,
  )
}

const insufficientScope = ({ scopes }: Caller<never>, scope: Scope, detail: string) =>
  new Failure('insufficient_scope', detail, { required_scope: scope, granted_scopes: scopes })

/** Locks the key for this write. */
export async function lockExistingKey(write: Write, id: string): Promise<StoredKey> {
  const key = await lockKey(write, id)
  if (key === null) throw keyNotFound(id)
  return key
}

export const keyNotFound = (id: string) =>
  new Failure('not_found', `There is no key ${id} in this workspace.`)

/** Revoking a revoked key is a no-op. */
export function markRevoked(write: Write, caller: Caller<never>, key: StoredKey): StoredKey {
  if (key.revoked_at !== null) return key
  const after = { ...key, revoked_at: write.now, updated_at: write.now, version: 0 }
  updateKey(write, key, after)
  write.record({ type: 'key.revoked', subject: key.id, changed: ['status', 'revoked_at'] })
  audit(write, caller, { type: 'key.revoked', subjectId: key.id, userId: key.user_id })
  return after
}

/** The database clock, which authentication also uses to decide whether a key has expired. */
export async function readCurrentTime(read: Read): Promise<string> {
  return instantOf(await selectMoment(read, null))
}

/** The key as responses show it, with its status at `now`. */
export function presentKey(key: StoredKey, now: string): Key {
  const { lineage: _, rotated_at: __, is_expiry_notified: ___, refused_at: ____, ...rest } = key
  return {
    ...rest,
    // The casts hold because keys are created only with values of the contract.
    scopes: key.scopes as Scope[],
    created_by: key.created_by as Key['created_by'],
    status: statusOf(key, now),
  }
}

export function statusOf({ revoked_at, expires_at }: StoredKey, now: string): Key['status'] {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && expires_at <= now ? 'expired' : 'active'
}

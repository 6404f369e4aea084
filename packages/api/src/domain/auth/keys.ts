import {
  type Key,
  type KeyPatch,
  keyStatuses,
  limits,
  type NewKey,
  type NewSecret,
  type Rotation,
  type Scope,
} from '@muster/contract'

import type { Caller } from '#domain/engine/caller'
import { differences, invalidTransition, applyPatch, refuseStale } from '#domain/engine/change'
import { Failure, invalid } from '#domain/engine/failure'
import { filtersIn, type Listing, listingOf } from '#domain/engine/listing'
import { lockPeopleById } from '#domain/roster/assignable'
import { later } from '#domain/rules/time'
import { lockKey, selectKey, keysList, type StoredKey, updateKey } from '#storage/nouns/keys'
import { selectWorkspace } from '#storage/nouns/workspace'
import type { Write } from '#storage/statements/access'

import { isNetwork } from './addresses.ts'
import { audit } from './audit.ts'
import {
  expiryOf,
  isWider,
  latestExpiryOf,
  refuseLongerLifetime,
  refuseWiderNetworks,
  refuseWiderRotation,
  sameLifetime,
} from './key-limits.ts'
import { refuseUnboundScopes, refuseUnknownProjects, showsMore } from './key-projects.ts'
import {
  lockExistingKey,
  issueKey,
  type KeyInput,
  readCurrentTime,
  keyNotFound,
  presentKey,
  refuseMorePrivileged,
  refuseScopesNotHeld,
  markRevoked,
  statusOf,
} from './key.ts'
import { changeRights } from './rights-growth.ts'

export interface KeysQuery {
  readonly status?: readonly Key['status'][]
}

/** Lists keys: all but revoked ones, unless the query filters by status. */
export function listKeys(caller: Caller<'keys.read'>, query: KeysQuery): Listing<Key> {
  const statuses = query.status ?? (['active', 'expired'] as const)
  return listingOf(caller, {
    counter: filtersIn(query).length > 0 ? null : 'keys',
    list: keysList(statuses),
    context: readCurrentTime,
    present: (keys, { context: now }) => keys.map((key) => presentKey(key, now)),
  })
}

export function viewKey(caller: Caller<'keys.read'>, id: string): Promise<Key> {
  return caller.database.read(caller, async (read) => {
    const [key, now] = await Promise.all([selectKey(read, id), readCurrentTime(read)])
    if (key === null) throw keyNotFound(id)
    return presentKey(key, now)
  })
}

/** Returns all keys, including revoked ones. */
export async function listAllKeys(caller: Caller<'keys.read'>): Promise<Key[]> {
  const keys: Key[] = []
  await listKeys(caller, { status: keyStatuses }).all(async (items) => void keys.push(...items))
  return keys
}

/** For administrators: without the checks that bound a key by the key that creates it. */
export async function createKey(caller: Caller<'keys.manage'>, input: KeyInput) {
  const { expiresInHours: hours, ...fields } = input
  const { id, secret } = await withSecret(caller, (write) => {
    const expiresAt = hours === null ? null : later(write.now, hours, 'hours')
    return issueKey(write, caller, { ...fields, expiresAt })
  })
  return { id, token: secret }
}

export async function addKey(caller: Caller<'keys.manage'>, input: NewKey): Promise<NewSecret> {
  const { name, scopes, allowed_cidrs: allowedCidrs = caller.allowedCidrs } = input
  const { expires_in_days: days, responsible_user_id: responsibleUserId = null } = input
  const { project_ids: projectIds = null } = input
  refuseScopesNotHeld(caller, scopes)
  refuseUnboundScopes(projectIds, scopes)
  refuseInvalidNetworks(allowedCidrs)
  refuseWiderNetworks(caller, allowedCidrs)
  return withSecret(caller, async (write) => {
    const daysMax = (await selectWorkspace(write)).policies.key_days_max
    const defaultDays = Math.min(limits.keyDays.default, daysMax ?? Infinity)
    const bounds = { now: write.now, daysMax, latest: caller.expiresAt }
    const expiresAt = expiryOf(days, later(write.now, defaultDays, 'days'), bounds)
    await refuseUnknownPerson(write, responsibleUserId)
    await refuseUnknownProjects(write, caller, projectIds)
    const fields = { name, scopes, allowedCidrs, projectIds }
    return issueKey(write, caller, { ...fields, expiresAt, responsibleUserId })
  })
}

/** The person who is responsible for a key must be on the roster. */
async function refuseUnknownPerson(write: Write, userId: string | null | undefined): Promise<void> {
  if (!userId) return
  const person = (await lockPeopleById(write, [userId])).get(userId)
  if (person && person.status !== 'departed') return
  const detail = `${userId} is not on the roster.`
  throw new Failure('unknown_reference', detail, { pointer: '/responsible_user_id' })
}

/**
 * Creates a key that replaces an old one. The old key stays valid for the overlap; its responses
 * announce the end. Also revokes the expired predecessor of the old key, so that rotations do not
 * use up the key quota.
 */
export async function rotateKey(
  caller: Caller<'keys.manage'>,
  id: string,
  { overlap_seconds: overlap = limits.overlapSeconds.default, expires_in_days: days }: Rotation,
): Promise<NewSecret> {
  return withSecret(caller, async (write) => {
    const old = await lockExistingKey(write, id)
    refusePersonalKey(old)
    refuseMorePrivileged(caller, old)
    refuseWiderRotation(caller, old)
    refuseInactive(old, write.now, 'rotated')
    const { policies } = await selectWorkspace(write)
    const expiresAt = expiryOf(days, sameLifetime(old, write.now), {
      now: write.now,
      daysMax: policies.key_days_max,
      latest: latestExpiryOf(caller, old),
    })
    refuseLongerLifetime(old, days)
    const predecessor = old.replaces === null ? null : await lockKey(write, old.replaces)
    if (predecessor && statusOf(predecessor, write.now) === 'expired')
      markRevoked(write, caller, predecessor)
    const issued = await issueKey(write, caller, {
      name: old.name,
      // The cast holds because keys are created only with scopes of the contract.
      scopes: old.scopes as Scope[],
      allowedCidrs: old.allowed_cidrs,
      projectIds: old.project_ids,
      expiresAt,
      replaces: old,
      responsibleUserId: old.responsible_user_id,
    })
    const until = later(write.now, overlap, 'seconds')
    const after = {
      ...old,
      expires_at: old.expires_at !== null && old.expires_at < until ? old.expires_at : until,
      replaced_by: issued.key.id,
      rotated_at: write.now,
      updated_at: write.now,
    }
    updateKey(write, old, after)
    const changed = ['expires_at', 'replaced_by']
    write.record({ type: 'key.rotated', subject: id, changed })
    audit(write, caller, { type: 'key.rotated', subjectId: id, reason: issued.key.id })
    return issued
  })
}

const writable = ['name', 'allowed_cidrs', 'project_ids', 'responsible_user_id'] as const
const advice = {
  status: 'Use POST …/revoke',
  scopes: 'Create another key',
  expires_at: 'Rotate the key',
}

export function changeKey(
  caller: Caller<'keys.manage'>,
  id: string,
  patch: KeyPatch,
): Promise<Key> {
  return caller.database.write(caller, async (write) => {
    const before = await lockExistingKey(write, id)
    refusePersonalKey(before)
    refuseMorePrivileged(caller, before)
    refuseStale(caller, before)
    const current = presentKey(before, write.now)
    const fields = applyPatch(current, patch, { writable, advice })
    refuseInvalidNetworks(fields.allowed_cidrs ?? [])
    const after = { ...before, ...fields, updated_at: write.now, version: 0 }
    const changed = differences(current, { ...current, ...fields })
    if (changed.length === 0) return current
    if (changed.includes('allowed_cidrs')) refuseWiderNetworks(caller, after.allowed_cidrs)
    if (before.revoked_at !== null) refuseInactive(before, write.now, 'changed')
    if (changed.includes('responsible_user_id'))
      await refuseUnknownPerson(write, after.responsible_user_id)
    if (changed.includes('project_ids')) await refuseProjects(write, caller, after)
    await changeRights(write, caller, {
      isGrowth: isWider(before.allowed_cidrs, after.allowed_cidrs) || showsMore(before, after),
      entries: [{ type: 'key.updated', subjectId: id, reason: keyChange(changed, before, after) }],
    })
    updateKey(write, before, after)
    write.record({ type: 'key.updated', subject: id, changed })
    return presentKey(after, write.now)
  })
}

async function refuseProjects(write: Write, caller: Caller<'keys.manage'>, after: StoredKey) {
  // The cast holds because keys are created only with scopes of the contract.
  refuseUnboundScopes(after.project_ids, after.scopes as Scope[])
  await refuseUnknownProjects(write, caller, after.project_ids)
}

/** The length of a list in the audit log. */
const namedMax = 70

/** The change of a key for the audit log, such as `name, allowed_cidrs any to 10.0.0.0/8`. */
function keyChange(changed: readonly string[], before: StoredKey, after: StoredKey): string {
  const named = (values: readonly string[], none: string) => {
    const text = values.join(' ') || none
    return text.length > namedMax ? `${text.slice(0, namedMax)}…` : text
  }
  const valueOf: Readonly<Record<string, (key: StoredKey) => string>> = {
    allowed_cidrs: ({ allowed_cidrs }) => named(allowed_cidrs, 'any'),
    project_ids: ({ project_ids }) => named(project_ids ?? [], 'all'),
  }
  return changed
    .map((name) => {
      const value = valueOf[name]
      return value ? `${name} ${value(before)} to ${value(after)}` : name
    })
    .join(', ')
}

/** Only its person creates a personal key, and the response would contain its secret. */
function refusePersonalKey({ id, user_id }: StoredKey): void {
  if (user_id === null) return
  const detail = `${id} is a personal key of ${user_id}. Revoke it; the person creates another.`
  throw new Failure('beyond_your_rights', detail, { missing_rights: [] })
}

/** The next request with this key is refused. Revoking a revoked key is a no-op. */
export function revokeKey(caller: Caller<'keys.manage'>, id: string): Promise<Key> {
  return caller.database.write(caller, async (write) => {
    const key = await lockExistingKey(write, id)
    if (key.revoked_at === null) refuseStale(caller, key)
    return presentKey(markRevoked(write, caller, key), write.now)
  })
}

/** Any key can revoke itself, so a person who finds a leaked key can revoke it. */
export function revokeSelf(caller: Caller<'any_principal'>): Promise<Key> {
  return caller.database.write(caller, async (write) => {
    const { type, id } = caller.actor
    if (type !== 'key' || id === null)
      throw new Failure('not_found', 'You are signed in as a person, without a key.')
    const key = await lockExistingKey(write, id)
    return presentKey(markRevoked(write, caller, key), write.now)
  })
}

/**
 * Returns the new key with its secret. The idempotency record stores the key without the secret, so
 * a replayed request fails instead of returning it.
 */
export async function withSecret(
  caller: Caller<never>,
  issue: (write: Write) => Promise<{ key: StoredKey; token: string }>,
): Promise<NewSecret> {
  let secret = ''
  const key = await caller.database.write(caller, async (write) => {
    const issued = await issue(write)
    secret = issued.token
    return presentKey(issued.key, write.now)
  })
  // A duplicate request may have won the race. Then `key` is the one that it created.
  if (!caller.idempotentRequest?.isReplay) return { ...key, secret }
  const detail = `The key ${key.id} was created by an earlier request with this Idempotency-Key.`
  throw new Failure('secret_not_replayable', detail, { conflicting_id: key.id })
}

function refuseInactive(key: StoredKey, now: string, to: string): void {
  const from = statusOf(key, now)
  if (from !== 'active') {
    throw invalidTransition(`The key is ${from}. Create a new one.`, { from, to, allowed: [] })
  }
  if (to !== 'rotated' || key.replaced_by === null) return
  const detail = `The key was already rotated. Its replacement is ${key.replaced_by}.`
  throw invalidTransition(detail, { from: 'rotated', to, allowed: [] })
}

/** Catches what the pattern of the contract accepts: 300.0.0.0 or 10.0.0.0/33. */
export function refuseInvalidNetworks(cidrs: readonly string[]): void {
  const fieldErrors = [...cidrs.entries()]
    .filter(([, cidr]) => !isNetwork(cidr))
    .map(([index]) => ({
      pointer: `/allowed_cidrs/${index}`,
      code: 'not_a_network',
      detail: 'must be a network such as 203.0.113.0/24 or 2001:db8::/32',
    }))
  if (fieldErrors.length > 0) throw invalid(...fieldErrors)
}

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

import { isNetwork } from '#domain/addresses'
import type { Caller } from '#domain/caller'
import { differences, impossible, patched, refuseStale } from '#domain/change'
import { Failure, invalid } from '#domain/failure'
import {
  findToChange,
  issueKey,
  type KeyWish,
  momentOf,
  noKey,
  presentKey,
  refuseMorePrivileged,
  refuseUnheld,
  revoke,
  statusOf,
} from '#domain/key'
import { expiryOf, latestEndOf, refuseWiderNetworks, refuseWiderRotation } from '#domain/key-limits'
import { filtersIn, listing, type Listing } from '#domain/listing'
import { later } from '#domain/time'
import type { Write } from '#storage/database'
import { countKeys, lockKey, selectKey, selectKeys, type StoredKey, updateKey } from '#storage/keys'
import { selectWorkspace } from '#storage/workspace'

export interface KeysQuery {
  readonly status?: readonly Key['status'][]
}

/** The keys that are not revoked, or those that the query names instead. */
export function listKeys(caller: Caller<'keys.read'>, query: KeysQuery): Listing<Key> {
  const statuses = query.status ?? (['active', 'expired'] as const)
  return listing(caller, {
    counter: filtersIn(query).length > 0 ? null : 'keys',
    count: (snapshot, max) => countKeys(snapshot, statuses, max),
    select: async (snapshot, page) => {
      const [now, { items, next }] = await Promise.all([
        momentOf(snapshot),
        selectKeys(snapshot, statuses, page),
      ])
      return { items: items.map((key) => presentKey(key, now)), next }
    },
  })
}

export function viewKey(caller: Caller<'keys.read'>, id: string): Promise<Key> {
  return caller.database.read(caller, async (read) => {
    const [key, now] = await Promise.all([selectKey(read, id), momentOf(read)])
    if (key === null) throw noKey(id)
    return presentKey(key, now)
  })
}

/** Every key there ever was. */
export async function everyKey(caller: Caller<'keys.read'>): Promise<Key[]> {
  const keys: Key[] = []
  await listKeys(caller, { status: keyStatuses }).all(async (items) => void keys.push(...items))
  return keys
}

/** Makes a key, as whoever holds the credential of the database wishes it. */
export async function createKey(caller: Caller<'keys.manage'>, wish: KeyWish) {
  const { expiresInHours: hours, ...fields } = wish
  const { id, secret } = await withSecret(caller, (write) => {
    const expiresAt = hours === null ? null : later(write.now, hours, 'hours')
    return issueKey(write, caller, { ...fields, expiresAt })
  })
  return { id, token: secret }
}

export async function addKey(caller: Caller<'keys.manage'>, input: NewKey): Promise<NewSecret> {
  const { name, scopes, allowed_cidrs: allowedCidrs = caller.allowedCidrs } = input
  const { expires_in_days: days } = input
  refuseUnheld(caller, scopes)
  refuseNonsense(allowedCidrs)
  refuseWiderNetworks(caller, allowedCidrs)
  return withSecret(caller, async (write) => {
    const daysMax = (await selectWorkspace(write)).policies.key_days_max
    const usual = Math.min(limits.keyDays.default, daysMax ?? Infinity)
    const bounds = { now: write.now, daysMax, latest: caller.expiresAt }
    const expiresAt = expiryOf(days, usual, bounds)
    return issueKey(write, caller, { name, scopes, allowedCidrs, expiresAt })
  })
}

/**
 * A new key in place of an old one, which lives on for a while and says so in its answers. What the
 * old one had itself replaced, and has ended, is revoked: a key that is rotated for years does not
 * fill the workspace.
 */
export async function rotateKey(
  caller: Caller<'keys.manage'>,
  id: string,
  { overlap_seconds: overlap = limits.overlapSeconds.default, expires_in_days: days }: Rotation,
): Promise<NewSecret> {
  return withSecret(caller, async (write) => {
    const old = await findToChange(write, id)
    refuseMorePrivileged(caller, old)
    refuseWiderRotation(caller, old)
    refuseEnded(old, write.now, 'rotated')
    const { policies } = await selectWorkspace(write)
    const former = old.replaces === null ? null : await lockKey(write, old.replaces)
    if (former && statusOf(former, write.now) === 'expired') revoke(write, former)
    const issued = await issueKey(write, caller, {
      name: old.name,
      // The cast holds because only scopes of the contract are ever given to a key.
      scopes: old.scopes as Scope[],
      allowedCidrs: old.allowed_cidrs,
      expiresAt: expiryOf(days, daysOf(old), {
        now: write.now,
        daysMax: policies.key_days_max,
        latest: latestEndOf(caller, old),
      }),
      replaces: old,
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
    return issued
  })
}

/** For how many days a key was made. */
const daysOf = ({ created_at, expires_at }: StoredKey) =>
  expires_at === null
    ? null
    : Math.max(1, Math.round((Date.parse(expires_at) - Date.parse(created_at)) / 86_400_000))

const writable = ['name', 'allowed_cidrs'] as const
const advice = {
  status: 'It follows from POST …/revoke and from time',
  scopes: 'Make another key',
  expires_at: 'Rotate the key',
}

export function changeKey(
  caller: Caller<'keys.manage'>,
  id: string,
  patch: KeyPatch,
): Promise<Key> {
  return caller.database.write(caller, async (write) => {
    const before = await findToChange(write, id)
    refuseMorePrivileged(caller, before)
    refuseStale(caller, before)
    const told = presentKey(before, write.now)
    const fields = patched(told, patch, { writable, advice })
    refuseNonsense(fields.allowed_cidrs ?? [])
    const after = { ...before, ...fields, updated_at: write.now, version: 0 }
    const changed = differences(told, { ...told, ...fields })
    if (changed.length === 0) return told
    if (changed.includes('allowed_cidrs')) refuseWiderNetworks(caller, after.allowed_cidrs)
    if (before.revoked_at !== null) refuseEnded(before, write.now, 'changed')
    updateKey(write, before, after)
    write.record({ type: 'key.updated', subject: id, changed })
    return presentKey(after, write.now)
  })
}

/** From the next request on the key is refused. Revoking it again changes nothing. */
export function revokeKey(caller: Caller<'keys.manage'>, id: string): Promise<Key> {
  return caller.database.write(caller, async (write) => {
    const key = await findToChange(write, id)
    if (key.revoked_at === null) refuseStale(caller, key)
    return presentKey(revoke(write, key), write.now)
  })
}

/** Any key can end itself: whoever finds one that leaked can do so with nothing else. */
export function revokeSelf(caller: Caller<'any_key'>): Promise<Key> {
  return caller.database.write(caller, async (write) => {
    const key = await findToChange(write, caller.actor.id ?? '')
    return presentKey(revoke(write, key), write.now)
  })
}

/**
 * A key that a write makes, with its secret beside it. What is kept of the answer, to repeat it, is
 * the key without the secret; so it cannot be repeated.
 */
async function withSecret(
  caller: Caller<'keys.manage'>,
  make: (write: Write) => Promise<{ key: StoredKey; token: string }>,
): Promise<NewSecret> {
  let secret = ''
  const key = await caller.database.write(caller, async (write) => {
    const made = await make(write)
    secret = made.token
    return presentKey(made.key, write.now)
  })
  // What was made may have lost a race to a twin, and the key be the twin's.
  if (!caller.repeatable?.isReplay) return { ...key, secret }
  const detail = `The key ${key.id} was made by an earlier request with this Idempotency-Key.`
  throw new Failure('secret_not_replayable', detail, { conflicting_id: key.id })
}

function refuseEnded(key: StoredKey, now: string, to: string): void {
  const from = statusOf(key, now)
  if (from !== 'active') {
    throw impossible(`The key is ${from}. Make a new one.`, { from, to, allowed: [] })
  }
  if (to !== 'rotated' || key.replaced_by === null) return
  const detail = `It was rotated already: ${key.replaced_by} has replaced it.`
  throw impossible(detail, { from: 'rotated', to, allowed: [] })
}

/** What looks like a network and is none: 300.0.0.0, or a length that no address has. */
function refuseNonsense(cidrs: readonly string[]): void {
  const flaws = [...cidrs.entries()]
    .filter(([, cidr]) => !isNetwork(cidr))
    .map(([index]) => ({
      pointer: `/allowed_cidrs/${index}`,
      code: 'not_a_network',
      detail: 'must be a network such as 203.0.113.0/24 or 2001:db8::/32',
    }))
  if (flaws.length > 0) throw invalid(...flaws)
}

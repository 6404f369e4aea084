import type { Caller } from '#domain/engine/caller'
import { Failure, invalid } from '#domain/engine/failure'
import { later } from '#domain/rules/time'
import type { StoredKey } from '#storage/nouns/keys'

import { isWithin } from './addresses.ts'

const outsideCode = 'outside_own_networks'

/** Networks listed in a detail: a detail has 500 characters, a network up to 49. */
const namedMax = 5

/**
 * Refuses networks outside those that the caller's key is restricted to. Without this check a
 * restricted key could create a key that works from anywhere.
 */
export function refuseWiderNetworks(
  { allowedCidrs }: Caller<'keys.manage'>,
  cidrs: readonly string[],
): void {
  if (allowedCidrs.length === 0) return
  if (cidrs.length === 0) {
    const detail = 'must not be empty: your key is restricted to networks and can grant no others'
    throw invalid({ pointer: '/allowed_cidrs', code: outsideCode, detail })
  }
  const named = allowedCidrs.slice(0, namedMax).join(', ')
  const more = allowedCidrs.length > namedMax ? ', …' : ''
  const detail = `must be within the networks of your key: ${named}${more}`
  const fieldErrors = [...cidrs.entries()]
    .filter(([, cidr]) => !isWithin(cidr, allowedCidrs))
    .map(([index]) => ({ pointer: `/allowed_cidrs/${index}`, code: outsideCode, detail }))
  if (fieldErrors.length > 0) throw invalid(...fieldErrors)
}

/**
 * Refuses to rotate a key that is valid outside the caller's networks: the response contains its
 * secret. A key may rotate itself.
 */
export function refuseWiderRotation(caller: Caller<'keys.manage'>, key: StoredKey): void {
  const { allowedCidrs } = caller
  if (isOwn(caller, key) || allowedCidrs.length === 0) return
  const isCovered = key.allowed_cidrs.every((cidr) => isWithin(cidr, allowedCidrs))
  if (isCovered && key.allowed_cidrs.length > 0) return
  const detail =
    `${key.id} is valid outside the networks of your key. Use a key without network restriction, ` +
    `or first PATCH \`allowed_cidrs\` of ${key.id} to networks of your key.`
  throw new Failure('networks_not_covered', detail)
}

/** Whether a key with the new networks is valid where it was not before. */
export const isWider = (before: readonly string[], after: readonly string[]) =>
  before.length > 0 && (after.length === 0 || after.some((cidr) => !isWithin(cidr, before)))

interface ExpiryBounds {
  readonly now: string
  /** The workspace policy `key_days_max`; null for no limit. */
  readonly daysMax: number | null
  /** When the caller's own key expires; null for never. */
  readonly latest: string | null
}

/**
 * The expiry of a key that is issued now: after the requested days, else at the default end but no
 * later than the caller's key. Null is never; undefined is not requested.
 */
export function expiryOf(
  days: number | null | undefined,
  defaultEnd: string | null,
  { now, daysMax, latest }: ExpiryBounds,
): string | null {
  const after = (count: number | null) => (count === null ? null : later(now, count, 'days'))
  const end = days === undefined ? earliest(defaultEnd, latest) : after(days)
  const policyEnd = after(daysMax)
  // When both bounds are exceeded, the failure names the tighter one.
  if (isAfter(end, latest) && isAfter(policyEnd, latest)) throw outlivesOwnKey(latest, now)
  if (isAfter(end, policyEnd)) {
    throw invalidExpiry('policy', `must be at most ${daysMax}, the limit of the workspace`)
  }
  return end
}

/**
 * The expiry of a key that replaces this one now, if the request names none: after the lifetime
 * that this one was created with. Null is never.
 */
export const sameLifetime = (key: StoredKey, now: string) =>
  key.expires_at === null ? null : later(now, lifetimeMs(key, key.expires_at) / 1000, 'seconds')

/** Refuses a rotation to a longer lifetime: it would extend the life of any key to "never". */
export function refuseLongerLifetime(key: StoredKey, days: number | null | undefined): void {
  if (days === undefined || key.expires_at === null) return
  const ms = lifetimeMs(key, key.expires_at)
  if (days !== null && days * dayMs <= ms) return
  const daysMax = Math.floor(ms / dayMs)
  const most = daysMax < 1 ? 'omitted' : `at most ${daysMax}`
  const reason =
    'a rotation keeps at most the lifetime of the key. Create a key to get a longer one'
  throw invalidExpiry('longer_lifetime', `must be ${most}: ${reason}`)
}

const dayMs = 86_400_000

const lifetimeMs = ({ created_at }: StoredKey, expiresAt: string) =>
  Date.parse(expiresAt) - Date.parse(created_at)

/** The latest expiry of a rotated key. A key that rotates itself may outlive its current expiry. */
export const latestExpiryOf = (caller: Caller<'keys.manage'>, rotated: StoredKey) =>
  isOwn(caller, rotated) ? null : caller.expiresAt

/** Null is never, which is after every instant. */
const isAfter = (end: string | null, bound: string | null): bound is string =>
  bound !== null && (end === null || end > bound)

const earliest = (one: string | null, other: string | null) => (isAfter(one, other) ? other : one)

function outlivesOwnKey(latest: string, now: string): Failure {
  const daysMax = Math.floor((Date.parse(latest) - Date.parse(now)) / dayMs)
  const most = daysMax < 1 ? 'omitted' : `at most ${daysMax}`
  const reason = `your key expires at ${latest}, and a key cannot outlive its creator`
  return invalidExpiry('outlives_own_key', `must be ${most}: ${reason}`)
}

const invalidExpiry = (code: string, detail: string) =>
  invalid({ pointer: '/expires_in_days', code, detail })

const isOwn = ({ actor }: Caller<'keys.manage'>, key: StoredKey) => actor.id === key.id

import { isWithin } from '#domain/addresses'
import type { Caller } from '#domain/caller'
import { Failure, invalid } from '#domain/failure'
import { later } from '#domain/time'
import type { StoredKey } from '#storage/keys'

const outside = 'outside_own_networks'

/** How many networks a detail names: it has 500 characters, a network up to 49. */
const namedMax = 5

/**
 * Refuses networks outside those that the caller's key is bound to. Without this check a bound key
 * could create or change a key that works from anywhere.
 */
export function refuseWiderNetworks(
  { allowedCidrs }: Caller<'keys.manage'>,
  cidrs: readonly string[],
): void {
  if (allowedCidrs.length === 0) return
  if (cidrs.length === 0) {
    const detail = 'must not be empty: your key is bound to networks, and can give no others'
    throw invalid({ pointer: '/allowed_cidrs', code: outside, detail })
  }
  const named = allowedCidrs.slice(0, namedMax).join(', ')
  const more = allowedCidrs.length > namedMax ? ', …' : ''
  const detail = `must be within the networks of your key: ${named}${more}`
  const flaws = [...cidrs.entries()]
    .filter(([, cidr]) => !isWithin(cidr, allowedCidrs))
    .map(([index]) => ({ pointer: `/allowed_cidrs/${index}`, code: outside, detail }))
  if (flaws.length > 0) throw invalid(...flaws)
}

/**
 * Refuses to rotate a key that may be used from outside the caller's networks: the answer holds a
 * secret. A key may rotate itself.
 */
export function refuseWiderRotation(caller: Caller<'keys.manage'>, key: StoredKey): void {
  const { allowedCidrs } = caller
  if (isOwn(caller, key) || allowedCidrs.length === 0) return
  const isCovered = key.allowed_cidrs.every((cidr) => isWithin(cidr, allowedCidrs))
  if (isCovered && key.allowed_cidrs.length > 0) return
  const detail =
    `${key.id} may be used from outside the networks of your key. Use a key that is not bound, ` +
    `or first PATCH \`allowed_cidrs\` of ${key.id} to networks of yours.`
  throw new Failure('networks_not_covered', detail)
}

interface LifeBounds {
  readonly now: string
  /** The policy of the workspace; null for none. */
  readonly daysMax: number | null
  /** When the caller's own key ends; null for never. */
  readonly latest: string | null
}

/**
 * When a key ends that is issued now: after the days that were asked for, or else after the usual
 * ones, shortened to the end of the caller's key. Null stands for never, undefined for not given.
 */
export function expiryOf(
  days: number | null | undefined,
  usual: number | null,
  { now, daysMax, latest }: LifeBounds,
): string | null {
  const after = (count: number | null) => (count === null ? null : later(now, count, 'days'))
  const end = days === undefined ? earliest(after(usual), latest) : after(days)
  const policyEnd = after(daysMax)
  // Of two bounds that are exceeded the tighter one is named.
  if (isAfter(end, latest) && isAfter(policyEnd, latest)) throw outlives(latest, now)
  if (isAfter(end, policyEnd)) {
    throw wrongLife('policy', `must be at most ${daysMax}: the workspace allows no longer life`)
  }
  return end
}

/** The latest end of the key that replaces another. A key that rotates itself renews its life. */
export const latestEndOf = (caller: Caller<'keys.manage'>, rotated: StoredKey) =>
  isOwn(caller, rotated) ? null : caller.expiresAt

/** Null, never, is after every instant. */
const isAfter = (end: string | null, bound: string | null): bound is string =>
  bound !== null && (end === null || end > bound)

const earliest = (one: string | null, other: string | null) => (isAfter(one, other) ? other : one)

function outlives(latest: string, now: string): Failure {
  const daysMax = Math.floor((Date.parse(latest) - Date.parse(now)) / 86_400_000)
  const most = daysMax < 1 ? 'left out' : `at most ${daysMax}`
  const reason = `your key ends at ${latest}, and a key that it makes cannot outlive it`
  return wrongLife('outlives_own_key', `must be ${most}: ${reason}`)
}

const wrongLife = (code: string, detail: string) =>
  invalid({ pointer: '/expires_in_days', code, detail })

const isOwn = ({ actor }: Caller<'keys.manage'>, key: StoredKey) => actor.id === key.id

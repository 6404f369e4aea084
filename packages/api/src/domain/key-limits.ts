import { isWithin } from '#domain/addresses'
import type { Caller } from '#domain/caller'
import { Failure, invalid } from '#domain/failure'
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

const isOwn = ({ actor }: Caller<'keys.manage'>, key: StoredKey) => actor.id === key.id

import type { Key } from '@muster/contract'

import { expiresSoon } from '#data/key-expiry.ts'

import { isManage } from './scope-texts.ts'

/** Why a key needs attention, most urgent first. */
export const warnings = [
  'ends_soon',
  'still_used',
  'any_network',
  'never_used',
  'never_ends',
] as const
export type KeyWarning = (typeof warnings)[number]

/** A key with its warnings. */
export interface ListedKey extends Key {
  readonly warnings: readonly KeyWarning[]
}

/** A replaced key is meant to expire, so its only warning is that it is still in use. */
function warningsOf(key: Key, successor: Key | undefined): KeyWarning[] {
  if (key.status !== 'active') return []
  if (key.replaced_by !== null) return isUsedSince(key, successor) ? ['still_used'] : []
  const found = {
    ends_soon: expiresSoon(key),
    still_used: false,
    any_network: key.allowed_cidrs.length === 0 && key.scopes.some(isManage),
    never_used: key.last_used_at === null,
    never_ends: key.expires_at === null,
  }
  return warnings.filter((warning) => found[warning])
}

/**
 * The successor was created at the rotation. If it is not loaded, the last update stands for it.
 */
function isUsedSince({ last_used_at, updated_at }: Key, successor: Key | undefined): boolean {
  return last_used_at !== null && last_used_at > (successor?.created_at ?? updated_at)
}

export function withWarnings(keys: readonly Key[]): ListedKey[] {
  const byId = new Map(keys.map((key) => [key.id, key]))
  return keys.map((key) => {
    const successor = key.replaced_by === null ? undefined : byId.get(key.replaced_by)
    return { ...key, warnings: warningsOf(key, successor) }
  })
}

const urgencyOf = ({ warnings: [first] }: ListedKey) =>
  first === undefined ? warnings.length : warnings.indexOf(first)

/** Most urgent first, then newest first. */
export const byUrgency = (a: ListedKey, b: ListedKey) =>
  urgencyOf(a) - urgencyOf(b) || b.created_at.localeCompare(a.created_at)

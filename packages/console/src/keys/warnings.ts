import type { Key } from '@muster/contract'

import { expiresSoon } from '#ui/key-expiry.ts'

/** Why a key needs attention, most urgent first. */
export const warnings = ['ends_soon', 'still_used', 'never_used', 'never_ends'] as const
export type KeyWarning = (typeof warnings)[number]

/** Urgent: something will stop working. */
export const isUrgent = (warning: KeyWarning) => warning === 'ends_soon' || warning === 'still_used'

/** A key with its warnings and, if it is loaded, the key that replaced it. */
export interface ListedKey extends Key {
  readonly warnings: readonly KeyWarning[]
  readonly successor: Key | undefined
}

/** A replaced key is meant to expire, so its only warning is that it is still in use. */
function warningsOf(key: Key, successor: Key | undefined): KeyWarning[] {
  if (key.status !== 'active') return []
  if (key.replaced_by !== null) return isUsedSince(key, successor) ? ['still_used'] : []
  const found = {
    ends_soon: expiresSoon(key),
    still_used: false,
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
    return { ...key, warnings: warningsOf(key, successor), successor }
  })
}

const urgencyOf = ({ warnings: [first] }: ListedKey) =>
  first === undefined ? warnings.length : warnings.indexOf(first)

/** Most urgent first, then newest first. */
export const byUrgency = (a: ListedKey, b: ListedKey) =>
  urgencyOf(a) - urgencyOf(b) || b.created_at.localeCompare(a.created_at)

import type { Key } from '@muster/contract'

import { endsSoon } from '#ui/ending.ts'

/** What about a key needs care, the most urgent first. */
export const cares = ['ends_soon', 'still_used', 'never_used', 'never_ends'] as const
export type Care = (typeof cares)[number]

/** Those that cannot be left as they are: something will stop working. */
export const isUrgent = (care: Care) => care === 'ends_soon' || care === 'still_used'

/** A key as it is listed: with what needs care, and the key that replaced it, if that is listed. */
export interface ListedKey extends Key {
  readonly cares: readonly Care[]
  readonly successor: Key | undefined
}

/** One that was replaced is meant to end: all that matters is whether anything still uses it. */
function caresOf(key: Key, successor: Key | undefined): Care[] {
  if (key.status !== 'active') return []
  if (key.replaced_by !== null) return isUsedSince(key, successor) ? ['still_used'] : []
  const found = {
    ends_soon: endsSoon(key),
    still_used: false,
    never_used: key.last_used_at === null,
    never_ends: key.expires_at === null,
  }
  return cares.filter((care) => found[care])
}

/** The new key was made when the old one was rotated; else it is known when that last changed. */
function isUsedSince({ last_used_at, updated_at }: Key, successor: Key | undefined): boolean {
  return last_used_at !== null && last_used_at > (successor?.created_at ?? updated_at)
}

export function withCares(keys: readonly Key[]): ListedKey[] {
  const byId = new Map(keys.map((key) => [key.id, key]))
  return keys.map((key) => {
    const successor = key.replaced_by === null ? undefined : byId.get(key.replaced_by)
    return { ...key, cares: caresOf(key, successor), successor }
  })
}

const urgencyOf = ({ cares: [first] }: ListedKey) =>
  first === undefined ? cares.length : cares.indexOf(first)

/** What needs care first, and of the same urgency the newest first. */
export const byUrgency = (one: ListedKey, other: ListedKey) =>
  urgencyOf(one) - urgencyOf(other) || other.created_at.localeCompare(one.created_at)

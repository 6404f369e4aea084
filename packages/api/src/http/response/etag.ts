import { type Collection, collections, revision } from '@muster/contract'

import { Failure } from '#domain/failure'
import type { AsOf } from '#domain/listing'

/** A cache may keep the answer for this key, and must ask each time whether it still holds. */
export const cacheable = {
  'cache-control': 'private, no-cache',
  vary: 'Authorization, Accept, Accept-Encoding, Origin',
}

/** The number of a list whose items are of these collections. */
export const reached = (of: readonly Collection[], { numbers }: AsOf) =>
  Math.max(...of.map((name) => numbers[name]))

/**
 * Weak and the same for every filter and format: it says how far each collection has come that the
 * answer shows something of.
 */
export function collectionTag(shown: readonly Collection[], { epoch, numbers }: AsOf): string {
  const numbered = shown.map((name) => `${collections[name]}${numbers[name]}`)
  return `W/"${epoch}.${numbered.join('.')}.r${revision}"`
}

/** Strong: this version of this resource in this shape has these bytes. */
export const itemTag = (epoch: string, version: number) => `"${epoch}.${version}.r${revision}"`

/** For what changes only when we change the contract. */
export const revisionTag = `"r${revision}"`

/** Whether the caller's copy is still good: `*` is any copy (RFC 9110, 13.1.2). */
export const isFresh = (ifNoneMatch: string | undefined, tag: string) =>
  ifNoneMatch?.trim() === '*' || isNamed(ifNoneMatch, tag)

/** Whether the header names this very tag. A comparison for a cache is weak. */
export function isNamed(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const wanted = tag.replace('W/', '')
  return ifNoneMatch.split(',').some((each) => each.trim().replace(/^W\//, '') === wanted)
}

/**
 * The versions that an If-Match allows: of our ETags, or plain. One from another life of the
 * database allows none. The revision does not matter here: a change is guarded, not a cached copy.
 */
export function versionsIn(ifMatch: string | undefined, epoch: string): number[] | null {
  if (ifMatch === undefined || ifMatch.trim() === '*') return null
  return ifMatch.split(',').map((each) => {
    const text = each.trim()
    if (text.startsWith('W/')) throw new Failure('weak_etag')
    const match = /^"(?:([0-9a-f]+)\.)?(\d{1,15})(?:\.r\d+)?"$/.exec(text)
    if (match === null) {
      throw new Failure('bad_header', 'If-Match must be an ETag, a version in quotes, or *.')
    }
    const [, from = epoch, version] = match
    return from === epoch ? Number(version) : -1
  })
}

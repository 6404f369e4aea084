import { type Collection, collections, revision } from '@muster/contract'

import type { AsOf } from '#domain/listing'

/** A cache may keep the answer for this key, and must ask each time whether it still holds. */
export const cacheable = {
  'cache-control': 'private, no-cache',
  vary: 'Authorization, Accept, Accept-Encoding',
}

/** Weak and the same for every filter and format: it says how far the collection has come. */
export const collectionTag = (collection: Collection, { epoch, number }: AsOf) =>
  `W/"${epoch}.${collections[collection]}${number}.r${revision}"`

/** Strong: this version of this resource in this shape has these bytes. */
export const itemTag = (epoch: string, version: number) => `"${epoch}.${version}.r${revision}"`

/** For what changes only when we change the contract. */
export const revisionTag = `"r${revision}"`

/** Whether the caller's copy is still good. A comparison for a cache is weak (RFC 9110, 13.1.2). */
export function isFresh(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const wanted = tag.replace('W/', '')
  return ifNoneMatch.split(',').some((each) => {
    const given = each.trim().replace(/^W\//, '')
    return given === wanted || given === '*'
  })
}

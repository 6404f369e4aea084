import { type Collection, collections, revision } from '@muster/contract'

import { Failure } from '#domain/engine/failure'
import { type AsOf, termAt, type Terms } from '#domain/engine/listing'

/** Headers of a response with an ETag: a private cache stores it and revalidates each time. */
export const cacheable = {
  'cache-control': 'private, no-cache',
  vary: 'Authorization, Accept, Accept-Encoding, Origin',
}

/** The sequence number of a list whose items are of these collections. */
export const sequenceOf = (of: readonly Collection[], { numbers }: AsOf) =>
  Math.max(...of.map((name) => numbers[name]))

/**
 * A weak ETag, the same for every filter and format: the sequence numbers of all collections whose
 * data the response contains.
 */
export function collectionTag(shown: readonly Collection[], asOf: AsOf): string {
  const numbered = shown.map((name) => `${collections[name]}${asOf.numbers[name]}`)
  // Who lost a number lost all after it, so the term of the highest stands for all of them.
  const term = termAt(asOf, sequenceOf(shown, asOf))
  return `W/"${term}.${numbered.join('.')}.r${revision}"`
}

/** A strong ETag: the same version and contract revision always have the same bytes. */
export const itemTag = (terms: Terms, version: number) =>
  `"${termAt(terms, version)}.${version}.r${revision}"`

/** The ETag of a response that changes only with the contract. */
export const revisionTag = `"r${revision}"`

/** Whether the client's copy is current; `*` matches any copy (RFC 9110, 13.1.2). */
export const isFresh = (ifNoneMatch: string | undefined, tag: string) =>
  ifNoneMatch?.trim() === '*' || isListed(ifNoneMatch, tag)

/** Whether the header lists this ETag, by weak comparison (RFC 9110, 13.1.2). */
export function isListed(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const opaqueTag = tag.replace('W/', '')
  return ifNoneMatch.split(',').some((each) => each.trim().replace(/^W\//, '') === opaqueTag)
}

/**
 * The versions that If-Match allows, from ETags or plain versions in quotes. An ETag of another
 * term matches none. The revision is ignored: If-Match guards a change, not a cached copy.
 */
export function versionsIn(ifMatch: string | undefined, terms: Terms): number[] | null {
  if (ifMatch === undefined || ifMatch.trim() === '*') return null
  return ifMatch.split(',').map((each) => {
    const text = each.trim()
    if (text.startsWith('W/')) throw new Failure('weak_etag')
    const match = /^"(?:([0-9a-f]+)\.)?(\d{1,15})(?:\.r\d+)?"$/.exec(text)
    if (match === null) {
      throw new Failure('bad_header', 'If-Match must be an ETag, a version in quotes, or *.')
    }
    const [, term, digits] = match
    const version = Number(digits)
    return term === undefined || term === termAt(terms, version) ? version : -1
  })
}

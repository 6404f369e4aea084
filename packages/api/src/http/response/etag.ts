import { type Collection, collections, type PointParameter, revision } from '@muster/contract'

import type { Principal } from '#domain/auth/authenticate'
import { Failure } from '#domain/engine/failure'
import {
  type AsOf,
  isOldNumber,
  type OldTerms,
  type Points,
  termAt,
  type Terms,
} from '#domain/engine/listing'

/** Headers of a response with an ETag: a private cache stores it and revalidates each time. */
export const cacheable = {
  'cache-control': 'private, no-cache',
  vary: 'Authorization, Accept, Accept-Encoding, Origin',
}

/** The number that a list states: the point, or the sequence number of its collections. */
export const statedNumber = (of: readonly Collection[], asOf: AsOf) =>
  asOf.points?.as_of ?? sequenceOf(of, asOf)

/** The sequence number of a list whose items are of these collections. */
export const sequenceOf = (of: readonly Collection[], { numbers }: AsOf) =>
  Math.max(...of.map((name) => numbers[name]))

/** The workspace of the numbers, and what the caller may see of it. */
type Seer = Pick<Principal, 'workspaceId' | 'view'>

/** The ETags of responses, and what `If-Match` allows. */
export class ETags {
  readonly #oldTerms: OldTerms

  constructor(oldTerms: OldTerms) {
    this.#oldTerms = oldTerms
  }

  /**
   * A weak ETag, the same for every filter: the sequence numbers of all collections whose data the
   * response contains, and the view of the caller. CSV also contains names, so its ETag can have
   * more numbers than JSON.
   */
  async collection(seer: Seer, shown: readonly Collection[], asOf: AsOf): Promise<string> {
    const present = presentTag(seer, shown, asOf)
    if (present !== null) return present
    const numbers = [sequenceOf(shown, asOf)]
    return collectionTag(seer, shown, await this.#oldTerms.add(seer, asOf, numbers))
  }

  /** A strong ETag: the same version and contract revision always have the same bytes. */
  async item(tenant: Pick<Seer, 'workspaceId'>, terms: Terms, version: number): Promise<string> {
    const term = termAt(await this.#oldTerms.add(tenant, terms, [version]), version)
    return `"${term}.${version}.r${revision}"`
  }

  /**
   * The versions that If-Match allows, from ETags or plain versions in quotes. An ETag of another
   * term matches none. The revision is ignored: If-Match guards a change, not a cached copy.
   */
  async versionsIn(tenant: Pick<Seer, 'workspaceId'>, terms: Terms, ifMatch: string | undefined) {
    if (ifMatch === undefined || ifMatch.trim() === '*') return null
    const listed = ifMatch.split(',').map(readVersion)
    const tagged = listed.filter(({ term }) => term !== undefined)
    const numbers = tagged.map(({ version }) => version)
    const known = await this.#oldTerms.add(tenant, terms, numbers)
    return listed.map(({ term, version }) =>
      term === undefined || term === termAt(known, version) ? version : -1,
    )
  }
}

/** An ETag or a version of If-Match. A version has no term. */
function readVersion(entity: string) {
  const text = entity.trim()
  if (text.startsWith('W/')) throw new Failure('weak_etag')
  const match = /^"(?:([0-9a-f]+)\.)?(\d{1,15})(?:\.r\d+)?"$/.exec(text)
  if (match === null) {
    throw new Failure('bad_header', 'If-Match must be an ETag, a version in quotes, or *.')
  }
  const [, term, digits] = match
  return { term, version: Number(digits) }
}

/** The weak ETag of these collections; null if the term of its number must be looked up. */
export const presentTag = (
  seer: Pick<Seer, 'view'>,
  shown: readonly Collection[],
  asOf: AsOf,
): string | null =>
  isOldNumber(asOf, sequenceOf(shown, asOf)) ? null : collectionTag(seer, shown, asOf)

/** Callers who see all projects have no label, as before views existed. */
function collectionTag(
  { view: { label } }: Pick<Seer, 'view'>,
  shown: readonly Collection[],
  asOf: AsOf,
): string {
  const numbered = shown.map((name) => `${collections[name]}${asOf.numbers[name]}`)
  // A server that lost a number lost all later ones, so the term of the highest is enough.
  const term = termAt(asOf, sequenceOf(shown, asOf))
  const seen = label === '' ? [] : [`v${label}`]
  const parts = [term, ...numbered, ...seen, ...pointsIn(asOf), `r${revision}`]
  return `W/"${parts.join('.')}"`
}

/** A date can mean another number later, so the tag has the number. */
const pointsIn = ({ points = {} }: AsOf) =>
  // The cast holds because the points have the names of the parameters.
  (Object.entries(points) as [PointParameter, number][]).map(
    ([name, number]) => `${pointMarks[name]}${number}`,
  )

const pointMarks = { as_of: 'at', compare: 'with', since: 'since', until: 'until' } as const

/** The data of a caller as a request with these points sees them. */
export const atPoints = <A extends AsOf>(asOf: A, points: Points | undefined): A =>
  points ? { ...asOf, points } : asOf

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

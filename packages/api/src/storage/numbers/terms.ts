/** Terms of sequence numbers, from the columns of a workspace to the ETag of a response. */

import type { Terms } from '#storage/statements/access'

/** The columns of `workspace_counters`, the epoch and the identity of the server. */
export interface StoredTerms {
  readonly epoch: string
  readonly server: string
  readonly terms: readonly string[]
  readonly term_firsts: readonly (string | number)[]
  readonly term_server: string
}

export const presentTerms = ({ epoch, server, ...stored }: StoredTerms): Terms => ({
  epoch,
  server: `${epoch}.${server}`,
  isTermDue: stored.term_server !== server,
  terms: stored.terms,
  firsts: stored.term_firsts.map(Number),
})

/** Only the terms, of a value that has more. */
export const termsOf = ({ epoch, server, isTermDue, terms, firsts }: Terms): Terms => ({
  epoch,
  server,
  isTermDue,
  terms,
  firsts,
})

/** How many terms the counters of a workspace have. `term_starts` has all of them. */
export const termsMax = 16

/** Whether a number is older than the terms of the counters. What never changed counts as 1. */
export const isOldNumber = ({ firsts }: Terms, number: number) =>
  Math.max(number, 1) < (firsts[0] ?? 0)

/** The epoch and the term of a number, as ETags show them. An old number must be looked up. */
export function termAt(of: Terms, number: number): string {
  const { epoch, terms, firsts, older } = of
  const oldest = terms[0] ?? ''
  if (isOldNumber(of, number)) return epoch + (older?.get(number) ?? oldest)
  const at = firsts.findLastIndex((first) => first <= number)
  return epoch + (terms[at] ?? oldest)
}

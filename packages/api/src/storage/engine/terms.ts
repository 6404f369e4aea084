/**
 * Terms of sequence numbers, as in Raft: a number that was lost with a server and is given again
 * by the next one is of another term.
 */
export interface Terms {
  readonly epoch: string
  /** The running server. What another one stated may be lost. */
  readonly server: string
  /** Whether the next write starts a term. */
  readonly isTermDue: boolean
  /** Random names, the oldest first, and the first number of each. */
  readonly terms: readonly string[]
  readonly firsts: readonly number[]
}

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

/** How many terms a workspace keeps. Older numbers take the oldest of them. */
export const termsMax = 16

/** The epoch and the term of a number, as ETags show them. */
export function termAt({ epoch, terms, firsts }: Terms, number: number): string {
  const at = firsts.findLastIndex((first) => first <= number)
  return epoch + (terms[Math.max(at, 0)] ?? '')
}

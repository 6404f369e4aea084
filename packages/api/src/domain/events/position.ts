/** Positions in the event log, which stay right over restarts, failovers and restores. */

import { readParts, writeParts } from '#domain/engine/position-text'
import { type EventPlace, writeEnd } from '#storage/nouns/events'
import type { KnownTerm, TermStart } from '#storage/numbers/term-starts'

/**
 * A place in the log, and what shows whether the numbers up to it still exist: the epoch of the
 * database, and the term of the number with those before it. `label` names what its reader may see.
 */
export interface EventPosition extends EventPlace {
  readonly epoch: string
  /** Oldest first. */
  readonly terms: readonly TermStart[]
  readonly label: string
}

/**
 * How many terms a position names before that of its number. A restart starts a term, and a
 * failover can lose the very write that did.
 */
export const earlierTerms = 2

export const writePosition = ({ epoch, seq, index, terms, label }: EventPosition): string =>
  writeParts([epoch, seq, index, terms, label])

/** Null if the text is not a position. */
export function readPosition(text: string): EventPosition | null {
  const [epoch, seq, index, terms, label] = readParts(text)
  const isPosition =
    typeof epoch === 'string' &&
    isNumber(seq, Number.MAX_SAFE_INTEGER) &&
    isNumber(index, writeEnd) &&
    areTerms(terms) &&
    typeof label === 'string'
  return isPosition ? { epoch, seq, index, terms, label } : null
}

const isNumber = (value: unknown, max: number): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= max

const areTerms = (value: unknown): value is TermStart[] =>
  Array.isArray(value) &&
  value.length <= earlierTerms + 1 &&
  value.every(
    (each: unknown) =>
      Array.isArray(each) &&
      each.length === 2 &&
      typeof each[0] === 'string' &&
      /^[\da-f]{12}$/.test(each[0]) &&
      isNumber(each[1], Number.MAX_SAFE_INTEGER),
  )

/** The terms that a position at this number names, of all terms up to it. */
export function termsUpTo(starts: readonly TermStart[], seq: number): readonly TermStart[] {
  const end = starts.findLastIndex(([, first]) => first <= seq) + 1
  return starts.slice(Math.max(0, end - earlierTerms - 1), end)
}

/** The last number that the reader of the position and the workspace have in common. */
export function commonPast(
  { terms }: Pick<EventPosition, 'terms'>,
  known: KnownTerm,
  seq: number,
): number {
  const at = terms.findIndex(([term]) => term === known.start[0])
  const nextOfReader = terms[at + 1]?.[1] ?? Infinity
  const nextOfWorkspace = known.nextFirst ?? seq + 1
  return Math.min(nextOfReader, nextOfWorkspace) - 1
}

import { createPrompt } from '#data/prompt.ts'
import { isNone, isOwnField } from '#text/values.ts'

export interface Conflict {
  /** The resource as the user saw it. */
  readonly base: object
  /** The current resource. */
  readonly theirs: object
  /** The fields that the user wants to change. */
  readonly mine: object
  /** The note that the user wrote on the change. */
  readonly note: string | null
}

/** What the service computes from other fields is no change of its own. */
const derivedFields = new Set(['flags', 'previous_score'])

type Fields = Readonly<Record<string, unknown>>

const isSame = (one: unknown, other: unknown) =>
  JSON.stringify(isNone(one) ? null : one) === JSON.stringify(isNone(other) ? null : other)

/**
 * The fields that need a decision: those of the user whose current value is another, and those that
 * only the other change has.
 */
export function conflictingFields(conflict: Conflict): string[] {
  // The casts hold for resources of the API.
  const base = conflict.base as Fields
  const theirs = conflict.theirs as Fields
  const mine = conflict.mine as Fields
  return Object.keys({ ...base, ...theirs })
    .filter((field) => !isOwnField(field) && !derivedFields.has(field))
    .filter((field) =>
      field in mine ? !isSame(theirs[field], mine[field]) : !isSame(base[field], theirs[field]),
    )
}

/** Asks in the conflict dialog. True: overwrite; false: keep the other change. */
export const { ask: promptForConflict, usePrompt: useConflictPrompt } = createPrompt<
  Conflict,
  boolean
>()

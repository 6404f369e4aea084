import { type RawBuilder, sql } from 'kysely'

import { isOwn, type Own } from '#storage/statements/keyset'
import { sortLengthMax } from '#storage/values/fold'

/** A value by which rows are sorted. */
export interface SortKey {
  /** The columns that it is computed from. */
  readonly columns: readonly string[]
  /** Its text for a row named `item`, in the order of code points; null sorts last. */
  readonly text: (own: Own) => RawBuilder<unknown>
}

/** The name of the person in a column, as the roster sorts it. */
interface PersonSortKey {
  readonly person: string
}

/** By value of `sort`. */
export type SortKeys = Readonly<Record<string, SortKey | PersonSortKey>>

/** An order of a list. The id breaks ties, in the same direction. */
export interface Sorting {
  readonly by: string
  readonly keys: SortKeys
  readonly isDescending: boolean
  /** Whether the rows also get their place in the order of the query. */
  readonly isRanked: boolean
}

const ofColumn = (name: string, text: (column: RawBuilder<unknown>) => RawBuilder<unknown>) => ({
  columns: [name],
  text: () => text(sql.ref(`item.${name}`)),
})

/** A safe integer that is not negative, such as a sequence number: at most 16 digits. */
export const numberKey = (name: string): SortKey =>
  ofColumn(name, (column) => sql`lpad(${column}::text, 16, '0')`)

/** The session has ISO dates and UTC. */
export const dayKey = (name: string) => ofColumn(name, (column) => sql`${column}::text`)

export const instantKey = (name: string) =>
  ofColumn(name, (column) => sql`to_char(${column}, 'YYYYMMDDHH24MISSMS')`)

/** A text column that is empty for null. Bounded, so that cursors stay short. */
export const nonEmptyKey = (name: string): SortKey =>
  ofColumn(name, (column) => sql`left(nullif(${column}, ''), ${sortLengthMax})`)

/**
 * The title without letter case and accents: the search text after the reference. A text that is
 * too long for the index is null there, and looked up.
 */
export const titleKey = (table: string): SortKey => ({
  columns: ['search_key'],
  text(own) {
    const whole = sql`coalesce(item.search_key, (select whole.search_text
      from ${sql.table(table)} as whole where ${isOwn(own, 'whole')} and whole.id = item.id))`
    return sql`left(right(${whole}, -strpos(${whole}, ' ')), ${sortLengthMax})`
  },
})

/** The sorting of a list for a value of `sort`, such as `-title`; undefined for another order. */
export function sortingOf(
  keys: SortKeys,
  sort: string | undefined,
  { isRanked = false } = {},
): Sorting | undefined {
  const by = sort?.replace('-', '') ?? ''
  if (!Object.hasOwn(keys, by)) return undefined
  return { by, keys, isDescending: sort?.startsWith('-') ?? false, isRanked }
}

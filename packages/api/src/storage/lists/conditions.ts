import { type RawBuilder, sql } from 'kysely'

import { fold } from '#storage/values/fold'

/** The type names that may be part of the text of a statement. */
export const types = {
  uuid: sql`uuid`,
  smallint: sql`smallint`,
  bigint: sql`bigint`,
  timestamptz: sql`timestamptz`,
  text: sql`text`,
  date: sql`date`,
  boolean: sql`boolean`,
}

/** The types of columns that a filter compares. */
export type KeyType = 'uuid' | 'text' | 'boolean'

/** A condition on the rows of a list, which are named `item`. */
export interface Condition {
  /** Conditions with equal names have the same text for every value. */
  readonly name: string
  readonly value: unknown
  /** The text, with the value and the workspace as parameters. */
  readonly test: (given: RawBuilder<unknown>, own: RawBuilder<string>) => RawBuilder<unknown>
}

/** A condition that holds if no value is given. Its text is the same with and without a value. */
export const optional = (given: RawBuilder<unknown>, test: RawBuilder<unknown>) =>
  sql`(${given} is null or ${test})`

/**
 * The column has one of these values, and null is a value too. Not written as `= any`: the planner
 * could then choose the index of this column and lose the order.
 */
export const isAmong = (
  column: string,
  value: readonly (string | null)[] | null,
  type: KeyType,
): Condition => ({
  name: `${column} among`,
  value,
  test(given) {
    const values = sql`${given}::${types[type]}[]`
    return optional(
      values,
      sql`array_position(${values}, ${sql.ref(`item.${column}`)}) is not null`,
    )
  },
})

/** The array contains one of these values. */
export const overlaps = (
  column: string,
  value: readonly string[] | null,
  type: 'uuid' | 'text' = 'text',
): Condition => ({
  name: `${column} overlaps`,
  value,
  test(given) {
    const values = sql`${given}::${types[type]}[]`
    return optional(values, sql`${sql.ref(`item.${column}`)} && ${values}`)
  },
})

/** The search text contains `q`. */
export const containsText = (q: string | null): Condition => ({
  name: 'text',
  value: q && fold(q),
  test(given) {
    const text = sql`${given}::text`
    return optional(text, sql`strpos(item.search_text, ${text}) > 0`)
  },
})

import { sql } from 'kysely'

import { type Condition, optional } from './conditions.ts'

/** The bounds of a day or a time: the first one, and the one after the last. */
export interface DayBounds {
  readonly from?: string | undefined
  readonly before?: string | undefined
}

/** The column that bounds compare: a day that a row may lack, or the time that orders the list. */
export interface DayColumn {
  readonly column: string
  readonly isOfOrder: boolean
}

export const withinDays = ({ column, isOfOrder }: DayColumn, days: DayBounds = {}): Condition[] =>
  isOfOrder ? isTimeWithin(column, days) : isWithin(column, days)

/** The column is a day within the bounds. A row without a day is outside every bound. */
const isWithin = (column: string, { from, before }: DayBounds): Condition[] => [
  {
    name: `${column} from`,
    value: from ?? null,
    test: (given) =>
      optional(sql`${given}::date`, sql`${sql.ref(`item.${column}`)} >= ${given}::date`),
  },
  {
    name: `${column} before`,
    value: before ?? null,
    test: (given) =>
      optional(sql`${given}::date`, sql`${sql.ref(`item.${column}`)} < ${given}::date`),
  },
]

/** As `isWithin`, for a time that no row lacks: conditions of the index. */
const isTimeWithin = (column: string, { from, before }: DayBounds): Condition[] => [
  {
    name: `${column} time from`,
    value: from === undefined ? '-infinity' : `${from}T00:00:00Z`,
    test: (given) => sql`${sql.ref(`item.${column}`)} >= ${given}::timestamptz`,
  },
  {
    name: `${column} time before`,
    value: before === undefined ? 'infinity' : `${before}T00:00:00Z`,
    test: (given) => sql`${sql.ref(`item.${column}`)} < ${given}::timestamptz`,
  },
]

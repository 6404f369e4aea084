import type { TextKey } from '#text/index.ts'
import type { LabelSet } from '#text/labels.ts'

/** What a cell of the field is, which decides how it is converted. */
export type FieldType =
  | 'text'
  | 'email'
  | 'rating'
  | 'score'
  | 'day'
  | 'moment'
  | 'person'
  | 'project'
  | { readonly words: LabelSet }

/** Which part of 2/3/2027 is the day. */
export type DayOrder = 'day-first' | 'month-first'

/** A field that a column can become. */
export interface ImportField {
  /** The column of the API. */
  readonly name: string
  readonly label: TextKey
  readonly type: FieldType
  /** A new row must have it. */
  readonly isRequired: boolean
  /** Other names of the column, folded. */
  readonly synonyms: readonly string[]
  /** For a person: the column with the user id. */
  readonly idColumn: string | null
}

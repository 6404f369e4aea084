import type { DayOrder, ImportField } from './field.ts'
import type { Kind } from './fields.ts'
import { fold } from './fold.ts'
import type { Identity } from './identity.ts'
import type { Mapping } from './match.ts'

/** What the user chose for a file with this header. */
export interface RememberedColumns {
  readonly kind: Kind
  /** The folded names of the columns. */
  readonly header: string
  /** The field of each column by its name; null for a column that is left out. */
  readonly fields: readonly (string | null)[]
  /** The order in the dates of each column; null if the user did not choose it. */
  readonly orders: readonly (DayOrder | null)[]
  readonly identity: Identity | null
}

export type RememberedFile = Pick<RememberedColumns, 'kind' | 'header'>

const filesMax = 20
/** A longer header is not remembered, so that all of them stay below 100 kB. */
const headerMax = 4000

export const fileOf = (kind: Kind, columns: readonly string[]): RememberedFile => ({
  kind,
  header: columns.map(fold).join('\n'),
})

const isOf =
  ({ kind, header }: RememberedFile) =>
  (each: RememberedFile) =>
    each.kind === kind && each.header === header

/** The storage of a browser can hold anything, such as what another version wrote. */
const listed = (all: unknown) => (Array.isArray(all) ? all.filter(isRemembered) : [])

// The cast holds for what is read of the value: its parts are compared before they are used.
function isRemembered(value: unknown): value is RememberedColumns {
  const { fields, orders } = (value ?? {}) as Partial<RememberedColumns>
  return Array.isArray(fields) && Array.isArray(orders)
}

export const recallColumns = (all: unknown, file: RememberedFile): RememberedColumns | null =>
  listed(all).findLast(isOf(file)) ?? null

export const forgetColumns = (all: unknown, file: RememberedFile) =>
  listed(all).filter((each) => !isOf(file)(each))

/** Adds the choices for a file. The oldest ones are forgotten. */
export const rememberColumns = (all: unknown, columns: RememberedColumns) =>
  columns.header.length > headerMax
    ? listed(all)
    : [...forgetColumns(all, columns), columns].slice(-filesMax)

/** The fields that a file had last time. A field that no longer exists is left out. */
export const recalledMapping = (
  { fields }: RememberedColumns,
  offered: readonly ImportField[],
): Mapping => {
  const used = new Set<string>()
  return fields.map((name) => {
    if (name === null || used.has(name)) return null
    used.add(name)
    return offered.find((field) => field.name === name) ?? null
  })
}

import type { Write } from '#storage/statements/access'

import { Failure, type InvalidField, invalid } from './failure.ts'
import { type LookupCells, lookupErrors } from './lookups.ts'
import { refuseErrors } from './new-rows.ts'
import { TimeSlice } from './time-slice.ts'

/**
 * The items of a batch, in the order of its rows. `C` is what a row can do to an item that it
 * changes.
 */
export interface BatchResult<T, C extends string = 'changed'> {
  readonly data: T[]
  readonly outcomes: ('created' | 'unchanged' | C)[]
  readonly count: number
  readonly created: number
  readonly changed: number
  readonly unchanged: number
}

interface Row {
  readonly id?: string
}

/** The rows of a request. Rows of a CSV file can have lookup columns. */
export interface BatchRows<R extends Row> {
  readonly data: readonly R[]
  readonly lookups?: LookupCells | undefined
  /** The field by which rows without an id find their records. */
  readonly match?: string | undefined
}

/** Rows that are matched and resolved. A row that failed has the failure, by its index. */
export interface PreparedRows<R extends Row> {
  readonly data: readonly R[]
  readonly lookups?: LookupCells | undefined
  readonly refused?: ReadonlyMap<number, Failure>
}

/** Prepares each row. A row that fails is kept as it is, with its failure. */
export function prepareRows<R extends Row>(
  { data, lookups, refused: before }: PreparedRows<R>,
  prepare: (row: R, index: number) => R,
): PreparedRows<R> {
  const refused = new Map(before)
  const prepared = data.map((row, index) => {
    if (refused.has(index)) return row
    try {
      return prepare(row, index)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      refused.set(index, error)
      return row
    }
  })
  return { data: prepared, lookups, refused }
}

/** The ids of the rows, each once. */
export const idsIn = ({ data }: { readonly data: readonly Row[] }) => [
  ...new Set(data.flatMap(({ id }) => id ?? [])),
]

/** The outcome of a row that changes an item, where there is only one. */
export const changedRow = () => 'changed' as const

export const byId = <S extends { readonly id: string }>(items: readonly S[]) =>
  new Map(items.map((item) => [item.id, item]))

/** How a batch creates and changes items of one type. `S` is the stored item. */
interface RowOperations<R extends Row, S extends { id: string }, C extends string> {
  readonly write: Write
  readonly required: readonly (keyof R & string)[]
  /** The locked items by id. */
  readonly existing: ReadonlyMap<string, S>
  readonly create: (row: R) => S
  /** Returns `before` itself when the row changes nothing. */
  readonly change: (before: S, row: R) => S
  /** What a row did that changed an item. */
  readonly outcomeFor: (before: S) => C
}

interface RowResult<S, C> {
  readonly index: number
  readonly item: S
  readonly outcome: 'created' | 'unchanged' | C
}

/**
 * Applies all rows or none. Every row is validated, and one failure reports the errors of all rows,
 * each with its JSON pointer.
 */
export async function applyRows<R extends Row, S extends { id: string }, C extends string>(
  { data: rows, lookups, refused }: PreparedRows<R>,
  { write, required, existing, create, change, outcomeFor }: RowOperations<R, S, C>,
) {
  const errorsOf: InvalidField[][] = rows.map(() => [])
  const results: RowResult<S, C>[] = []
  const seen = new Set<string>()
  const slice = new TimeSlice()
  for (const [index, row] of rows.entries()) {
    await slice.step()
    try {
      const refusal = refused?.get(index)
      if (refusal) throw refusal
      if (row.id === undefined) {
        refuseMissingFields(row, required)
        results.push({ index, item: create(row), outcome: 'created' })
        continue
      }
      const before = existing.get(row.id)
      if (before === undefined)
        throw rowError('/id', 'not_found', 'is not the id of an existing item')
      if (seen.has(row.id)) throw rowError('/id', 'repeated', 'appears in more than one row')
      seen.add(row.id)
      const after = change(before, row)
      const outcome = after === before ? 'unchanged' : outcomeFor(before)
      results.push({ index, item: after, outcome })
    } catch (error) {
      errorsOf[index] = rowErrorsOf(error, `/data/${index}`)
    }
  }
  for (const { index, errors } of lookups ? await lookupErrors(write, lookups, results) : []) {
    errorsOf[index] = errors.map((error) => inRow(error, `/data/${index}`))
  }
  refuseErrors(errorsOf.flat())
  const outcomes = results.map(({ outcome }) => outcome)
  const countOf = (wanted: string) => outcomes.filter((outcome) => outcome === wanted).length
  return {
    data: results.map(({ item }) => item),
    outcomes,
    count: results.length,
    created: countOf('created'),
    changed: countOf('changed'),
    unchanged: countOf('unchanged'),
  }
}

/** Checks every row, and reports the errors of all of them in one failure. */
export function refuseRows<R>(rows: readonly R[], pointer: string, check: (row: R) => void): void {
  const fieldErrors = rows.flatMap((row, index) => {
    try {
      check(row)
      return []
    } catch (error) {
      return rowErrorsOf(error, `${pointer}/${index}`)
    }
  })
  if (fieldErrors.length > 0) throw invalid(...fieldErrors)
}

/** An error of a field of a row; `applyRows` adds the row to its pointer. */
export const rowError = (pointer: string, code: string, detail: string) =>
  invalid({ pointer, code, detail })

function refuseMissingFields<R extends object>(
  row: R,
  required: readonly (keyof R & string)[],
): void {
  const missing = required.filter((name) => row[name] === undefined)
  if (missing.length === 0) return
  throw invalid(
    ...missing.map((name) => ({ pointer: `/${name}`, code: 'required', detail: 'is required' })),
  )
}

/** Converts the failure of a row to field errors whose pointers start with the row. */
function rowErrorsOf(error: unknown, rowPointer: string): InvalidField[] {
  if (!(error instanceof Failure)) throw error
  const { problem, message, extras } = error
  // The cast holds because only `invalid` creates this problem.
  const errors = problem === 'validation_failed' ? (extras['errors'] as InvalidField[]) : null
  if (errors) return errors.map((fieldError) => inRow(fieldError, rowPointer))
  const pointer = typeof extras['pointer'] === 'string' ? extras['pointer'] : ''
  const detail = message.replace(/\.$/, '').slice(0, 500)
  return [{ pointer: `${rowPointer}${pointer}`, code: problem, detail }]
}

const inRow = (error: InvalidField, rowPointer: string): InvalidField => ({
  ...error,
  pointer: `${rowPointer}${error.pointer}`,
})

import { type FieldError, ProblemError } from '@muster/client'

import type { Batch, MalformedRow, Table } from '#data/parse-csv.ts'
import { t } from '#text/index.ts'

import { type BatchResponse, type ImportedRecord, sendBatch, type Target } from './kinds.ts'

/** What the import does with a row. */
export type RowOutcome = 'new' | 'changed' | 'unchanged'

export interface RowResult {
  readonly outcome: RowOutcome
  /** The reference or the id of the record. */
  readonly record: string
}

/** The results of rows by their lines. */
export type Results = ReadonlyMap<number, RowResult>

export interface ImportCounts {
  readonly created: number
  readonly changed: number
  readonly unchanged: number
}

export const noCounts: ImportCounts = { created: 0, changed: 0, unchanged: 0 }

export const addCounts = (
  counts: ImportCounts,
  { count, created, changed }: BatchResponse,
): ImportCounts => ({
  created: counts.created + created,
  changed: counts.changed + changed,
  unchanged: counts.unchanged + count - created - changed,
})

/** The results of the rows of a batch. */
export const resultsOf = (
  { rows }: Batch,
  { data, outcomes }: BatchResponse,
): (readonly [number, RowResult])[] =>
  rows.map(({ line }, index) => {
    const { id = '', ref } = data[index] ?? {}
    return [line, { outcome: outcomeOf(outcomes[index]), record: ref ?? id }] as const
  })

const changedRecords = ({ rows }: Batch, { data, outcomes }: BatchResponse) =>
  data.flatMap((record, index) => {
    const line = rows[index]?.line
    const isChanged = line !== undefined && outcomeOf(outcomes[index]) === 'changed'
    return isChanged ? [[line, record] as const] : []
  })

const outcomeOf = (outcome = ''): RowOutcome => {
  if (outcome === 'created') return 'new'
  return outcome === 'unchanged' ? 'unchanged' : 'changed'
}

/** An error in a row and its place in the file. */
export interface RowError {
  readonly line: number
  /** Null for an error of the whole row. */
  readonly column: string | null
  readonly value: string
  readonly code: string
  readonly detail: string
}

export interface DryRunResult {
  readonly counts: ImportCounts
  readonly errors: readonly RowError[]
  readonly results: Results
  /** The records of changed rows as they would be, by their lines. */
  readonly changed: ReadonlyMap<number, ImportedRecord>
}

/** The dry run stops after this many errors. */
const errorsMax = 200

/** A file and where its rows go. */
export interface ImportJob {
  readonly target: Target
  readonly table: Table
  /** The rows in the parts that are sent. */
  readonly batches: readonly Batch[]
}

interface DryRunInput extends ImportJob {
  readonly signal: AbortSignal
  readonly onProgress: (rows: number) => void
}

/** Sends all batches as dry runs, which change nothing. */
export async function dryRun(input: DryRunInput): Promise<DryRunResult> {
  const { target, table, batches, signal, onProgress } = input
  const errors: RowError[] = []
  const results = new Map<number, RowResult>()
  const changed = new Map<number, ImportedRecord>()
  let counts = noCounts
  let rows = 0
  for (const batch of batches) {
    if (errors.length >= errorsMax) break
    try {
      const body = { csv: batch.csv, query: { dry_run: true } }
      const response = await sendBatch(target, body, { signal })
      counts = addCounts(counts, response)
      for (const [line, result] of resultsOf(batch, response)) results.set(line, result)
      for (const [line, record] of changedRecords(batch, response)) changed.set(line, record)
    } catch (error) {
      errors.push(...rowErrors(error, batch, table))
    }
    rows += batch.rows.length
    onProgress(rows)
  }
  return { counts, errors, results, changed }
}

/** The errors of rows that are not CSV. Nothing is sent before they are corrected in the file. */
export const malformedRowErrors = (
  malformed: readonly MalformedRow[],
  wanted: number,
): RowError[] =>
  malformed.slice(0, errorsMax).map(({ line, reason, count }) => ({
    line,
    column: null,
    value: '',
    code: reason,
    detail: t(`import.error.${reason}`, { count, wanted }),
  }))

/** Maps the validation errors of a batch to rows. Rethrows every other error. */
export function rowErrors(error: unknown, batch: Batch, table: Table): RowError[] {
  if (!(error instanceof ProblemError) || error.code !== 'validation_failed') throw error
  const errors = (error.problem.errors ?? []).map((rowError) => locateError(rowError, batch, table))
  // Keep one error per cell: the last one is the most specific.
  return [
    ...new Map(
      errors.map((rowError) => [`${rowError.line} ${rowError.column}`, rowError]),
    ).values(),
  ]
}

function locateError(
  { pointer, code, detail }: FieldError,
  batch: Batch,
  { header }: Table,
): RowError {
  const [, , index = '', ...path] = pointer.split('/')
  const row = batch.rows[Number(index)]
  const at = columnIndex(path, header.cells)
  const column = header.cells[at] ?? path.join('.')
  return {
    line: row?.line ?? 1,
    column: column === '' ? null : column,
    value: row?.cells[at] ?? '',
    code,
    detail,
  }
}

/** An error of one tag belongs to the column of all tags; one of `target` to its first column. */
function columnIndex(path: readonly string[], columns: readonly string[]): number {
  const [first = ''] = path
  const exact = columns.indexOf(path.join('.'))
  const whole = columns.indexOf(first)
  const partly = columns.findIndex((column) => first !== '' && column.startsWith(`${first}.`))
  return [exact, whole, partly].find((index) => index >= 0) ?? -1
}

import type { MalformedRow } from '#data/parse-csv.ts'

import { bounds } from './bounds.ts'

interface SheetRow {
  /** The line in the file, or the number of the row in the workbook. */
  readonly line: number
  /** As many cells as there are columns. */
  readonly cells: readonly string[]
}

export type FileEncoding = 'UTF-8' | 'UTF-16' | 'Windows-1252'

/** How the file was read, which the user can check. */
type SheetFormat =
  | { readonly type: 'csv'; readonly encoding: FileEncoding; readonly separator: ',' | ';' | '\t' }
  | { readonly type: 'xlsx'; readonly name: string }

/** A file as texts. */
export interface Sheet {
  readonly columns: readonly string[]
  readonly rows: readonly SheetRow[]
  readonly malformed: readonly MalformedRow[]
  readonly format: SheetFormat
}

/** Why a file cannot be read. Each one is the end of the key of a text. */
export type ReadFault =
  | 'too-large'
  | 'too-large-inside'
  | 'too-many-rows'
  | 'too-many-columns'
  | 'too-slow'
  | 'not-read'
  | 'not-text'
  | 'old-workbook'
  | 'damaged-workbook'
  | 'no-rows'

export class ReadError extends Error {
  override readonly name = 'ReadError'
  readonly fault: ReadFault

  constructor(fault: ReadFault, options?: ErrorOptions) {
    super(fault, options)
    this.fault = fault
  }
}

interface Cells {
  readonly line: number
  readonly cells: readonly string[]
}

/**
 * Makes a sheet of rows of cells: the first row has the names. Columns without a name and without
 * a value are left out.
 */
export function sheetOf(all: readonly Cells[], rest: Pick<Sheet, 'malformed' | 'format'>): Sheet {
  const [header, ...rows] = all
  const isEmpty = rows.length + rest.malformed.length === 0
  if (header === undefined || isEmpty) throw new ReadError('no-rows')
  if (rows.length > bounds.rows) throw new ReadError('too-many-rows')
  // A row of another length is malformed. Rows of a workbook end with their last value.
  const counted = rest.malformed.length > 0 ? [header] : all
  const width = counted.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  if (width > bounds.columns) throw new ReadError('too-many-columns')
  const kept = Array.from({ length: width }, (_, at) => at).filter(
    (at) => nameAt(header, at) !== '' || rows.some(({ cells }) => (cells[at] ?? '') !== ''),
  )
  return {
    ...rest,
    columns: kept.map((at) => nameAt(header, at)),
    rows: rows.map(({ line, cells }) => ({ line, cells: kept.map((at) => cells[at] ?? '') })),
  }
}

const nameAt = ({ cells }: Cells, at: number) => (cells[at] ?? '').trim()

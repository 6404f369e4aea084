import type { CsvRow, Table } from '#data/parse-csv.ts'
import type { DayOrder, ImportField } from '#pages/import/columns/field.ts'
import { externalIdMaker, type Identity } from '#pages/import/columns/identity.ts'
import type { Mapping } from '#pages/import/columns/match.ts'
import type { Sheet } from '#pages/import/read/sheet.ts'

import { type CellFault, type Converted, convertCell, type ConvertContext } from './convert.ts'
import type { Directory } from './directory.ts'

/** What the columns of a file become. */
export interface Plan {
  readonly sheet: Sheet
  readonly mapping: Mapping
  /** The order in the dates of each column. */
  readonly orders: readonly DayOrder[]
  readonly identity: Identity
  readonly directory: Directory
  /** The project of all rows, if no column has it. */
  readonly projectCode: string | null
}

/** Where a cell is. */
export interface Place {
  /** The index of the row. */
  readonly row: number
  /** The index of the column. */
  readonly at: number
}

/** A cell that cannot be imported as it is. */
export interface WrongCell extends Place {
  readonly field: ImportField
  readonly text: string
  readonly fault: CellFault | 'refused'
  /** Why the service refused the cell; null if the console found the fault. */
  readonly detail: string | null
}

/** Corrections by place: see `placeOf`. */
export type Corrections = ReadonlyMap<string, string>

export const placeOf = ({ row, at }: Place) => `${row} ${at}`

interface Column {
  readonly at: number
  readonly field: ImportField
  readonly context: ConvertContext
  /** The column of the API. */
  readonly name: string
}

/** What every cell of a plan needs, computed once. */
interface Prepared {
  readonly columns: readonly Column[]
  /** The rows that already have an id of Muster. */
  readonly hasId: (row: number) => boolean
  /** The column that finds the records; -1 if none does. */
  readonly keyAt: number
  /** The first row of each of its values. */
  readonly firstRows: ReadonlyMap<string, number>
}

const prepared = new WeakMap<Plan, Prepared>()

function prepare(plan: Plan): Prepared {
  const before = prepared.get(plan)
  if (before !== undefined) return before
  const { sheet, mapping, identity } = plan
  const indexOf = (name: string) => mapping.findIndex((field) => field?.name === name)
  const [idAt, keyAt] = [indexOf('id'), identity === 'id' ? -1 : indexOf(identity)]
  const firstRows = new Map<string, number>()
  for (const [row, { cells }] of sheet.rows.entries()) {
    const key = keyOf(cells[keyAt] ?? '')
    if (!firstRows.has(key)) firstRows.set(key, row)
  }
  const hasId = (row: number) => (sheet.rows[row]?.cells[idAt] ?? '').trim() !== ''
  const all = { columns: columnsOf(plan), hasId, keyAt, firstRows }
  prepared.set(plan, all)
  return all
}

/** The service ignores the letter case of emails. Other ids that differ by it are mistakes. */
const keyOf = (text: string) => text.trim().toLowerCase()

function columnsOf({ mapping, orders, directory }: Plan): Column[] {
  const names = new Set(mapping.map((field) => field?.name))
  return mapping.flatMap((field, at) => {
    if (field === null) return []
    const context = { directory, order: orders[at] ?? 'day-first' } as const
    // An export has the id and the email of a person. The API says which of them counts.
    const isRaw = field.idColumn !== null && names.has(field.idColumn)
    const own: ImportField = isRaw ? { ...field, type: 'text' } : field
    return [{ at, field: own, context, name: (isRaw ? null : field.idColumn) ?? field.name }]
  })
}

const columnOf = (plan: Plan, at: number) => prepare(plan).columns.find((each) => each.at === at)

/** The field of a column as its cells are converted; null if the column is left out. */
export const fieldAt = (plan: Plan, at: number) => columnOf(plan, at)?.field ?? null

/** The index of the column of the file that became this column of the API; -1 if none did. */
export const indexOfColumn = (plan: Plan, name: string) =>
  prepare(plan).columns.find((each) => each.name === name)?.at ?? -1

/** Converts a cell of a column that became a field. */
export function convertAt(plan: Plan, { row, at }: Place, text: string): Converted | null {
  const column = columnOf(plan, at)
  return column === undefined ? null : convertIn(prepare(plan), column, { row, text })
}

function convertIn(
  { hasId, keyAt, firstRows }: Prepared,
  { at, field, context }: Column,
  { row, text }: { readonly row: number; readonly text: string },
): Converted {
  const isNeeded = field.isRequired || field.type === 'project'
  if (isNeeded && text.trim() === '' && !hasId(row)) return { value: null, fault: 'required' }
  if (at === keyAt && (firstRows.get(keyOf(text)) ?? row) < row) {
    return { value: null, fault: 'repeated' }
  }
  return convertCell(field, text, context)
}

/** The cells that must be corrected, in the order of the file. */
export function findWrongCells(plan: Plan): WrongCell[] {
  const all = prepare(plan)
  return plan.sheet.rows.flatMap(({ cells }, row) =>
    all.columns.flatMap((column) => {
      const { at, field } = column
      const text = cells[at] ?? ''
      const { fault } = convertIn(all, column, { row, text })
      return fault === null ? [] : [{ row, at, field, text, fault, detail: null }]
    }),
  )
}

interface Corrected {
  readonly corrections: Corrections
  /** The lines of rows that are not imported. */
  readonly leftOut: ReadonlySet<number>
}

/** Makes the table that is imported, with the columns of the API. Rows with a wrong cell must be corrected or left out. */
export function convertTable(plan: Plan, { corrections, leftOut }: Corrected): Table {
  const all = prepare(plan)
  const { columns } = all
  const made = plan.identity === 'made' ? [madeColumn(plan, columns)] : []
  const names = [...columns.map(({ name }) => name), ...made.map(({ name }) => name)]
  const rows = plan.sheet.rows.flatMap(({ line, cells }, row): CsvRow[] => {
    const values = columns.map((column) => {
      const text = corrections.get(placeOf({ row, at: column.at })) ?? cells[column.at] ?? ''
      return convertIn(all, column, { row, text }).value
    })
    // Every row takes part in the numbering of equal titles, also one that is left out.
    const ids = made.map(({ make }) => make(values))
    const texts = [...values, ...ids]
    if (leftOut.has(line) || texts.includes(null)) return []
    return [
      csvRow(
        line,
        texts.map((value) => value ?? ''),
      ),
    ]
  })
  return { header: csvRow(1, names), rows, malformed: [] }
}

function madeColumn({ projectCode }: Plan, columns: readonly Column[]) {
  const makeId = externalIdMaker()
  const indexOf = (name: string) => columns.findIndex((column) => column.field.name === name)
  const [title, project] = [indexOf('title'), indexOf('project_code')]
  const make = (values: readonly (string | null)[]) =>
    makeId(values[project] ?? projectCode ?? '', values[title] ?? '')
  return { name: 'external_id', make }
}

const csvRow = (line: number, cells: readonly string[]): CsvRow => ({
  line,
  cells,
  text: cells.map(csvCell).join(','),
})

export const csvCell = (cell: string) =>
  /[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

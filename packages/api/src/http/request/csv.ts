import {
  columnsOf,
  type CsvSchema,
  limits,
  type LookupColumn,
  type Operation,
} from '@muster/contract'

import type { LookupCells } from '#domain/engine/lookups'
import { TimeSlice } from '#domain/engine/time-slice'

import { refuseColumns, resolveHeader } from './csv-header.ts'
import { openTable } from './csv-table.ts'
import { stringLengthMax } from './json-outline.ts'
import { parseCell } from './json.ts'

/**
 * Prevents CSV injection: a spreadsheet evaluates a cell that starts like a formula, so `'` is put
 * before it. A spreadsheet whose separator is `;` or tab ignores the quotes around a cell, and
 * splits it there and at line breaks. So every part of a cell is escaped like a cell.
 *
 * A part that already starts with such a `'` gets another one. Import removes one `'` from each
 * part that matches, which restores every text exactly.
 */
export const escapeFormulas = (text: string) =>
  hasFormula.test(text) ? text.replaceAll(formulaStart, "'") : text

const unescapeFormulas = (text: string) => text.replaceAll(escapedFormulaStart, '')

const partStart = String.raw`(?<=^|[;\t\r\n])`
/** Includes white space and quotes, which spreadsheets skip, and the full-width characters. */
const formula = String.raw`'*(?:[^\S\t\r\n]|")*[=+\-@＝＋－＠\t\r\0]`
/** Most cells have no formula, and this test takes a quarter of the time of replacing. */
const hasFormula = new RegExp(String.raw`(?:^|[;\t\r\n])${formula}`)
const formulaStart = new RegExp(`${partStart}(?=${formula})`, 'g')
const escapedFormulaStart = new RegExp(`${partStart}'(?=${formula})`, 'g')

type CsvRows = Pick<Operation, 'rows' | 'alsoColumns'>

interface CsvBatch {
  /** One object per row. */
  readonly data: object[]
  readonly lookups: LookupCells
}

interface CsvHeader {
  /** The lookup columns that the file may have. */
  readonly lookups: readonly LookupColumn[]
  /** The parameter `columns`. */
  readonly names?: string | undefined
}

/** Parses CSV in time slices. */
export async function parseCsv(
  bytes: Buffer,
  { rows, alsoColumns }: CsvRows,
  { lookups: granted, names }: CsvHeader,
): Promise<CsvBatch> {
  const table = openTable(bytes)
  const known = columnsOf(rows ?? {})
  // A column of the rows selects a record; a lookup column must agree with the id.
  const columns = granted.filter(({ name }) => !known.includes(name))
  const lookups = new Set(columns.map(({ name }) => name))
  const also = columnsOf(alsoColumns ?? {}).filter((name) => !known.includes(name))
  const ignored = new Set([...also, ...lookups])
  const header = resolveHeader(table.header, { known: [...known, ...ignored], names })
  const data: object[] = []
  const lookupRows: ReadonlyMap<string, string>[] = []
  const slice = new TimeSlice()
  for await (const cells of table.rows()) {
    const texts = header.columns.flatMap((column, index) =>
      column === null ? [] : [[column, unescapeFormulas(cells[index] ?? '')] as const],
    )
    const used = new Map(texts.filter(([column]) => !ignored.has(column)))
    data.push(objectOf(used, rows ?? {}, ''))
    lookupRows.push(new Map(texts.filter(([column, text]) => lookups.has(column) && text !== '')))
    await slice.step()
  }
  // Of a table that cannot be read, the header may be something else, and is not repeated.
  refuseColumns(header.errors)
  return { data, lookups: { columns, rows: lookupRows } }
}

/** Builds the object of a row. A nested object whose cells are all empty is null. */
function objectOf(cells: ReadonlyMap<string, string>, schema: CsvSchema, prefix: string): object {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const column = `${prefix}${name}`
    if (!field.properties) return [name, valueOf(cells.get(column), field)]
    const inner = columnsOf(field).flatMap((each) => cells.get(`${column}.${each}`) ?? [])
    if (inner.length === 0) return [name, undefined]
    const isEmpty = inner.every((text) => text === '')
    return [name, isEmpty ? null : objectOf(cells, field, `${column}.`)]
  })
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as object
}

/** A list of objects is JSON in one cell. Other lists are words, separated by spaces. */
export const isJsonList = ({ items }: CsvSchema) => items?.properties !== undefined

/** Converts a cell to the type of its field. Any other text is kept, and fails validation. */
function valueOf(text: string | undefined, field: CsvSchema): unknown {
  const types = new Set([field.type].flat())
  if (text === undefined) return undefined
  if (types.has('array')) return listOf(text, field)
  if (text === '' && types.has('null')) return null
  if (types.has('object')) return text === '' ? {} : jsonOrText(text)
  if (text === '') return undefined
  if (types.has('integer') && /^-?\d{1,15}$/.test(text)) return Number(text)
  if (types.has('boolean') && /^(true|false)$/i.test(text)) return /true/i.test(text)
  // Still too long for any field. Validation of a longer text would take too long.
  return text.slice(0, stringLengthMax)
}

function listOf(text: string, field: CsvSchema): unknown {
  if (isJsonList(field) && text !== '') return jsonOrText(text)
  // One more than the list may have, so that validation refuses a longer list.
  const words = text.matchAll(/[^ ]+/g).take((field.maxItems ?? limits.itemsMax) + 1)
  return [...words].map(([word]) => word)
}

function jsonOrText(text: string): unknown {
  try {
    return parseCell(text)
  } catch {
    return text
  }
}

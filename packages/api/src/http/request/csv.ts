import { limits, type Operation } from '@muster/contract'
import { CsvError, parse } from 'csv-parse/sync'

import { Failure } from '#domain/failure'

import { parseJson } from './json.ts'
import { shown, suggest } from './nearest.ts'

/** What a schema says of a field, as far as a spreadsheet is concerned. */
export interface Shape {
  type?: string | string[]
  properties?: Record<string, Shape>
  required?: string[]
}

/** One column for each field; a field of an object within the item is named with a dot. */
export function columnsOf({ properties = {} }: Shape): string[] {
  return Object.entries(properties).flatMap(([name, field]) =>
    field.properties ? columnsOf(field).map((inner) => `${name}.${inner}`) : [name],
  )
}

/**
 * CSV injection: a spreadsheet evaluates a cell that starts like a formula, so `'` is put before
 * it. A spreadsheet whose separator is `;` or tab does not see our quotes. It splits our cells
 * there, and at line breaks. So every part of a cell is treated as a cell. One whose separator is a
 * comma sees the quotes, and splits no cell.
 *
 * A part that already starts with such a `'` gets another one. Import removes one `'` from each
 * part that matches, which restores every text exactly.
 */
export const escapeFormulas = (text: string) =>
  hasFormula.test(text) ? text.replaceAll(formulaStart, "'") : text

const unescapeFormulas = (text: string) => text.replaceAll(escapedFormulaStart, '')

const partStart = String.raw`(?<=^|[;\t\r\n])`
/** With what spreadsheets skip before it: white space and quotes. The wide forms are East Asian. */
const formula = String.raw`'*(?:[^\S\t\r\n]|")*[=+\-@＝＋－＠\t\r\0]`
/** Most cells have none, and this test takes a quarter of the time that replacing does. */
const hasFormula = new RegExp(String.raw`(?:^|[;\t\r\n])${formula}`)
const formulaStart = new RegExp(`${partStart}(?=${formula})`, 'g')
const escapedFormulaStart = new RegExp(`${partStart}'(?=${formula})`, 'g')

const utf8 = new TextDecoder('utf-8', { fatal: true })

type CsvRows = Pick<Operation, 'rows' | 'alsoColumns'>

/** The rows of a table, each as the object that its columns spell. */
export function parseCsv(bytes: Uint8Array, { rows, alsoColumns }: CsvRows): object[] {
  const [header = [], ...lines] = parseLines(decode(bytes))
  const known = columnsOf(rows ?? {})
  const ignored = new Set(columnsOf(alsoColumns ?? {}).filter((name) => !known.includes(name)))
  refuseColumns(header, [...known, ...ignored])
  if (lines.length > limits.itemsMax) {
    throw bad(`There are ${lines.length} rows; at most ${limits.itemsMax} are taken at once.`)
  }
  return lines.map((cells) => {
    const texts = header.map(
      (column, index) => [column, unescapeFormulas(cells[index] ?? '')] as const,
    )
    return objectOf(new Map(texts.filter(([column]) => !ignored.has(column))), rows ?? {}, '')
  })
}

const bad = (detail: string) => new Failure('bad_csv', detail)

/** A byte order mark is what spreadsheets begin UTF-8 with; the decoder takes it away. */
function decode(bytes: Uint8Array): string {
  try {
    const text = utf8.decode(bytes)
    if (!text.includes('\0')) return text
  } catch {
    // Told below: what is not UTF-8 cannot be read any more than a NUL can.
  }
  throw bad('The body is not UTF-8 without NUL. Save the file as “CSV UTF-8”.')
}

/** Spreadsheets of other countries write semicolons; what is pasted from one has tabs. */
function parseLines(text: string): string[][] {
  const [first = ''] = text.split(/\r?\n/, 1)
  const delimiter = [',', ';', '\t'].toSorted(
    (a, b) => first.split(b).length - first.split(a).length,
  )[0]
  try {
    return parse(text, { delimiter: delimiter ?? ',', skip_empty_lines: true })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const reason = error.code.replace(/^CSV_/, '').replaceAll('_', ' ').toLowerCase()
    throw bad(`The body is not CSV: ${reason}, at line ${Number(error['lines']) || 1}.`)
  }
}

function refuseColumns(header: readonly string[], known: readonly string[]): void {
  if (header.length === 0) throw bad('The body is empty; it must begin with a header.')
  for (const [index, column] of header.entries()) {
    if (!known.includes(column)) {
      const meant = suggest(column, known) || '.'
      throw bad(`There is no column ${shown(column)}${meant} Remove it, or use the export's.`)
    }
    if (header.indexOf(column) !== index) throw bad(`The column ${column} is there twice.`)
  }
}

/** Puts together what was spread over columns. An object of which every cell is empty is null. */
function objectOf(cells: ReadonlyMap<string, string>, shape: Shape, prefix: string): object {
  const fields = Object.entries(shape.properties ?? {}).map(([name, field]) => {
    const column = `${prefix}${name}`
    if (!field.properties) return [name, valueOf(cells.get(column), field)]
    const inner = columnsOf(field).flatMap((each) => cells.get(`${column}.${each}`) ?? [])
    if (inner.length === 0) return [name, undefined]
    const isEmpty = inner.every((text) => text === '')
    return [name, isEmpty ? null : objectOf(cells, field, `${column}.`)]
  })
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as object
}

/** A cell as its field has it. What does not fit stays text, and is refused as what it is not. */
function valueOf(text: string | undefined, { type }: Shape): unknown {
  const types = new Set([type].flat())
  if (text === undefined) return undefined
  if (types.has('array')) return text.split(' ').filter((word) => word !== '')
  if (text === '' && types.has('null')) return null
  if (types.has('object')) return text === '' ? {} : jsonOf(text)
  if (text === '') return undefined
  if (types.has('integer') && /^-?\d{1,15}$/.test(text)) return Number(text)
  if (types.has('boolean') && /^(true|false)$/i.test(text)) return /true/i.test(text)
  return text
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(Buffer.from(text))
  } catch {
    return text
  }
}

import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { limits } from '@muster/contract'
import { CsvError, type InfoField, parse as parseStream } from 'csv-parse'
import { parse } from 'csv-parse/sync'

import { Failure } from '#domain/engine/failure'

/** The longest header row. That of the widest export has about a tenth. */
const headerBytesMax = 8 * 1024
const columnsMax = 200

/** The longest row. The longest valid one has less than 700 KiB, with every character escaped. */
const rowBytesMax = 1024 * 1024

/** The parser takes less than 1 ms for this many bytes, and 10 ms before V8 has compiled it. */
const sliceBytes = 8 * 1024

const badCsv = (detail: string) => new Failure('bad_csv', detail)

interface Table {
  readonly header: readonly string[]
  /** The other rows. Parses them in slices: after each one, other requests have their turn. */
  readonly rows: () => AsyncIterable<readonly string[]>
}

/** Reads the header row. It must have its end in the first 8 KiB, so that reading it is fast. */
export function openTable(bytes: Buffer): Table {
  const file = withoutMark(bytes)
  const start = file.subarray(0, headerBytesMax)
  const options = { delimiter: delimiterIn(start.toString()), skip_empty_lines: true }
  const header = headerIn(start, options, start.length < file.length)
  return { header, rows: () => rowsIn(file, options, header.length) }
}

/** Removes the byte order mark that spreadsheets write. */
function withoutMark(bytes: Buffer): Buffer {
  if (!isUtf8(bytes) || bytes.includes(0)) {
    throw badCsv('The body is not UTF-8, or contains NUL. Save the file as “CSV UTF-8”.')
  }
  const hasMark = bytes.subarray(0, 3).equals(byteOrderMark)
  return hasMark ? bytes.subarray(3) : bytes
}

const byteOrderMark = Buffer.from('\uFEFF')

interface CsvOptions {
  readonly delimiter: string
  readonly skip_empty_lines: boolean
}

/** In some locales spreadsheets separate by semicolons, and pasted cells by tabs. */
function delimiterIn(start: string): string {
  const [first = ''] = start.split(/\r?\n/, 1)
  const [delimiter = ','] = [',', ';', '\t'].toSorted(
    (a, b) => first.split(b).length - first.split(a).length,
  )
  return delimiter
}

const [lineFeed, carriageReturn] = ['\n', '\r']

/** `isCut` says that `start` is not the whole file. */
function headerIn(start: Buffer, options: CsvOptions, isCut: boolean): string[] {
  // Without a line break the row has no end here. The parser would take a hundred times as long.
  if (isCut && !start.includes(lineFeed) && !start.includes(carriageReturn)) throw headerTooLong()
  const row = firstRowIn(start, options, isCut)
  if (isCut && (row === null || row.info.bytes >= start.length)) throw headerTooLong()
  if (row === null) throw badCsv('The body is empty. It must start with a header row.')
  const { length } = row.record
  if (length <= columnsMax) return row.record
  throw badCsv(`The header row has ${length} columns; at most ${columnsMax} are allowed.`)
}

const headerTooLong = () =>
  badCsv(`The header row does not end within the first ${headerBytesMax / 1024} KiB of the file.`)

interface FirstRow {
  readonly record: string[]
  /** `bytes` is the position after the row. */
  readonly info: { readonly bytes: number }
}

function firstRowIn(start: Buffer, options: CsvOptions, isCut: boolean): FirstRow | null {
  try {
    // The cast holds because of `info`; the types of the parser do not know it.
    const rows = parse(start, { ...options, to: 1, info: true }) as unknown as FirstRow[]
    return rows[0] ?? null
  } catch (error) {
    if (isCut && error instanceof CsvError && error.code === 'CSV_QUOTE_NOT_CLOSED') return null
    throw failureOf(error)
  }
}

/** The rows after the header. Refuses more rows than a batch may have. */
async function* rowsIn(
  file: Buffer,
  options: CsvOptions,
  columns: number,
): AsyncGenerator<readonly string[]> {
  const cast = (text: string, { index, lines, records }: InfoField) => {
    // The header is one of the records.
    if (records > limits.itemsMax) throw badCsv(`The file has more than ${limits.itemsMax} rows.`)
    // The parser compares the number of cells only at the end of a row, which may be far away.
    if (index >= columns) throw notCsv('record inconsistent fields length', lines)
    return text
  }
  const parser = parseStream({ ...options, cast, from: 2, max_record_size: rowBytesMax })
  Readable.from(slicesOf(file)).pipe(parser)
  try {
    for await (const cells of parser) yield cells
  } catch (error) {
    throw failureOf(error)
  }
}

async function* slicesOf(file: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < file.length; start += sliceBytes) {
    yield file.subarray(start, start + sliceBytes)
    await nextTurn()
  }
}

const notCsv = (reason: string, line: number) =>
  badCsv(`The body is not CSV: ${reason}, at line ${line}.`)

/** Other errors are not errors of the parser. */
function failureOf(error: unknown): unknown {
  if (!(error instanceof CsvError)) return error
  const line = Number(error['lines']) || 1
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    return badCsv(`The row at line ${line} has more than ${rowBytesMax} bytes.`)
  }
  const reason = error.code.replace(/^CSV_/, '').replaceAll('_', ' ').toLowerCase()
  return notCsv(reason, line)
}

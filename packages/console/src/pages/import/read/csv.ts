import { decodeText, parseCsv, readRows } from '#data/parse-csv.ts'

import { bounds } from './bounds.ts'
import { type FileEncoding, ReadError, type Sheet, sheetOf } from './sheet.ts'

/** Reads CSV, however a spreadsheet has saved it. */
export function readCsv(bytes: Uint8Array<ArrayBuffer>): Sheet {
  const { text, encoding } = decode(bytes)
  refuseTooLong(text)
  const { header, rows, malformed } = parseCsv(text)
  const [names = ''] = /[^\r\n]+/.exec(text) ?? []
  return sheetOf([header, ...rows].filter(hasValue), {
    malformed,
    format: { type: 'csv', encoding, separator: separatorOf(names, header.cells.length) },
  })
}

/** A spreadsheet writes the separators of an empty row. */
const hasValue = ({ cells }: { readonly cells: readonly string[] }) =>
  cells.some((cell) => cell.trim() !== '')

function decode(bytes: Uint8Array<ArrayBuffer>): { text: string; encoding: FileEncoding } {
  const [first, second] = bytes
  const isLittle = first === 0xff && second === 0xfe
  if (isLittle || (first === 0xfe && second === 0xff)) {
    const decoder = new TextDecoder(isLittle ? 'utf-16le' : 'utf-16be')
    return { text: withoutNul(decoder.decode(bytes)), encoding: 'UTF-16' }
  }
  const text = decodeText(bytes.buffer)
  if (text !== null) return { text, encoding: 'UTF-8' }
  // Every sequence of bytes is text in Windows-1252. Excel writes it where UTF-8 is not chosen.
  const latin = new TextDecoder('windows-1252').decode(bytes)
  return { text: withoutNul(latin), encoding: 'Windows-1252' }
}

function withoutNul(text: string): string {
  if (text.includes('\0')) throw new ReadError('not-text')
  return text
}

/** Counts before the rows are kept in memory. */
function refuseTooLong(text: string): void {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    lines += 1
    if (lines > bounds.lines) throw new ReadError('too-many-rows')
  }
  let rows = 0
  for (const { cells } of readRows(text.replaceAll(/\r\n?/g, '\n'))) {
    if (cells.length > bounds.columns) throw new ReadError('too-many-columns')
    rows += hasValue({ cells }) ? 1 : 0
    if (rows > bounds.rows + 1) throw new ReadError('too-many-rows')
  }
}

/** The separator that gives the first line its cells. */
const separatorOf = (names: string, cells: number) =>
  ([';', '\t'] as const).find((each) => cells > 1 && names.split(each).length >= cells) ?? ','

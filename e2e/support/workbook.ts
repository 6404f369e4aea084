import { inflateRawSync } from 'node:zlib'

/** The files of a ZIP archive as texts, by their paths. */
function unzip(archive: Buffer): ReadonlyMap<string, string> {
  const end = archive.lastIndexOf('PK\u0005\u0006')
  const files = new Map<string, string>()
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const lengths = [28, 30, 32].map((field) => archive.readUInt16LE(at + field))
    const [nameLength = 0, extraLength = 0, commentLength = 0] = lengths
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
    const local = archive.readUInt32LE(at + 42)
    const data = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    const packed = archive.subarray(data, data + archive.readUInt32LE(at + 20))
    files.set(name, inflateRawSync(packed).toString())
    at += 46 + nameLength + extraLength + commentLength
  }
  return files
}

interface Cell {
  readonly kind: 'text' | 'number' | 'boolean' | 'date' | 'time'
  /** As the CSV export writes it. */
  readonly text: string
}

const dayMs = 86_400_000
const timeOf = (serial: string) =>
  new Date(Date.UTC(1899, 11, 30) + Math.round(Number(serial) * dayMs)).toISOString()

const unescape = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll('_x005F_', '_')

function readCell(attributes: string, content: string): Cell {
  const text = />([^<]*)<\/[tv]>/.exec(content)?.[1] ?? ''
  if (attributes.includes('t="inlineStr"')) return { kind: 'text', text: unescape(text) }
  if (attributes.includes('t="b"')) return { kind: 'boolean', text: String(text === '1') }
  if (attributes.includes('s="3"')) return { kind: 'date', text: timeOf(text).slice(0, 10) }
  if (attributes.includes('s="4"')) return { kind: 'time', text: timeOf(text) }
  return { kind: 'number', text }
}

const columnOf = (letters: string) =>
  Array.from(letters).reduce((sum, letter) => sum * 26 + (letter.codePointAt(0) ?? 0) - 64, 0) - 1

/** The rows of the first sheet of an XLSX workbook, and the name of the sheet. */
export function readWorkbook(content: Buffer) {
  const files = unzip(content)
  const sheet = files.get('xl/worksheets/sheet1.xml') ?? ''
  const rows = Array.from(sheet.matchAll(/<row [^>]*>(.*?)<\/row>/gs), ([, row = '']) => {
    const cells: Cell[] = []
    for (const [, letters = '', attributes = '', inner = ''] of row.matchAll(
      /<c r="([A-Z]+)\d+"([^>]*)>(.*?)<\/c>/gs,
    )) {
      cells[columnOf(letters)] = readCell(attributes, inner)
    }
    return cells
  })
  const name = /<sheet name="([^"]*)"/.exec(files.get('xl/workbook.xml') ?? '')?.[1]
  return { name, sheet, rows }
}

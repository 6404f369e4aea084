import { strToU8, Zip, ZipDeflate } from 'fflate'

import { readRows } from '#data/parse-csv.ts'
import { rowsMax, TooManyRowsError } from '#data/too-many-rows.ts'

import type { CellType } from './column-types.ts'
import { rowXml, sheetEnd, sheetStart, stylesXml } from './sheet-xml.ts'

export interface Export {
  /** The complete list as the API returns it. */
  readonly csv: string
  /** The name of the sheet. */
  readonly name: string
  readonly types: ReadonlyMap<string, CellType>
  /** Called with the finished part, from 0 to 1. */
  readonly onProgress: (part: number) => void
}

const mediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
/** The browser can draw and react between two slices. */
const sliceMs = 25
/** The rows that give the columns their widths. */
const sampleRows = 200

/** Writes a list as an XLSX workbook with one sheet, in time slices and in one pass. */
export async function writeXlsx({ csv, name, types, onProgress }: Export): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  const zip = new Zip((error, data) => {
    if (error) throw error
    parts.push(data)
  })
  for (const [path, text] of Object.entries(packageFiles(name))) addFile(zip, path)(text, true)
  const write = addFile(zip, 'xl/worksheets/sheet1.xml')
  const slice = new Slice()
  const text = csv.replaceAll(/\r\n?/g, '\n')
  for (const { xml, read } of sheetParts(text, types)) {
    write(xml)
    if (await slice.isOver()) onProgress(read / text.length)
  }
  write(sheetEnd, true)
  zip.end()
  return new Blob(parts, { type: mediaType })
}

class Slice {
  #began = performance.now()

  /** Yields to the browser when the slice is over. */
  async isOver(): Promise<boolean> {
    if (performance.now() - this.#began < sliceMs) return false
    await new Promise((resolve) => setTimeout(resolve))
    this.#began = performance.now()
    return true
  }
}

function addFile(zip: Zip, path: string) {
  const file = new ZipDeflate(path, { level: 4 })
  zip.add(file)
  return (text: string, isLast = false) => file.push(strToU8(text), isLast)
}

/** Large enough to compress well, and small enough for a slice. */
const partLength = 32 * 1024

/** The sheet in parts, each with the length of the CSV that was read. */
function* sheetParts(csv: string, types: Export['types']) {
  const sample: Row[] = []
  for (const row of readRows(csv)) if (sample.push(row) > sampleRows) break
  const header = sample[0]?.cells ?? []
  const columnTypes = header.map((column) => types.get(column) ?? 'text')
  let part = sheetStart(sample.map(({ cells }) => cells))
  let at = 0
  for (const { cells, end } of chain(sample, readRows(csv, sample.at(-1)?.end))) {
    at += 1
    if (at > rowsMax + 1) throw new TooManyRowsError()
    const isHeader = at === 1
    const texts = isHeader ? cells : cells.map(withoutEscapes)
    part += rowXml(at, texts, isHeader ? header.map(() => 'header') : columnTypes)
    if (part.length < partLength) continue
    yield { xml: part, read: end }
    part = ''
  }
  yield { xml: part, read: csv.length }
}

interface Row {
  readonly cells: readonly string[]
  readonly end: number
}

function* chain<T>(...lists: readonly Iterable<T>[]): Generator<T> {
  for (const list of lists) yield* list
}

/** The `'` that the API puts before each part of a cell that starts like a formula. */
const escape = /(?<=^|[;\t\r\n])'(?='*(?:[^\S\t\r\n]|")*[=+\-@＝＋－＠\t\r\0])/g

const withoutEscapes = (text: string) => (text.includes("'") ? text.replaceAll(escape, '') : text)

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const schemas = 'http://schemas.openxmlformats.org'
const office = `${schemas}/officeDocument/2006/relationships`
const main = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Every file of the workbook except the sheet. */
function packageFiles(name: string): Readonly<Record<string, string>> {
  // The characters that the name of a sheet must not have, and its length.
  const sheet = name.replaceAll(/[[\]:*?/\\'&<>"]/g, ' ').slice(0, 31)
  const part = (path: string, type: string) =>
    `<Override PartName="/xl/${path}.xml" ContentType="${main}.${type}+xml"/>`
  const relationship = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`
  const relationships = (...all: string[]) =>
    `${xml}<Relationships xmlns="${schemas}/package/2006/relationships">${all.join('')}\
</Relationships>`
  return {
    '[Content_Types].xml': `${xml}<Types xmlns="${schemas}/package/2006/content-types">\
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
<Default Extension="xml" ContentType="application/xml"/>${part('workbook', 'sheet.main')}\
${part('worksheets/sheet1', 'worksheet')}${part('styles', 'styles')}</Types>`,
    '_rels/.rels': relationships(relationship('rId1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `${xml}<workbook xmlns="${schemas}/spreadsheetml/2006/main" \
xmlns:r="${office}"><sheets><sheet name="${sheet}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships(
      relationship('rId1', 'worksheet', 'worksheets/sheet1.xml'),
      relationship('rId2', 'styles', 'styles.xml'),
    ),
    'xl/styles.xml': stylesXml,
  }
}

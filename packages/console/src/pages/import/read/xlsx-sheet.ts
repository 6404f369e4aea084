import { bounds } from './bounds.ts'
import { ReadError } from './sheet.ts'
import { dayOfSerial } from './xlsx-dates.ts'
import { attribute, readTags, type Tag } from './xml.ts'

export interface CellFormats {
  readonly texts: readonly string[]
  readonly isDate: readonly boolean[]
  readonly isFrom1904: boolean
}

interface Row {
  readonly line: number
  readonly cells: readonly string[]
}

interface Cell {
  readonly at: number
  readonly type: string
  readonly style: number
}

/** The rows of a sheet that have a value. */
export function readSheet(xml: string, formats: CellFormats): Row[] {
  const reader = new SheetReader(formats)
  for (const tag of readTags(xml)) reader.read(tag)
  return reader.rows
}

class SheetReader {
  readonly rows: Row[] = []
  readonly #formats: CellFormats
  #line = 0
  #cells: string[] = []
  #cell: Cell | null = null
  #at = -1
  #value = ''
  #isPhonetic = false

  constructor(formats: CellFormats) {
    this.#formats = formats
  }

  read(tag: Tag): void {
    if (tag.name === 'row') this.#readRow(tag)
    else if (tag.name === 'c') this.#readCell(tag)
    else if (tag.name === 'rPh') this.#isPhonetic = !tag.isEnd && !tag.isEmpty
    else if (this.#cell !== null && !this.#isPhonetic && holdsValue(tag)) this.#value += tag.text
  }

  #readRow(tag: Tag): void {
    if (!tag.isEnd) {
      this.#line = positive(attribute(tag, 'r')) ?? this.#line + 1
      this.#cells = []
      this.#at = -1
    }
    if (!(tag.isEnd || tag.isEmpty) || this.#cells.every((cell) => cell === '')) return
    if (this.rows.length > bounds.rows) throw new ReadError('too-many-rows')
    this.rows.push({ line: this.#line, cells: Array.from(this.#cells, (cell) => cell ?? '') })
  }

  #readCell(tag: Tag): void {
    if (!tag.isEnd) {
      this.#at = columnOf(attribute(tag, 'r')) ?? this.#at + 1
      const style = Number(attribute(tag, 's') ?? 0)
      this.#cell = { at: this.#at, type: attribute(tag, 't') ?? 'n', style }
      this.#value = ''
    }
    if (!(tag.isEnd || tag.isEmpty) || this.#cell === null) return
    const text = textOf(this.#cell, this.#value, this.#formats).trim()
    if (text !== '') {
      if (this.#cell.at >= bounds.columns) throw new ReadError('too-many-columns')
      this.#cells[this.#cell.at] = text
    }
    this.#cell = null
  }
}

/** The value of a cell is before the end of `v`, or of `t` in a text of the cell itself. */
const holdsValue = ({ name, isEnd }: Tag) =>
  (isEnd && (name === 'v' || name === 't')) || name === ''

function textOf({ type, style }: Cell, value: string, formats: CellFormats): string {
  if (type === 's') return unescapeText(formats.texts[Number(value)] ?? '')
  if (type === 'b') return value === '1' ? 'true' : 'false'
  if (type === 'd') return value.slice(0, 10)
  if (type !== 'n') return unescapeText(value)
  const number = Number(value)
  if (value.trim() === '' || !Number.isFinite(number)) return value
  const day = formats.isDate[style] ? dayOfSerial(number, formats.isFrom1904) : null
  // Spreadsheets show 15 digits: 0.1 + 0.2 is 0.3.
  return day ?? String(Number(number.toPrecision(15)))
}

/** Workbooks write control characters as `_x000D_`. All line ends become LF, as in CSV. */
const unescapeText = (text: string) =>
  text
    .replaceAll(/_x([\dA-F]{4})_/gi, (_, hex: string) =>
      String.fromCodePoint(Number.parseInt(hex, 16)),
    )
    .replaceAll(/\r\n?/g, '\n')

function positive(text: string | null): number | null {
  const number = Number(text ?? '')
  return Number.isSafeInteger(number) && number > 0 ? number : null
}

/** The number of the column from 0: C7 is 2. */
function columnOf(place: string | null): number | null {
  const [letters] = /^[A-Z]{1,3}(?=\d)/i.exec(place ?? '') ?? []
  if (letters === undefined) return null
  return (
    Array.from(letters.toUpperCase()).reduce(
      (sum, letter) => sum * 26 + (letter.codePointAt(0) ?? 0) - 64,
      0,
    ) - 1
  )
}

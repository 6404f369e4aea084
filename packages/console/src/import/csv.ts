/** A row of a file: the line it begins on, its text as it stands there, and what that says. */
export interface Row {
  readonly line: number
  readonly text: string
  readonly cells: readonly string[]
}

/** A row that cannot be read, and why: its quotation marks, or how many cells it has. */
export interface Broken {
  readonly line: number
  readonly why: 'quote' | 'cells'
  readonly count: number
}

export interface Table {
  readonly header: Row
  readonly rows: readonly Row[]
  readonly broken: readonly Broken[]
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The text of a file, without its byte order mark; null when it is none that the API takes. */
export function textOf(bytes: ArrayBuffer): string | null {
  try {
    const text = utf8.decode(bytes)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}

/**
 * Reads a table as the API does: separated by what the header has most of, and empty lines do not
 * count. Every kind of line end is read as LF, the only one that the API takes within a cell.
 */
export function tableOf(text: string): Table {
  const plain = text.replaceAll(/\r\n?/g, '\n')
  const readRow = rowReader(plain)
  const rows: Row[] = []
  const broken: Broken[] = []
  let line = 1
  for (let at = 0; at < plain.length;) {
    const { cells, end } = readRow(at)
    const raw = plain.slice(at, end)
    const row = { line, text: raw.replace(/\n$/, ''), cells: cells ?? [] }
    const wanted = rows[0]?.cells.length ?? row.cells.length
    if (cells === null) broken.push({ line, why: 'quote', count: 0 })
    else if (row.text !== '') {
      rows.push(row)
      if (cells.length !== wanted) broken.push({ line, why: 'cells', count: cells.length })
    }
    line += raw.split('\n').length - 1
    at = end
  }
  const [header = { line: 1, text: '', cells: [] }, ...rest] = rows
  return { header, rows: rest, broken }
}

function rowReader(text: string) {
  const separator = separatorOf(text)
  const cell = new RegExp(
    `(?:"([^"]*(?:""[^"]*)*)"|([^"\\n${separator}]*))(${separator}|\\n|$)`,
    'y',
  )
  return (from: number) => {
    const cells: string[] = []
    cell.lastIndex = from
    for (;;) {
      const at = cell.lastIndex
      const match = cell.exec(text)
      // What follows on other lines may be in order, so it is read on from the next one.
      if (match === null) return { cells: null, end: text.indexOf('\n', at) + 1 || text.length }
      const [, quoted, bare = '', stop] = match
      cells.push(quoted?.replaceAll('""', '"') ?? bare)
      if (stop !== separator) return { cells, end: at + match[0].length }
    }
  }
}

function separatorOf(text: string): string {
  const [first = ''] = /[^\n]+/.exec(text) ?? []
  const often = (mark: string) => first.split(mark).length
  return [',', ';', '\t'].toSorted((a, b) => often(b) - often(a))[0] ?? ','
}

/** As much of a table as is sent at once. */
export interface Part {
  readonly rows: readonly Row[]
  /** The header and the rows. */
  readonly csv: string
}

export interface PartLimits {
  readonly rowsMax: number
  readonly bytesMax: number
}

/** The table in parts that the API takes, in order. */
export function partsOf({ header, rows }: Table, { rowsMax, bytesMax }: PartLimits): Part[] {
  const headerBytes = bytesOf(header)
  const parts: Row[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const row of rows) {
    bytes += bytesOf(row)
    const part = parts.at(-1)
    if (part && part.length < rowsMax && bytes <= bytesMax) part.push(row)
    else {
      parts.push([row])
      bytes = headerBytes + bytesOf(row)
    }
  }
  return parts.map((each) => ({ rows: each, csv: csvOf(header, each) }))
}

const encoder = new TextEncoder()
/** With the line end. */
const bytesOf = ({ text }: Row) => encoder.encode(text).length + 1

/** The rows as a file of their own. */
export const csvOf = (header: Row, rows: readonly Row[]) =>
  [header, ...rows].map(({ text }) => `${text}\n`).join('')

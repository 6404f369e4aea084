import type { CellType } from './column-types.ts'

/** The position of each style in `cellXfs` of `stylesXml`. */
const styles = { text: 1, header: 2, date: 3, time: 4 } as const

/** Texts have the format `@`, so that a text that starts with `=` stays text when it is edited. */
export const stylesXml = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="1">\
<numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts><fonts count="2"><font>\
<sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font>\
</fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill>\
<patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/>\
<bottom/><diagonal/></border></borders><cellStyleXfs count="1">\
<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5">\
<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>\
<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>\
<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>\
<xf numFmtId="14" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>\
<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>\
</styleSheet>`

const widthMin = 8
const widthMax = 60

/** The beginning of a sheet. These rows give the columns their widths; the first row is frozen. */
export function sheetStart(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, at) => {
    const longest = Math.max(...rows.map((row) => row[at]?.length ?? 0))
    return Math.min(Math.max(longest + 2, widthMin), widthMax)
  })
  const columns = widths?.map(
    (width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  )
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews>\
<sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" \
state="frozen"/></sheetView></sheetViews><cols>${columns?.join('') ?? ''}</cols><sheetData>`
}

export const sheetEnd = '</sheetData></worksheet>'

/** A row of a sheet. Empty cells are left out. */
export function rowXml(
  at: number,
  cells: readonly string[],
  types: readonly (CellType | 'header')[],
): string {
  const written = cells.map((text, column) =>
    text === '' ? '' : cellXml(`${columnName(column)}${at}`, text, types[column] ?? 'text'),
  )
  return `<row r="${at}">${written.join('')}</row>`
}

/** A, B, …, Z, AA, … */
function columnName(column: number): string {
  const rest = Math.floor(column / 26)
  return (rest > 0 ? columnName(rest - 1) : '') + String.fromCodePoint(65 + (column % 26))
}

/** A cell of its type, or as text if it has another form. */
function cellXml(place: string, text: string, type: CellType | 'header'): string {
  if (type === 'number' && /^-?\d{1,15}(?:\.\d+)?$/.test(text)) {
    return `<c r="${place}"><v>${text}</v></c>`
  }
  if (type === 'boolean' && (text === 'true' || text === 'false')) {
    return `<c r="${place}" t="b"><v>${text === 'true' ? 1 : 0}</v></c>`
  }
  const serial = type === 'date' || type === 'time' ? serialOf(text) : null
  if (serial !== null) {
    return `<c r="${place}" s="${type === 'date' ? styles.date : styles.time}"><v>${serial}</v></c>`
  }
  const style = type === 'header' ? styles.header : styles.text
  return `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">\
${escapeXml(text)}</t></is></c>`
}

const dayMs = 86_400_000
/** Day 0 of a spreadsheet, for days after February 1900. */
const epochMs = Date.UTC(1899, 11, 30)
const serialMin = 61

/** Days since day 0, in UTC: spreadsheets have no time zones. */
function serialOf(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/.test(text)) return null
  const serial = (Date.parse(text) - epochMs) / dayMs
  return serial >= serialMin ? serial : null
}

/** Spreadsheets refuse a file with a longer text in a cell. */
const textLengthMax = 32_767

/**
 * Characters that XML forbids are replaced. Spreadsheets decode `_x0041_` in a text, so the first
 * character of such a text is encoded itself.
 */
function escapeXml(text: string): string {
  const cut = text.length > textLengthMax ? `${text.slice(0, textLengthMax - 1)}…` : text
  return cut
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

import {
  type CsvSchema,
  type ExportColumn,
  exportColumnsOf,
  listFormats,
  type ListOperation,
  type Scope,
  valueAt,
} from '@muster/contract'
import { stringify } from 'csv-stringify/sync'

import { escapeFormulas } from '#http/request/csv'

/** Serializes a complete list, chunk by chunk. */
export interface ListFormat {
  readonly name: 'json' | 'ndjson' | 'csv'
  readonly mediaType: string
  /** Whether the complete list in this format is an export. Programs read lists as JSON. */
  readonly isExport?: true
  /** The file name of a download. */
  readonly fileName?: string
  begin(asOf: number): string
  items(chunk: readonly object[], isFirst: boolean): string
  end(summary: { count: number; asOf: number; hasTotal: boolean }): string
}

/** `count` and `next_cursor` come last, so that a truncated body is recognisable. */
const json: ListFormat = {
  name: 'json',
  mediaType: listFormats.json,
  begin: (asOf) => `{"as_of":${asOf},"data":[`,
  items: (chunk, isFirst) => {
    const text = JSON.stringify(chunk).slice(1, -1)
    return isFirst || text === '' ? text : `,${text}`
  },
  end: ({ count, hasTotal }) =>
    `],${hasTotal ? `"total_count":${count},` : ''}"count":${count},"next_cursor":null}`,
}

const ndjson: ListFormat = {
  name: 'ndjson',
  isExport: true,
  mediaType: listFormats.ndjson,
  begin: () => '',
  items: (chunk) => chunk.map((item) => `${JSON.stringify(item)}\n`).join(''),
  end: ({ count, asOf }) => `${JSON.stringify({ _end: { count, as_of: asOf } })}\n`,
}

/** The columns of a list as CSV. Extras have columns only when requested. */
export const csvColumns = (
  { item }: ListOperation,
  extras: readonly string[],
  scopes: readonly Scope[],
): ExportColumn[] => exportColumnsOf(withExtras(item, extras), scopes)

/** Every row has the columns of the header. */
function csv({ path }: ListOperation, columns: readonly ExportColumn[]): ListFormat {
  const cast = { string: escapeFormulas, boolean: String }
  const rows = (records: unknown[][]) => stringify(records, { cast, record_delimiter: 'windows' })
  return {
    name: 'csv',
    isExport: true,
    mediaType: listFormats.csv,
    fileName: `${path.split('/').at(-1)}.csv`,
    begin: () => rows([columns.map(({ name }) => name)]),
    items: (chunk) => rows(chunk.map((each) => columns.map((column) => cell(each, column)))),
    end: () => '',
  }
}

/** The item has a lookup under the name of its column, dots included. */
function cell(item: object, { field, lookup }: ExportColumn): unknown {
  const value = lookup ? (item as Record<string, unknown>)[field] : valueAt(item, field)
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) {
    return value.join(' ')
  }
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

/** The media types of every list; the first is the default. */
export const csvType = listFormats.csv
export const listTypes = Object.values(listFormats)

/** The format of a complete list. `columns` are those of CSV. */
export function formatOf(
  operation: ListOperation,
  mediaType: string,
  columns: readonly ExportColumn[],
): ListFormat {
  if (mediaType === csvType) return csv(operation, columns)
  return mediaType === ndjson.mediaType ? ndjson : json
}

/** The item schema, with its optional fields (extras) only when any was requested. */
function withExtras(item: CsvSchema, extras: readonly string[]): CsvSchema {
  const shown = Object.entries(item.properties ?? {}).filter(
    ([name]) => extras.length > 0 || item.required?.includes(name),
  )
  return { ...item, properties: Object.fromEntries(shown) }
}

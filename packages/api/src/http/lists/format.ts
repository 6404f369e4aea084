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

import type { Unmatched } from '#domain/engine/listing'
import { escapeFormulas } from '#http/request/csv'

interface ListEnd {
  readonly count: number
  readonly asOf: number
  readonly hasTotal: boolean
  /** Undefined if it was not requested. Only for JSON. */
  readonly unmatched?: Unmatched | undefined
}

/** Serializes a list, chunk by chunk. */
export interface ListFormat {
  readonly name: 'json' | 'ndjson' | 'csv'
  /** Whether a list in this format is an export. Programs read lists as JSON. */
  readonly isExport?: true
  /** The file name of a download. */
  readonly fileName?: string
  begin(asOf: number): string
  items(chunk: readonly object[], isFirst: boolean): string
  end(summary: ListEnd): string
}

/** `count` and `next_cursor` come last, so that a truncated body is recognisable. */
const json: ListFormat = {
  name: 'json',
  begin: (asOf) => `{"as_of":${asOf},"data":[`,
  items: (chunk, isFirst) => {
    const text = JSON.stringify(chunk).slice(1, -1)
    return isFirst || text === '' ? text : `,${text}`
  },
  end: ({ count, hasTotal, unmatched }) => {
    const total = hasTotal ? `"total_count":${count},` : ''
    const missing = unmatched ? `"unmatched":${JSON.stringify(unmatched)},` : ''
    return `],${total}${missing}"count":${count},"next_cursor":null}`
  },
}

const ndjson: ListFormat = {
  name: 'ndjson',
  isExport: true,
  begin: () => '',
  items: (chunk) => chunk.map((item) => `${JSON.stringify(item)}\n`).join(''),
  end: ({ count, asOf }) => `${JSON.stringify({ _end: { count, as_of: asOf } })}\n`,
}

/** The columns of a list as CSV. Extras have columns only when requested. */
export const csvColumns = (
  { item }: ListOperation,
  optional: OptionalColumns,
  scopes: readonly Scope[],
): ExportColumn[] => exportColumnsOf(withExtras(item, optional), scopes)

interface OptionalColumns {
  readonly extras: readonly string[]
  readonly isCompared: boolean
}

/** Every row has the columns of the header. */
function csv({ path }: ListOperation, columns: readonly ExportColumn[]): ListFormat {
  const cast = { string: escapeFormulas, boolean: String }
  const rows = (records: unknown[][]) => stringify(records, { cast, record_delimiter: 'windows' })
  return {
    name: 'csv',
    isExport: true,
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

/** The Content-Type of a list. CSV has a header row (RFC 4180, 3). */
export const contentTypeOf = (mediaType: string): string =>
  mediaType === csvType ? `${csvType}; charset=utf-8; header=present` : mediaType

/** The format of a list. `columns` are those of CSV. */
export function formatOf(
  operation: ListOperation,
  mediaType: string,
  columns: readonly ExportColumn[],
): ListFormat {
  if (mediaType === csvType) return csv(operation, columns)
  return mediaType === listFormats.ndjson ? ndjson : json
}

/** The headers of a download. */
export const downloadHeaders = ({ fileName }: ListFormat) =>
  fileName ? { 'content-disposition': `attachment; filename="${fileName}"` } : {}

/** The item schema, with its optional fields (extras) only when any was requested. */
function withExtras(item: CsvSchema, { extras, isCompared }: OptionalColumns): CsvSchema {
  const isAsked = (name: string) => (name === 'compared' ? isCompared : extras.length > 0)
  const shown = Object.entries(item.properties ?? {}).filter(
    ([name]) => isAsked(name) || item.required?.includes(name),
  )
  return { ...item, properties: Object.fromEntries(shown) }
}

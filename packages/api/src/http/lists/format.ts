import {
  type CsvSchema,
  type ExportColumn,
  exportColumnsOf,
  listFormats,
  type ListOperation,
  type Scope,
} from '@muster/contract'

import type { Unmatched } from '#domain/engine/listing'
import { attachment, cell, csvLines, csvNameOf, csvType } from '#http/response/csv-file'

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
  operation: ListOperation,
  optional: OptionalColumns,
  scopes: readonly Scope[],
): ExportColumn[] => exportColumnsOf(withExtras(operation, optional), scopes)

interface OptionalColumns {
  readonly extras: readonly string[]
  readonly isCompared: boolean
}

/** Every row has the columns of the header. */
function csv({ path }: ListOperation, columns: readonly ExportColumn[]): ListFormat {
  return {
    name: 'csv',
    isExport: true,
    fileName: csvNameOf(path),
    begin: () => csvLines([columns.map(({ name }) => name)]),
    items: (chunk) => csvLines(chunk.map((each) => columns.map((column) => cell(each, column)))),
    end: () => '',
  }
}

/** The media types of every list; the first is the default. */
export const listTypes = Object.values(listFormats)

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
export const downloadHeaders = ({ fileName }: ListFormat) => (fileName ? attachment(fileName) : {})

/** The item schema, with the optional fields that the requested extras add. */
function withExtras(
  { item, includes }: Pick<ListOperation, 'item' | 'includes'>,
  { extras, isCompared }: OptionalColumns,
): CsvSchema {
  const schema: CsvSchema = item
  const isAdded = (field: string) =>
    field === 'compared'
      ? isCompared
      : extras.some((name) => includes[name]?.fields?.includes(field) ?? true)
  const shown = Object.entries(schema.properties ?? {}).filter(
    ([name]) => schema.required?.includes(name) || isAdded(name),
  )
  return { ...schema, properties: Object.fromEntries(shown) }
}

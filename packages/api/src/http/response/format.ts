import type { ListOperation } from '@muster/contract'
import { stringify } from 'csv-stringify/sync'

import { columnsOf, escapeFormulas, type CsvSchema } from '#http/request/csv'

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

/** `count` and `next_cursor` come last, so that a truncated body is recognizable. */
const json: ListFormat = {
  name: 'json',
  mediaType: 'application/json',
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
  mediaType: 'application/x-ndjson',
  begin: () => '',
  items: (chunk) => chunk.map((item) => `${JSON.stringify(item)}\n`).join(''),
  end: ({ count, asOf }) => `${JSON.stringify({ _end: { count, as_of: asOf } })}\n`,
}

/** Every row has the columns of the header. Extras have columns only when requested. */
function csv({ item, path }: ListOperation, extras: readonly string[]): ListFormat {
  const columns = columnsOf(withExtras(item, extras))
  const cast = { string: escapeFormulas, boolean: String }
  const rows = (records: unknown[][]) => stringify(records, { cast, record_delimiter: 'windows' })
  return {
    name: 'csv',
    isExport: true,
    mediaType: 'text/csv',
    fileName: `${path.split('/').at(-1)}.csv`,
    begin: () => rows([columns]),
    items: (chunk) => rows(chunk.map((each) => columns.map((column) => cell(each, column)))),
    end: () => '',
  }
}

function cell(item: object, column: string): unknown {
  let value: unknown = item
  for (const name of column.split('.')) {
    // The cast holds because a column follows the objects of the item's schema; any may be null.
    value = (value as Record<string, unknown> | null)?.[name] ?? null
  }
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) {
    return value.join(' ')
  }
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

/** The media types of every list; the first is the default. */
export const listTypes = ['application/json', 'text/csv', 'application/x-ndjson']

export const formatsOf = (operation: ListOperation, extras: readonly string[]): ListFormat[] => [
  json,
  csv(operation, extras),
  ndjson,
]

/** The item schema, with its optional fields (extras) only when any was requested. */
function withExtras(item: CsvSchema, extras: readonly string[]): CsvSchema {
  const shown = Object.entries(item.properties ?? {}).filter(
    ([name]) => extras.length > 0 || item.required?.includes(name),
  )
  return { ...item, properties: Object.fromEntries(shown) }
}

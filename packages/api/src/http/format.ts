import type { ListOperation } from '@muster/contract'
import { stringify } from 'csv-stringify/sync'

/** A way to write a complete list, a chunk at a time. */
export interface Format {
  readonly mediaType: string
  /** For what people save and open elsewhere. */
  readonly fileName?: string
  begin(asOf: number): string
  items(chunk: readonly object[], isFirst: boolean): string
  end(summary: { count: number; asOf: number; hasTotal: boolean }): string
}

/**
 * `count` and `next_cursor` come last, so that a body that was cut cannot be taken for a whole one.
 */
const json: Format = {
  mediaType: 'application/json',
  begin: (asOf) => `{"as_of":${asOf},"data":[`,
  items: (chunk, isFirst) => {
    const text = JSON.stringify(chunk).slice(1, -1)
    return isFirst || text === '' ? text : `,${text}`
  },
  end: ({ count, hasTotal }) =>
    `],${hasTotal ? `"total_count":${count},` : ''}"count":${count},"next_cursor":null}`,
}

const ndjson: Format = {
  mediaType: 'application/x-ndjson',
  begin: () => '',
  items: (chunk) => chunk.map((item) => `${JSON.stringify(item)}\n`).join(''),
  end: ({ count, asOf }) => `${JSON.stringify({ _end: { count, as_of: asOf } })}\n`,
}

/** One column for each field; a field of an object within the item is named with a dot. */
function csv({ item, collection }: ListOperation): Format {
  const columns = columnsOf(item)
  const cast = { string: defuse, boolean: String }
  const rows = (records: unknown[][]) => stringify(records, { cast, record_delimiter: 'windows' })
  return {
    mediaType: 'text/csv',
    fileName: `${collection}.csv`,
    begin: () => rows([columns]),
    items: (chunk) => rows(chunk.map((each) => columns.map((column) => cell(each, column)))),
    end: () => '',
  }
}

interface Shape {
  type?: string | string[]
  properties?: Record<string, Shape>
}

function columnsOf({ properties = {} }: Shape): string[] {
  return Object.entries(properties).flatMap(([name, field]) =>
    field.properties ? columnsOf(field).map((inner) => `${name}.${inner}`) : [name],
  )
}

function cell(item: object, column: string): unknown {
  let value: unknown = item
  for (const name of column.split('.')) {
    // The cast holds because a column follows the objects of the item's schema; any may be null.
    value = (value as Record<string, unknown> | null)?.[name] ?? null
  }
  if (Array.isArray(value)) return value.join(' ')
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

/**
 * A spreadsheet runs a cell that begins like a formula, so such a cell gets a `'` before it. So
 * does one that already has such a `'`: taking exactly one away on import then always gives the
 * original.
 */
const defuse = (text: string) => (/^'*[=+\-@\t\r\0]/.test(text) ? `'${text}` : text)

/** What every list can be had as; the first when anything will do. */
export const listTypes = ['application/json', 'text/csv', 'application/x-ndjson']

export const formatsOf = (operation: ListOperation): Format[] => [json, csv(operation), ndjson]

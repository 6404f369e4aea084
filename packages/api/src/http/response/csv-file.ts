import {
  columnsOf,
  type CsvSchema,
  type ExportColumn,
  listFormats,
  valueAt,
} from '@muster/contract'
import { stringify } from 'csv-stringify/sync'

import { Failure } from '#domain/engine/failure'
import { escapeFormulas } from '#http/request/csv'

export const csvType = listFormats.csv

/** The Content-Type of a response. CSV has a header row (RFC 4180, 3). */
export const contentTypeOf = (mediaType: string): string =>
  mediaType === csvType ? `${csvType}; charset=utf-8; header=present` : mediaType

/** The name of a file that is downloaded from the path. */
export const csvNameOf = (path: string) => `${path.split('/').at(-1)}.csv`

export const attachment = (fileName: string) => ({
  'content-disposition': `attachment; filename="${fileName}"`,
})

const cast = { string: escapeFormulas, boolean: String }

/** Lines of a file. */
export const csvLines = (records: unknown[][]): string =>
  stringify(records, { cast, record_delimiter: 'windows' })

/** The item has a lookup under the name of its column, dots included. */
export function cell(item: object, { field, lookup }: Pick<ExportColumn, 'field' | 'lookup'>) {
  // The cast holds because a lookup is a field of the item.
  const value = lookup ? (item as Record<string, unknown>)[field] : valueAt(item, field)
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) {
    return value.join(' ')
  }
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

/** A result whose entries are in groups, as a file with one row for each entry. */
export function csvOf(row: CsvSchema, result: object): Buffer {
  refuseTruncated(result)
  const columns = columnsOf(row)
  const records = rowsIn(result).map((each) =>
    columns.map((field) => cell(each, { field, lookup: null })),
  )
  return Buffer.from(csvLines([columns, ...records]))
}

/** A file does not say that rows are missing. */
function refuseTruncated(result: object): void {
  if (!('is_truncated' in result && result.is_truncated === true)) return
  const detail = 'The file would lack rows. Use points that are closer, fewer projects, or JSON.'
  throw new Failure('invalid_parameter', detail, { parameter: 'format' })
}

/** The members of the result that are objects of lists: nouns with their groups. */
const rowsIn = (result: object): object[] =>
  Object.entries(result).flatMap(([noun, groups]: [string, unknown]) =>
    areGroups(groups)
      ? Object.entries(groups).flatMap(([group, entries]) =>
          entries.map((entry) => ({ noun, group, ...entry })),
        )
      : [],
  )

const areGroups = (value: unknown): value is Readonly<Record<string, readonly object[]>> =>
  typeof value === 'object' && value !== null && Object.values(value).every(Array.isArray)

/** Lookup columns of CSV: their values in an export, and the check of their cells in an import. */

import { type LookupColumn, prefixes, valueAt } from '@muster/contract'

import { selectLookups } from '#storage/lists/lookups'
import type { Read } from '#storage/statements/access'

import type { InvalidField } from './failure.ts'

type TextOf = (item: object, column: LookupColumn) => string | null

/** Looks up what the columns show for these items: one statement for each type of resource. */
async function readTexts(
  read: Read,
  columns: readonly LookupColumn[],
  items: readonly object[],
): Promise<TextOf> {
  const byPrefix = Map.groupBy(columns, ({ prefix }) => prefix)
  const found = await Promise.all(
    [...byPrefix].map(async ([prefix, ofPrefix]) => {
      const idColumns = new Set(ofPrefix.map(({ idColumn }) => idColumn))
      const ids = new Set(
        items.flatMap((item) => [...idColumns].flatMap((column) => idsAt(item, column))),
      )
      if (ids.size === 0) return new Map()
      return selectLookups(read, prefix, [...ids])
    }),
  )
  const resources = new Map(found.flatMap((each) => [...each]))
  return (item, { idColumn, field, isList }) => {
    const texts = idsAt(item, idColumn).flatMap((id) => resources.get(id)?.[field] ?? [])
    return isList ? texts.join(separators[field]) : (texts[0] ?? null)
  }
}

/** Names contain spaces. */
const separators = { name: '; ', email: ' ', code: ' ', ref: ' ' } as const

// The cast holds because an id column has an id, null, or a list of ids.
const idsAt = (item: object, column: string): string[] =>
  [valueAt(item, column) as string | string[] | null].flat().filter((id) => id !== null)

/** The items with the values of these columns, by their names. */
export async function withLookups<Item extends object>(
  read: Read,
  columns: readonly LookupColumn[],
  items: readonly Item[],
): Promise<Item[]> {
  const textOf = await readTexts(read, columns, items)
  return items.map((item) => ({
    ...item,
    ...Object.fromEntries(columns.map((column) => [column.name, textOf(item, column)])),
  }))
}

/** The filled cells of the lookup columns of a CSV file, by column, for each row. */
export interface LookupCells {
  readonly columns: readonly LookupColumn[]
  readonly rows: readonly ReadonlyMap<string, string>[]
}

/** A row of a batch, and the item that it results in. */
interface RowResult {
  readonly index: number
  readonly item: object
}

interface RowErrors {
  readonly index: number
  readonly errors: readonly InvalidField[]
}

/**
 * Finds cells that state something else than the id of their row. A name or an e-mail address does
 * not select a resource, so ignoring such a cell would lose what its author meant.
 */
export async function lookupErrors(
  read: Read,
  { columns, rows }: LookupCells,
  results: readonly RowResult[],
): Promise<RowErrors[]> {
  const used = columns.filter(({ name }) => rows.some((cells) => cells.has(name)))
  if (used.length === 0) return []
  const items = results.map(({ item }) => item)
  const textOf = await readTexts(read, used, items)
  return results.map(({ index, item }) => ({
    index,
    errors: used.flatMap((column) => {
      const cell = rows[index]?.get(column.name) ?? ''
      const text = textOf(item, column) ?? ''
      if (cell === '' || cell === text) return []
      const detail = expectation(column, text, idsAt(item, column.idColumn).length > 0)
      return [{ pointer: pointerOf(column), code: 'lookup_mismatch', detail }]
    }),
  }))
}

const pointerOf = ({ name }: LookupColumn) => `/${name.replaceAll('.', '/')}`

/** The longest text that an error repeats. A list of references can be longer. */
const textLengthMax = 300

/** States what the cell may have. Without an id, it says where to put one. */
function expectation({ idColumn, prefix }: LookupColumn, text: string, hasId: boolean): string {
  const exported = text.length > textLengthMax ? 'as exported' : JSON.stringify(text)
  const allowed = text === '' ? 'empty' : `${exported} or empty`
  const reason = `because only ${idColumn} selects ${prefixes[prefix]}`
  return `must be ${allowed}, ${reason}${hasId ? '' : `. Fill in ${idColumn}`}`
}

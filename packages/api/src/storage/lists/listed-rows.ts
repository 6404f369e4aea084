/** The rows of a list with their versions. */

import { sql } from 'kysely'

import type { Read } from '#storage/statements/access'
import { isOwn, type Page } from '#storage/statements/keyset'

import { type List, ownOf, selectPage, statementOf } from './index-ranges.ts'

/** An item, and the version of its row. */
export interface ListedRow<Item> {
  readonly id: string
  readonly version: number
  readonly item: Item
}

/** The rows of a list with a version. */
const versioned = <Item>({ present, query, ...list }: List<Item>): List<ListedRow<Item>> => ({
  ...list,
  query: { ...query, columns: [...new Set([...query.columns, 'id', 'version'])] },
  present: (row: Readonly<Record<string, unknown>>) => ({
    id: String(row['id']),
    version: Number(row['version']),
    // The cast holds because the rows have the columns that the query names.
    item: present(row as never),
  }),
})

/** Reads a page of a list with the versions of its rows. */
export const selectPageRows = <Item>(read: Read, list: List<Item>, page: Page) =>
  selectPage(read, versioned(list), page)

/** The rows with these ids, with the columns of the list. */
export async function selectRowsById<Item>(
  read: Read,
  list: List<Item>,
  ids: readonly string[],
): Promise<ListedRow<Item>[]> {
  const { query, present } = versioned(list)
  const { table, columns } = query
  const byId = { table, columns, keys: [], order: [], where: [] }
  const statement = statementOf('rows', byId, (given) => {
    const selected = sql.join(columns.map((column) => sql.ref(`item.${column}`)))
    return sql`select ${selected} from ${sql.table(table)} as item
      where ${isOwn(ownOf(given), 'item')} and item.id = any(${given('ids')}::uuid[])`
  })
  const rows = await statement.execute(read, { workspaceId: read.workspaceId, ids })
  // The cast holds because the rows have the columns that the query names.
  return rows.map((row) => present(row as never))
}

/**
 * Sort orders without an index of their own. The rows that the filter leaves are sorted for each
 * page (top-N sort). Without a filter they come from an index-only scan of one workspace, whose
 * index includes the columns of every order. Only the rows of the page are then read, by id.
 */

import { sql } from 'kysely'

import type { Read } from '#storage/statements/access'
import { isOwn, type Page, type Position, rowsFor } from '#storage/statements/keyset'

import {
  allRows,
  type GivenValue,
  isSearch,
  type List,
  type ListQuery,
  ownOf,
  searchIds,
  statementOf,
  type Values,
  valuesOf,
} from './index-ranges.ts'
import type { Sorting } from './sort-keys.ts'

/** A list with an order of its own. */
type SortedList<Item> = List<Item> & { readonly sorting: Sorting }

export const isSorted = <Item>(list: List<Item>): list is SortedList<Item> =>
  list.sorting !== undefined

export interface SortedItems<Item> {
  readonly items: Item[]
  /** The place of each item in the order of the query. */
  readonly ranks: readonly number[]
}

/** Reads a page of a sorted list. The position has the id, and the key unless it is null. */
export async function selectSortedPage<Item>(read: Read, list: SortedList<Item>, page: Page) {
  const found = await selectPlaces(read, list, { ...page, limit: rowsFor(page) })
  const shown = found.slice(0, page.limit)
  const last = found.length > page.limit ? shown.at(-1) : undefined
  const next: Position | null = last ? [last.id, ...(last.key === null ? [] : [last.key])] : null
  return { ...(await selectPlaced(read, list, shown)), next }
}

/** Reads a complete sorted list in chunks. The order is read once. */
export async function* selectSortedChunks<Item>(
  read: Read,
  list: SortedList<Item>,
  chunkRows: number,
): AsyncGenerator<SortedItems<Item>> {
  const found = await selectPlaces(read, list, { after: null, limit: null })
  for (let from = 0; from === 0 || from < found.length; from += chunkRows) {
    yield await selectPlaced(read, list, found.slice(from, from + chunkRows))
  }
}

interface Place {
  readonly id: string
  readonly key: string | null
  readonly rank?: number
}

interface PlacesWanted {
  readonly after: Position | null
  /** Null for all. */
  readonly limit: number | null
}

async function selectPlaces(
  read: Read,
  { query, sorting }: SortedList<unknown>,
  { after, limit }: PlacesWanted,
): Promise<Place[]> {
  const values = valuesOf(read, isSearch(query) ? searchIds(query) : query, noPage)
  const { by } = sorting
  const person = personOf(sorting)
  const names = person === null ? '{}' : await selectNames(read, query, { values, person })
  const [afterId = null, afterKey = null] = after ?? []
  const statement = statementOf(shapeOf(query, sorting), query, (given) =>
    places(given, query, sorting),
  )
  const rows = await statement.execute(read, { ...values, by, limit, names, afterId, afterKey })
  // The cast holds because the statement selects these columns.
  return rows as unknown as Place[]
}

const noPage: Page = { after: null, limit: 0 }

/** One statement serves all orders of a list in one direction. */
const shapeOf = (query: ListQuery, { keys, isDescending, isRanked }: Sorting) =>
  ['sorted', Object.keys(keys).join('+'), isDescending, isRanked, isSearch(query)].join()

/** The ids in sort order, with their keys and ranks. `offset 0`: each key is computed once. */
function places(given: GivenValue, query: ListQuery, sorting: Sorting) {
  const direction = sorting.isDescending ? sql`desc` : sql`asc`
  const isBeyond = sorting.isDescending ? sql`<` : sql`>`
  const ranked = sql.join(query.order.map(({ name }) => sql.ref(`item.${name}`)))
  const rank = sql`, row_number() over (order by ${ranked})::integer as rank`
  const afterId = sql`${given('afterId')}::uuid`
  const afterKey = sql`${given('afterKey')}::text`
  return sql<Record<string, unknown>>`select sorted.* from (
      select item.id, ${keyOf(given, sorting)} as key${sorting.isRanked ? rank : sql``}
      from (${keyedRows(given, query, columnsOf(sorting))}) as item
      offset 0
    ) as sorted
    where ${afterId} is null
      or sorted.key ${isBeyond} ${afterKey}
      or sorted.key is null and ${afterKey} is not null
      or sorted.key is not distinct from ${afterKey} and sorted.id ${isBeyond} ${afterId}
    order by sorted.key ${direction} nulls last, sorted.id ${direction}
    limit ${given('limit')}`
}

/** The names are a parameter: a join would depend on the estimates of the planner. */
function keyOf(given: GivenValue, { keys }: Sorting) {
  const cases = Object.entries(keys).map(([by, key]) => {
    const text =
      'person' in key
        ? sql`${given('names')}::jsonb ->> ${sql.ref(`item.${key.person}`)}::text`
        : key.text(ownOf(given))
    return sql`when ${by} then ${text}`
  })
  return sql`(case ${given('by')}::text ${sql.join(cases, sql` `)} end) collate "C"`
}

const columnsOf = ({ keys }: Sorting) =>
  Object.values(keys).flatMap((key) => ('person' in key ? [key.person] : key.columns))

/** The column with the people whose names are the keys, if they are. */
function personOf({ keys, by }: Sorting): string | null {
  const key = keys[by]
  return key && 'person' in key ? key.person : null
}

/** All rows that the filter leaves, with the columns of the order of the query and of the key. */
function keyedRows(given: GivenValue, query: ListQuery, columns: readonly string[]) {
  const ordered = query.order.map(({ name }) => name)
  if (!isSearch(query)) {
    return allRows(given, { ...query, columns: [...new Set([...ordered, ...columns])] })
  }
  const more = columns.filter((column) => !ordered.includes(column))
  const selected = [
    ...ordered.map((column) => sql.ref(`found.${column}`)),
    ...more.map((column) => sql.ref(`item.${column}`)),
  ]
  const looked = sql.join(['id', ...more].map((column) => sql.ref(`item.${column}`)))
  return sql`select ${sql.join(selected)}
    from (${allRows(given, searchIds(query))}) as found cross join lateral (
      select ${looked} from ${sql.table(query.table)} as item
      where ${isOwn(ownOf(given), 'item')} and item.id = found.id offset 0
    ) as item`
}

/** The sort names of the people in a column of the list, by id, as JSON. */
async function selectNames(
  read: Read,
  query: ListQuery,
  { values, person }: { readonly values: Values; readonly person: string },
): Promise<string> {
  const statement = statementOf(`names,${isSearch(query)}`, query, (given) => {
    return sql<Record<string, unknown>>`select named.id, named.sort_name
      from (
        select distinct ${sql.ref(`item.${person}`)} as id
        from (${keyedRows(given, query, [person])}) as item
      ) as charged cross join lateral (
        select people.id, people.sort_name from people
        where ${isOwn(ownOf(given), 'people')} and people.id = charged.id offset 0
      ) as named`
  })
  const rows = await statement.execute(read, values)
  return JSON.stringify(Object.fromEntries(rows.map(({ id, sort_name }) => [id, sort_name])))
}

/** The rows with these ids, in this order. */
async function selectPlaced<Item>(
  read: Read,
  { query, present }: List<Item>,
  placed: readonly Place[],
): Promise<SortedItems<Item>> {
  const { workspaceId } = read
  const statement = statementOf(
    'placed',
    { ...bare, table: query.table, columns: query.columns },
    (given) => {
      const selected = sql.join(query.columns.map((column) => sql.ref(`item.${column}`)))
      return sql<Record<string, unknown>>`select item.*
      from unnest(${given('ids')}::uuid[]) with ordinality as sorted (id, place)
      cross join lateral (
        select ${selected} from ${sql.table(query.table)} as item
        where ${isOwn(ownOf(given), 'item')} and item.id = sorted.id offset 0
      ) as item
      order by sorted.place`
    },
  )
  const rows = await statement.execute(read, { workspaceId, ids: placed.map(({ id }) => id) })
  return {
    // The cast holds because the rows have the columns that the query names.
    items: rows.map((row) => present(row as never)),
    ranks: placed.map(({ rank = 0 }) => rank),
  }
}

/** The rows of a page are the same for every order and filter. */
const bare: Omit<ListQuery, 'table' | 'columns'> = { keys: [], order: [], where: [] }

import { type RawBuilder, sql } from 'kysely'

import type { Read } from '#storage/statements/access'
import {
  type PageResult,
  pageOf,
  isLess,
  isOwn,
  nil,
  type Page,
  type Position,
  rowsFor,
} from '#storage/statements/keyset'
import { type Template, template } from '#storage/statements/template'
import { fold } from '#storage/values/fold'
import { uuidOf } from '#storage/values/id'

import { type Condition, type KeyType, types } from './conditions.ts'
import type { Sorting } from './sort-keys.ts'

/** A column of an order and its PostgreSQL type. */
export interface OrderColumn {
  readonly name: string
  readonly type: 'uuid' | 'smallint' | 'bigint' | 'timestamptz' | 'text' | 'date'
}

/** The values before and after all others. Texts in an order have at most 64 characters. */
const extremes = {
  uuid: [nil, 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  smallint: [-32_768, 32_767],
  bigint: [-1, Number.MAX_SAFE_INTEGER],
  timestamptz: ['-infinity', 'infinity'],
  text: ['', '\u{10ffff}'.repeat(65)],
  date: ['-infinity', 'infinity'],
} as const satisfies Record<OrderColumn['type'], readonly [string | number, string | number]>

/** A range of the first column of an order, both ends included: numbers, or days. */
export interface Range {
  readonly low: number | string
  readonly high: number | string
  /** If `low` equals `high`: a range of the second column, `from` included, `before` excluded. */
  readonly from?: string | undefined
  readonly before?: string | undefined
}

/** A column and the values it may have. */
export interface KeyFilter {
  readonly column: string
  readonly type: KeyType
  readonly values: readonly string[]
}

/** User ids of a filter, or `none`, as values of a key column such as `owner_key`. */
export const personKeys = (ids: readonly string[] | null) =>
  ids?.map((id) => (id === 'none' ? nil : uuidOf(id))) ?? null

interface Candidate {
  readonly column: string
  readonly type: KeyFilter['type']
  /** Null for no filter. */
  readonly values: readonly string[] | null
}

/** The first filter that is given leads to the rows by its index. The narrowest comes first. */
export function leadingKeys(candidates: readonly Candidate[]): KeyFilter[] {
  for (const { column, type, values } of candidates) {
    if (values !== null) return [{ column, type, values }]
  }
  return []
}

/** A table with the same order under other keys, and its column with the id of the row. */
export interface Through {
  readonly table: string
  readonly id: string
}

/**
 * A list that is read from index ranges (keyset ranges): one for each combination of a value of
 * each key with a range of the order. The first rows of each index range are read and merged. So
 * an index serves every value of a filter, and a page reads at most its own length from each range.
 */
export interface ListQuery {
  readonly table: string
  readonly columns: readonly string[]
  readonly keys: readonly KeyFilter[]
  readonly order: readonly OrderColumn[]
  readonly isDescending?: boolean
  /** Of an ascending order of two columns or more; undefined for all of it. */
  readonly ranges?: readonly Range[]
  /** A boolean column that must be true: the predicate of the partial indexes. */
  readonly only?: string
  /** A boolean column that must be false: another predicate of the partial indexes. */
  readonly except?: string
  readonly where: readonly Condition[]
  /**
   * `q`, if it is the only filter in `where`, and the index of these keys and this order includes
   * `search_key`. The ids then come from an index-only scan.
   */
  readonly search?: string | null
  /** A table that leads to the rows; `keys` are then its columns. */
  readonly through?: Through
  /** Whether the ids come from index-only scans, and only the rows of the page are read. */
  readonly isIdsFirst?: boolean
}

/** The value of a parameter, or a placeholder for it. */
export type GivenValue = (name: string) => RawBuilder<unknown>

/** The statement depends on the columns of keys and order and on `through`, not on the values. */
function indexRanges(given: GivenValue, query: ListQuery) {
  const { order, isDescending = false, through } = query
  const direction = isDescending ? sql`desc` : sql`asc`
  const by = (columns: readonly RawBuilder<unknown>[]) =>
    sql.join(columns.map((column) => sql`${column} ${direction}`))
  const ordered = order.map(({ name }) => sql.ref(`item.${name}`))
  const limit = given('limit')
  return sql<
    Record<string, unknown>
  >`select ${through ? sql`distinct on (${sql.join(ordered)})` : sql``} item.*
    from ${indexRangesTable(given, query)} cross join lateral (
      ${oneIndexRange(given, query)}
      order by ${by(ledColumns(query))} limit ${limit}
    ) as item
    order by ${by(ordered)} limit ${limit}`
}

/**
 * The ids of the rows whose text contains `q`. All columns are in one index: an
 * index-only scan. Row level security keeps the text operator out of the index condition; as a
 * filter it is applied after the workspace.
 */
export function searchIds(query: ListQuery): ListQuery {
  const { table, order, search } = query
  const hasText: Condition = {
    name: 'search',
    value: fold(search ?? ''),
    test(given, workspaceId) {
      const text = sql`${given}::text`
      const whole = sql`select from ${sql.table(table)} as whole
        where ${isOwn({ workspaceId }, 'whole')} and whole.id = item.id
          and strpos(whole.search_text, ${text}) > 0 offset 0`
      // A text that is too long for the index is null there. `offset 0` makes it one look-up by id.
      return sql`(strpos(item.search_key, ${text}) > 0
        or item.search_key is null and exists (${whole}))`
    },
  }
  return { ...query, columns: order.map(({ name }) => name), where: [hasText], search: null }
}

/**
 * The query for the ids alone: of a search, and of many index ranges. Reading the rows of each
 * range would cost more than reading those of the page by id. Null if the rows come first.
 */
function idsFirst(query: ListQuery): ListQuery | null {
  if (isSearch(query)) return searchIds(query)
  return query.isIdsFirst ? { ...query, columns: query.order.map(({ name }) => name) } : null
}

/** The rows of a page of ids, in their order. */
function rowsOfIds(given: GivenValue, query: ListQuery, ids: ListQuery) {
  const { table, columns, order, isDescending = false } = query
  const selected = sql.join(columns.map((column) => sql.ref(`item.${column}`)))
  const direction = isDescending ? sql`desc` : sql`asc`
  const by = order.map(({ name }) => sql`${sql.ref(`found.${name}`)} ${direction}`)
  return sql<Record<string, unknown>>`select item.*
    from (${indexRanges(given, ids)}) as found cross join lateral (
      select ${selected} from ${sql.table(table)} as item
      where ${isOwn(ownOf(given), 'item')} and ${isSameRow(order)} offset 0
    ) as item
    order by ${sql.join(by)}`
}

/** Rows without an id are identified by their order. */
function isSameRow(order: readonly OrderColumn[]) {
  if (order.some(({ name }) => name === 'id')) return sql`item.id = found.id`
  const same = order.map(
    ({ name }) => sql`${sql.ref(`item.${name}`)} = ${sql.ref(`found.${name}`)}`,
  )
  return sql.join(same, sql` and `)
}

// The cast holds because this parameter is the id of the workspace.
export const ownOf = (given: GivenValue) => ({
  workspaceId: given('workspaceId') as RawBuilder<string>,
})

export const isSearch = ({ search }: ListQuery) => search !== undefined && search !== null

/** A list as one value: its query, and the form of its items. `selectPage` executes it. */
export interface List<Item> {
  readonly query: ListQuery
  /** For counting, where it differs from `query`: one order serves every count. */
  readonly countQuery?: ListQuery
  /** Takes a row with the columns of the query. */
  readonly present: (row: never) => Item
  /** An order other than that of the query. `sorted.ts` then reads the list. */
  readonly sorting?: Sorting
}

export type Values = Readonly<Record<string, unknown>>

const statements = new Map<string, Template<Values, Record<string, unknown>>>()

/** The statement of a list, compiled once for each shape of queries. The contract bounds them. */
export function statementOf(
  name: string,
  query: ListQuery,
  build: (given: GivenValue) => RawBuilder<Record<string, unknown>>,
): Template<Values, Record<string, unknown>> {
  const key = `${name} ${isSearch(query) ? 'search ' : ''}${shapeOf(query)}`
  const known = statements.get(key)
  if (known) return known
  const made = template<Values, Record<string, unknown>>((given) =>
    build((parameter) => sql`${given[parameter]}`),
  )
  statements.set(key, made)
  return made
}

/** What the text of the statement depends on. */
function shapeOf({ table, columns, keys, order, isDescending, ranges, ...query }: ListQuery) {
  const { only, except, where, through } = query
  const parts = [
    table,
    columns.join(),
    keys.map(({ column }) => column).join(),
    order.map(({ name }) => name).join(),
    isDescending === true ? 'desc' : 'asc',
    ranges && (ranges.some(isCut) ? 'cut' : 'ranges'),
    only,
    except,
    through && `${through.table}.${through.id}`,
    where.map(({ name }) => name).join(),
    query.isIdsFirst && 'ids',
  ]
  return parts.join('|')
}

/** The rows of a page, in order. */
export function pageRows(given: GivenValue, query: ListQuery) {
  const ids = idsFirst(query)
  return ids ? rowsOfIds(given, query, ids) : indexRanges(given, query)
}

export const pageValues = (read: Pick<Read, 'workspaceId'>, query: ListQuery, page: Page): Values =>
  valuesOf(read, idsFirst(query) ?? query, page)

/** Reads a page of a list, and the position where the next page starts. */
export async function selectPage<Item>(
  read: Read,
  { query, present }: List<Item>,
  page: Page,
): Promise<PageResult<Item>> {
  const statement = statementOf('page', query, (given) => pageRows(given, query))
  const rows = await statement.execute(read, pageValues(read, query, page))
  const columns = query.order.map(({ name }) => name)
  // The cast holds because the rows have the columns that the query names.
  return pageOf(rows, { limit: page.limit, columns, present: (row) => present(row as never) })
}

/** All rows of a list, each once, in no order. */
export function listedRows(read: Read, query: ListQuery): RawBuilder<unknown> {
  const values = valuesOf(read, query, { after: null, limit: 0 })
  return allRows((name) => sql`${values[name]}`, query)
}

/** `offset 0` keeps every index range on its index. */
export function allRows(given: GivenValue, query: ListQuery): RawBuilder<unknown> {
  return sql`select ${query.through ? sql`distinct on (item.id)` : sql``} item.*
    from ${indexRangesTable(given, query)} cross join lateral (
      ${oneIndexRange(given, query)} offset 0
    ) as item`
}

/** The columns of the order in the table that leads to the rows. */
const ledColumns = ({ order, through }: ListQuery) =>
  order.map(({ name }) => {
    if (through === undefined) return sql.ref(`item.${name}`)
    return sql.ref(`${through.table}.${name === 'id' ? through.id : name}`)
  })

function oneIndexRange(given: GivenValue, query: ListQuery): RawBuilder<unknown> {
  const { table, columns, through } = query
  const own = ownOf(given)
  const led = through?.table ?? 'item'
  const source = through
    ? sql`${sql.table(led)} join ${sql.table(table)} as item
        on ${isOwn(own, 'item')} and item.id = ${sql.ref(`${led}.${through.id}`)}`
    : sql`${sql.table(table)} as item`
  const conditions = [
    isOwn(own, led),
    ...endsOf(query),
    ...keysOf(query),
    ...predicateOf(query),
    ...query.where.map(({ test }, index) => test(given(`where${index}`), own.workspaceId)),
  ]
  return sql`select ${sql.join(columns.map((column) => sql.ref(`item.${column}`)))} from ${source}
      where ${sql.join(conditions, sql` and `)}`
}

/** The predicate of the partial indexes. */
const predicateOf = ({ only, except }: ListQuery) => [
  ...(only ? [sql`${sql.ref(`item.${only}`)}`] : []),
  ...(except ? [sql`not ${sql.ref(`item.${except}`)}`] : []),
]

/** Counts the rows of a list, up to `max` + 1. */
export async function countRows(read: Read, list: List<unknown>, max: number): Promise<number> {
  const query = list.countQuery ?? list.query
  const columns = query.order.map(({ name }) => name)
  const ids = isSearch(query) ? searchIds(query) : { ...query, columns }
  const count = statementOf(
    'count',
    ids,
    (given) => sql`select count(*) as count from (${indexRanges(given, ids)}) as counted`,
  )
  const [row] = await count.execute(read, valuesOf(read, ids, { after: null, limit: max }))
  return Number(row?.['count'] ?? 0)
}

/** Row comparison: the start is one position in the index. */
function endsOf(query: ListQuery): RawBuilder<unknown>[] {
  const led = ledColumns(query)
  const columns = sql.join(led)
  const start = sql.join(led.map((_, index) => sql.ref(`index_range.start${index}`)))
  const isAfter = query.isDescending
    ? sql`(${columns}) < (${start})`
    : sql`(${columns}) > (${start})`
  const [first, second] = led
  if (!query.ranges || !first || !second) return [isAfter]
  if (!query.ranges.some(isCut)) return [isAfter, sql`${first} <= index_range.end0`]
  // The first column has one value, so both ends of the second are positions in the index.
  const isWithin = sql`${second} >= index_range.start1 and ${second} < index_range.end1`
  return [isAfter, sql`${first} = index_range.end0`, isWithin]
}

const isCut = ({ from, before }: Range) => from !== undefined || before !== undefined

const keysOf = ({ keys, through }: ListQuery) =>
  keys.map(({ column }, index) => {
    const of = through?.table ?? 'item'
    return sql`${sql.ref(`${of}.${column}`)} = ${sql.ref(`index_range.key${index}`)}`
  })

/**
 * The index ranges as a table of parameters. Every parameter has the type of its column: row level
 * security would keep a cast, which is not leakproof, out of the index condition.
 */
function indexRangesTable(given: GivenValue, { keys, order, ranges }: ListQuery) {
  const columns = [
    ...keys.map(({ type }, index) => ({ name: `key${index}`, type })),
    ...order.map(({ type }, index) => ({ name: `start${index}`, type })),
    ...order.slice(0, ranges ? 2 : 0).map(({ type }, index) => ({ name: `end${index}`, type })),
  ]
  const arrays = sql.join(columns.map(({ name, type }) => sql`${given(name)}::${types[type]}[]`))
  const names = sql.join(columns.map(({ name }) => sql.ref(name)))
  return sql`unnest(${arrays}) as index_range (${names})`
}

/**
 * The parameters of a statement by name. An index range that the previous page read in part starts
 * where that page ended; one that it read to the end is left out.
 */
export function valuesOf(
  { workspaceId }: Pick<Read, 'workspaceId'>,
  query: ListQuery,
  page: Page,
): Values {
  const { keys, order, isDescending, ranges, where } = query
  const { after } = page
  const origin: Position = order.map(({ type }) => extremes[type][isDescending ? 1 : 0])
  const beyond: Position = order.map(({ type }) => extremes[type][1])
  const passed = ranges ? after?.[0] : undefined
  const ahead = ranges?.filter(({ high }) => !isLess(high, passed)) ?? [null]
  const rows = combinations(keys.map(({ values }) => values)).flatMap((values) =>
    ahead.map((range) => {
      const isBefore = after === null || (range !== null && isLess(passed, range.low))
      const start = isBefore ? placeAt([range?.low, range?.from], origin) : after
      return { values, start, end: placeAt([range?.high, range?.before], beyond) }
    }),
  )
  const given: Record<string, unknown> = { workspaceId, limit: rowsFor(page) }
  for (const index of keys.keys()) given[`key${index}`] = rows.map(({ values }) => values[index])
  for (const index of order.keys()) {
    given[`start${index}`] = rows.map(({ start }) => start[index])
    given[`end${index}`] = rows.map(({ end }) => end[index])
  }
  for (const [index, { value }] of where.entries()) given[`where${index}`] = value
  return given
}

/** A position whose first columns may be given; the others are the extreme. */
const placeAt = (given: readonly (string | number | undefined)[], extreme: Position): Position =>
  extreme.map((value, index) => given[index] ?? value)

/** The Cartesian product. */
function combinations(lists: readonly (readonly string[])[]): string[][] {
  return lists.reduce<string[][]>(
    (product, values) => product.flatMap((taken) => values.map((value) => [...taken, value])),
    [[]],
  )
}

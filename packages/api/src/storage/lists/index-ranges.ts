import { type RawBuilder, sql } from 'kysely'

import type { Read } from './database.ts'
import { fold } from './fold.ts'
import { uuidOf } from './id.ts'
import { type Found, found, isOwn, nil, type Page, type Position, rowsFor } from './keyset.ts'

/** A column of an order, with the type that it has in the database. */
export interface OrderColumn {
  readonly name: string
  readonly type: 'uuid' | 'smallint' | 'bigint' | 'timestamptz' | 'text' | 'date'
}

/** Comes before and after everything in an order, whose texts have at most 64 letters. */
const extremes = {
  uuid: [nil, 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  smallint: [-32_768, 32_767],
  bigint: [-1, Number.MAX_SAFE_INTEGER],
  timestamptz: ['-infinity', 'infinity'],
  text: ['', '\u{10ffff}'.repeat(65)],
  date: ['-infinity', 'infinity'],
} as const satisfies Record<OrderColumn['type'], readonly [string | number, string | number]>

/** The names of types stand in the text of a statement: these, and no others. */
const types = {
  uuid: sql`uuid`,
  smallint: sql`smallint`,
  bigint: sql`bigint`,
  timestamptz: sql`timestamptz`,
  text: sql`text`,
  date: sql`date`,
}

/** A stretch of the first column of an order, both ends in it. */
export interface Range {
  readonly low: number
  readonly high: number
  /** Where `low` is `high`, of the second column: from this value on, up to that and without it. */
  readonly from?: string | undefined
  readonly before?: string | undefined
}

/** A column that must have one of these values. */
export interface Key {
  readonly column: string
  readonly type: 'uuid' | 'text'
  readonly values: readonly string[]
}

/** People as a filter names them, `none` among them, as the keys that their rows have. */
export const personKeys = (ids: readonly string[] | null) =>
  ids?.map((id) => (id === 'none' ? nil : uuidOf(id))) ?? null

/** A filter that could lead to the rows; null when it was not asked for. */
export function key(column: string, type: Key['type'] | 'mark', values: readonly string[] | null) {
  return values && { column, type, values }
}

/**
 * The first of these filters that was asked for, the narrowest being named first, leads to the rows
 * by its index. A tag or a flag leads there through a table of marks.
 */
export function leading(marks: string, candidates: readonly ReturnType<typeof key>[]) {
  const chosen = candidates.find((candidate) => candidate !== null)
  if (!chosen) return { keys: [] }
  const { column, type, values } = chosen
  if (type !== 'mark') return { keys: [{ column, type, values }] }
  const keys: Key[] = [
    { column: 'kind', type: 'text', values: [column] },
    { column: 'value', type: 'text', values },
  ]
  return { keys, through: { table: marks, id: 'id' } }
}

/** A table that repeats the order under further keys, and the column that leads to the rows. */
export interface Through {
  readonly table: string
  readonly id: string
}

/**
 * A list that is read from an index. Every combination of a value for each key with a range is a
 * lane of its own: one stretch of the index. The first rows of each lane are read, and merged. So
 * every value of a filter is served by the index, and no list reads more than a page of rows per
 * lane.
 */
export interface LaneQuery {
  readonly table: string
  readonly columns: readonly string[]
  readonly keys: readonly Key[]
  readonly order: readonly OrderColumn[]
  readonly isDescending?: boolean
  /** Of an order that rises, by two columns or more; none for all of it. */
  readonly ranges?: readonly Range[]
  /** A boolean column that must be true: the predicate of the partial indexes. */
  readonly only?: string
  /** What rows of a lane must meet beside. Its text is always the same: see below. */
  readonly where: readonly RawBuilder<unknown>[]
  /**
   * `q`, if it is the only filter in `where`, and the index of these keys and this order includes
   * `search_key`. The ids then come from an index-only scan.
   */
  readonly search?: string | null
  /** The keys are then its own. */
  readonly through?: Through
}

/** One statement for each combination of keys, order and `through`, whatever the values. */
function lanes(read: Read, query: LaneQuery, page: Page) {
  const { order, isDescending = false, through } = query
  const direction = isDescending ? sql`desc` : sql`asc`
  const by = (columns: readonly RawBuilder<unknown>[]) =>
    sql.join(columns.map((column) => sql`${column} ${direction}`))
  const ordered = order.map(({ name }) => sql.ref(`item.${name}`))
  const limit = rowsFor(page)
  return sql<
    Record<string, unknown>
  >`select ${through ? sql`distinct on (${sql.join(ordered)})` : sql``} item.*
    from ${lanesTable(query, page)} cross join lateral (
      ${oneLane(read, query)}
      order by ${by(ledColumns(query))} limit ${limit}
    ) as item
    order by ${by(ordered)} limit ${limit}`
}

/**
 * The ids of the rows whose text contains `q`. All columns are in one index, so PostgreSQL reads
 * the index alone. Row level security forbids a text operator in the index condition; as a filter
 * it is applied after the workspace.
 */
function searchIds(read: Read, query: LaneQuery): LaneQuery {
  const { table, order, search } = query
  const given = sql`${fold(search ?? '')}::text`
  const whole = sql`select from ${sql.table(table)} as whole
    where ${isOwn(read, 'whole')} and whole.id = item.id
      and strpos(whole.search_text, ${given}) > 0 offset 0`
  // A text that is too long for the index is null there. `offset 0` makes it one look-up by id.
  const hasText = sql`(strpos(item.search_key, ${given}) > 0
    or item.search_key is null and exists (${whole}))`
  return { ...query, columns: order.map(({ name }) => name), where: [hasText], search: null }
}

/** The rows of a page of ids, in their order. */
function searchRows(read: Read, query: LaneQuery, page: Page) {
  const { table, columns, order, isDescending = false } = query
  const selected = sql.join(columns.map((column) => sql.ref(`item.${column}`)))
  const direction = isDescending ? sql`desc` : sql`asc`
  const by = order.map(({ name }) => sql`${sql.ref(`found.${name}`)} ${direction}`)
  return sql<Record<string, unknown>>`select item.*
    from (${lanes(read, searchIds(read, query), page)}) as found cross join lateral (
      select ${selected} from ${sql.table(table)} as item
      where ${isOwn(read, 'item')} and item.id = found.id offset 0
    ) as item
    order by ${sql.join(by)}`
}

const isSearch = ({ search }: LaneQuery) => search !== undefined && search !== null

interface Reading<T> {
  readonly page: Page
  /** Takes the row of the table that the query names. */
  readonly present: (row: never) => T
}

/** A page of a list, and where to go on. */
export async function selectLanes<T>(
  read: Read,
  query: LaneQuery,
  { page, present }: Reading<T>,
): Promise<Found<T>> {
  const statement = isSearch(query) ? searchRows(read, query, page) : lanes(read, query, page)
  const { rows } = await statement.execute(read.db)
  const columns = query.order.map(({ name }) => name)
  // The cast holds because the rows have the columns that the query names.
  return found(rows, { limit: page.limit, columns, present: (row) => present(row as never) })
}

/** All rows of a list, each once and in no order; `offset 0` keeps every lane on its index. */
export function laneRows(read: Read, query: LaneQuery): RawBuilder<unknown> {
  return sql`select ${query.through ? sql`distinct on (item.id)` : sql``} item.*
    from ${lanesTable(query, { after: null, limit: 0 })} cross join lateral (
      ${oneLane(read, query)} offset 0
    ) as item`
}

/** The columns of the order, in the table that leads to the rows. */
const ledColumns = ({ order, through }: LaneQuery) =>
  order.map(({ name }) => {
    if (through === undefined) return sql.ref(`item.${name}`)
    return sql.ref(`${through.table}.${name === 'id' ? through.id : name}`)
  })

function oneLane(read: Read, query: LaneQuery): RawBuilder<unknown> {
  const { table, columns, through } = query
  const led = through?.table ?? 'item'
  const source = through
    ? sql`${sql.table(led)} join ${sql.table(table)} as item
        on ${isOwn(read, 'item')} and item.id = ${sql.ref(`${led}.${through.id}`)}`
    : sql`${sql.table(table)} as item`
  const live = query.only ? [sql`${sql.ref(`item.${query.only}`)}`] : []
  const conditions = [isOwn(read, led), ...endsOf(query), ...keysOf(query), ...live, ...query.where]
  return sql`select ${sql.join(columns.map((column) => sql.ref(`item.${column}`)))} from ${source}
      where ${sql.join(conditions, sql` and `)}`
}

/** How many rows a list has, counted no further than `max` + 1. */
export async function countLanes(read: Read, query: LaneQuery, max: number): Promise<number> {
  const columns = query.order.map(({ name }) => name)
  const ids = isSearch(query) ? searchIds(read, query) : { ...query, columns }
  const { rows } = await sql<{ count: number }>`select count(*) as count
    from (${lanes(read, ids, { after: null, limit: max })}) as counted`.execute(read.db)
  return rows[0]?.count ?? 0
}

/** Rows are compared, and not columns: so the start is one place in the index. */
function endsOf(query: LaneQuery): RawBuilder<unknown>[] {
  const led = ledColumns(query)
  const columns = sql.join(led)
  const start = sql.join(led.map((_, index) => sql.ref(`lane.start${index}`)))
  const isAfter = query.isDescending
    ? sql`(${columns}) < (${start})`
    : sql`(${columns}) > (${start})`
  const [first, second] = led
  if (!query.ranges || !first || !second) return [isAfter]
  if (!query.ranges.some(isCut)) return [isAfter, sql`${first} <= lane.end0`]
  // With the first column known to be one value, both ends of the second are places in the index.
  const isWithin = sql`${second} >= lane.start1 and ${second} < lane.end1`
  return [isAfter, sql`${first} = lane.end0`, isWithin]
}

const isCut = ({ from, before }: Range) => from !== undefined || before !== undefined

const keysOf = ({ keys, through }: LaneQuery) =>
  keys.map(({ column }, index) => {
    const of = through?.table ?? 'item'
    return sql`${sql.ref(`${of}.${column}`)} = ${sql.ref(`lane.key${index}`)}`
  })

/**
 * The lanes as a table of parameters. One that the page before has partly read starts where that
 * page ended; one that it has read to its end is left out. Every parameter has the type of its
 * column from the beginning: a cast on the way is not leakproof, and row level security would keep
 * it out of the index.
 */
function lanesTable({ keys, order, isDescending, ranges }: LaneQuery, { after }: Page) {
  const origin: Position = order.map(({ type }) => extremes[type][isDescending ? 1 : 0])
  const beyond: Position = order.map(({ type }) => extremes[type][1])
  const passed = ranges && after !== null ? Number(after[0]) : -Infinity
  const ahead = ranges?.filter(({ high }) => high >= passed) ?? [null]
  const rows = combinations(keys.map(({ values }) => values)).flatMap((values) =>
    ahead.map((range) => {
      const isBefore = after === null || (range !== null && range.low > passed)
      const start = isBefore ? placeAt([range?.low, range?.from], origin) : after
      return { values, start, end: placeAt([range?.high, range?.before], beyond) }
    }),
  )
  const columns = [
    ...keys.map(({ type }, index) => ({
      name: `key${index}`,
      array: sql`${rows.map(({ values }) => values[index])}::${types[type]}[]`,
    })),
    ...order.map(({ type }, index) => ({
      name: `start${index}`,
      array: sql`${rows.map(({ start }) => start[index])}::${types[type]}[]`,
    })),
    ...order.slice(0, ranges ? 2 : 0).map(({ type }, index) => ({
      name: `end${index}`,
      array: sql`${rows.map(({ end }) => end[index])}::${types[type]}[]`,
    })),
  ]
  const arrays = sql.join(columns.map(({ array }) => array))
  const names = sql.join(columns.map(({ name }) => sql.ref(name)))
  return sql`unnest(${arrays}) as lane (${names})`
}

/** A position of which the first columns may be given, and the others are an extreme. */
const placeAt = (given: readonly (string | number | undefined)[], extreme: Position): Position =>
  extreme.map((value, index) => given[index] ?? value)

/** Every way to take one of each. */
function combinations(lists: readonly (readonly string[])[]): string[][] {
  return lists.reduce<string[][]>(
    (sofar, values) => sofar.flatMap((taken) => values.map((value) => [...taken, value])),
    [[]],
  )
}

/** A filter that may be absent. Its text is the same with and without a value. */
const narrows = <T>(given: RawBuilder<T>, test: RawBuilder<unknown>) =>
  sql`(${given} is null or ${test})`

/**
 * The column has one of these values, when there are any: a test of rows that something else leads
 * to. Not written as `= any`, which could lead by an index of its own, and out of order.
 */
export function isAmong(column: string, values: readonly string[] | null, type: 'uuid' | 'text') {
  const given = sql`${values}::${types[type]}[]`
  return narrows(given, sql`array_position(${given}, ${sql.ref(`item.${column}`)}) is not null`)
}

/** The array has one of these values in it, when there are any. */
export function overlaps(
  column: string,
  values: readonly string[] | null,
  type: 'uuid' | 'text' = 'text',
) {
  const given = sql`${values}::${types[type]}[]`
  return narrows(given, sql`${sql.ref(`item.${column}`)} && ${given}`)
}

/** The text that `q` looks into contains it, when it was asked for. */
export function containsText(q: string | null) {
  const given = sql`${q && fold(q)}::text`
  return narrows(given, sql`strpos(item.search_text, ${given}) > 0`)
}

import { type SelectQueryBuilder, sql } from 'kysely'

import type { Read } from './database.ts'
import { fold } from './fold.ts'

/** Where a page ends: the sort keys of its last row, as the database knows them. */
export type Position = readonly (string | number)[]

export interface Page {
  readonly after: Position | null
  readonly limit: number
}

/** A page, and where to go on; `next` is null when nothing follows. */
export interface Found<T> {
  readonly items: T[]
  readonly next: Position | null
}

/** Columns of an index whose last is unique, read in one direction. */
export interface Order<C extends string> {
  readonly columns: readonly C[]
  readonly isDescending: boolean
}

/** One row more than the page holds is read: it says whether there is a next page. */
export const rowsFor = ({ limit }: Page) => limit + 1

export function found<R extends Record<C, unknown>, C extends string, T>(
  rows: R[],
  { limit, columns, present }: { limit: number; columns: readonly C[]; present: (row: R) => T },
): Found<T> {
  const items = rows.slice(0, limit).map(present)
  const last = rows.length > limit ? rows[limit - 1] : undefined
  // The cast holds because sort columns are text, numbers, ids or instants, and never null.
  const next = last ? columns.map((column) => last[column] as string | number) : null
  return { items, next }
}

/** After this position in this order: one row comparison, served by the index of the order. */
export function isAfter({ columns, isDescending }: Order<string>, after: Position) {
  const keys = sql.join(columns.map((column) => sql.ref(column)))
  const values = sql.join([...after])
  return isDescending
    ? sql<boolean>`(${keys}) < (${values})`
    : sql<boolean>`(${keys}) > (${values})`
}

/** One parameter however many ids there are, so that it is one statement to plan and to keep. */
export const isOneOf = (column: string, uuids: readonly string[]) =>
  sql<boolean>`${sql.ref(column)} = any(${uuids}::uuid[])`

/** What `q` asks for. A filter inside the index range that the rest of the query reads. */
export const contains = (q: string) => sql<boolean>`strpos(search_text, ${fold(q)}) > 0`

/** How many rows a query has. Its own limit says how far they are counted. */
export async function countRows<DB, TB extends keyof DB, O>(
  { db }: Read,
  query: SelectQueryBuilder<DB, TB, O>,
): Promise<number> {
  const { count } = await db
    .selectFrom(query.as('counted'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** The orders of a directory, each served by an index. */
const directoryOrders = {
  created_at: ['created_at', 'id'],
  name: ['sort_name', 'id'],
  updated_at: ['version', 'id'],
} as const

export type DirectoryColumn = (typeof directoryOrders)[keyof typeof directoryOrders][number]

export interface DirectoryOrder {
  readonly by: keyof typeof directoryOrders
  readonly isDescending: boolean
}

export const sortedBy = ({ by, isDescending }: DirectoryOrder): Order<DirectoryColumn> => ({
  columns: directoryOrders[by],
  isDescending,
})

/** Comes before every id; and nobody, as an owner that can be looked up like any other. */
export const nil = '00000000-0000-0000-0000-000000000000'

/**
 * The first wall, for statements that are written out: only what belongs to the workspace that was
 * entered.
 */
export const isOwn = ({ workspaceId }: Read, table: string) =>
  sql<boolean>`${sql.ref(`${table}.workspace_id`)} = ${workspaceId}`

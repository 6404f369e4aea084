/** Keyset pagination: a page starts after the sort keys of the last row of the page before. */

import { type RawBuilder, sql } from 'kysely'

/** The position of a row: the values of its sort columns. */
export type Position = readonly (string | number)[]

export interface Page {
  readonly after: Position | null
  readonly limit: number
}

/** A page and the position of its last row; `next` is null for the last page. */
export interface PageResult<T> {
  readonly items: T[]
  readonly next: Position | null
}

/** A page reads one row more than it returns, to find out whether there is a next page. */
export const rowsFor = ({ limit }: Page) => limit + 1

export function pageOf<R extends Record<C, unknown>, C extends string, T>(
  rows: R[],
  { limit, columns, present }: { limit: number; columns: readonly C[]; present: (row: R) => T },
): PageResult<T> {
  const items = rows.slice(0, limit).map(present)
  const last = rows.length > limit ? rows[limit - 1] : undefined
  // The cast holds because sort columns are text or numbers, and not null.
  const next = last ? columns.map((column) => last[column] as string | number) : null
  return { items, next }
}

/** One parameter for any number of ids: one prepared statement. */
export const isOneOf = (column: string, uuids: readonly string[]) =>
  sql<boolean>`${sql.ref(column)} = any(${uuids}::uuid[])`

/** The nil UUID: before every id, and the value of key columns for "none". */
export const nil = '00000000-0000-0000-0000-000000000000'

/** The workspace as a value, or as a placeholder of a template. */
export interface Own {
  readonly workspaceId: string | RawBuilder<string>
}

/** The tenant condition, for statements in SQL text. */
export const isOwn = ({ workspaceId }: Own, table: string) =>
  sql<boolean>`${sql.ref(`${table}.workspace_id`)} = ${workspaceId}`

/**
 * Compares two values of an order; days as text, with `-infinity` before and `infinity` after all.
 */
export function isLess(a: string | number | undefined, b: string | number | undefined): boolean {
  if (a === undefined || b === undefined) return false
  const areDays = typeof a === 'string' && typeof b === 'string' && Number.isNaN(Number(a))
  return areDays ? a < b : Number(a) < Number(b)
}

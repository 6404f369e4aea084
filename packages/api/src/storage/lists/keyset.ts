import { sql } from 'kysely'

import type { Read } from './database.ts'

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

/** One parameter however many ids there are, so that it is one statement to plan and to keep. */
export const isOneOf = (column: string, uuids: readonly string[]) =>
  sql<boolean>`${sql.ref(column)} = any(${uuids}::uuid[])`

/** Comes before every id; and nobody, as an owner that can be looked up like any other. */
export const nil = '00000000-0000-0000-0000-000000000000'

/**
 * The first wall, for statements that are written out: only what belongs to the workspace that was
 * entered.
 */
export const isOwn = ({ workspaceId }: Read, table: string) =>
  sql<boolean>`${sql.ref(`${table}.workspace_id`)} = ${workspaceId}`

import { type Kysely, sql } from 'kysely'

import type { DB } from '#storage/schema/tables'

export interface ServerState {
  readonly version: string
  readonly versionNumber: number
  readonly isStandby: boolean
}

export async function selectServer(db: Kysely<DB>): Promise<ServerState> {
  const { rows } = await sql<ServerState>`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::integer as "versionNumber",
      pg_is_in_recovery() as "isStandby"`.execute(db)
  return onlyRow(rows)
}

/** The values of settings by name, as they are in effect for this connection. */
export async function selectSettings(
  db: Kysely<DB>,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ name: string; setting: string }>`
    select name, setting from pg_settings where name = any (${[...names]})`.execute(db)
  return new Map(rows.map(({ name, setting }) => [name, setting]))
}

/** The clock of the server, in milliseconds. */
export async function selectServerTime(db: Kysely<DB>): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select extract(epoch from now())::float8 * 1000 as ms`.execute(db)
  return onlyRow(rows).ms
}

export function onlyRow<T>(rows: readonly T[]): T {
  const [row] = rows
  if (row === undefined) throw new Error('A statement that returns one row returned none.')
  return row
}

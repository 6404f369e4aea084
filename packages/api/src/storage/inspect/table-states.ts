import { type Kysely, sql } from 'kysely'

import type { DB } from '#storage/schema/tables'

/** Size and statistics of a table. Numbers of rows are estimates of PostgreSQL. */
export interface TableState {
  readonly name: string
  /** With indexes and TOAST. */
  readonly bytes: number
  readonly rows: number
  readonly deadRows: number
  /** Rows inserted minus rows deleted, since the statistics began. */
  readonly growth: number
  /** When the statistics began; null for the creation of the database. */
  readonly since: string | null
  readonly vacuumedSecondsAgo: number | null
}

/** The tables of Muster, the largest first. */
export async function selectTableStates(db: Kysely<DB>): Promise<TableState[]> {
  const { rows } = await sql<TableState>`
    select t.relname::text as name, pg_total_relation_size(t.relid) as bytes,
      greatest(t.n_live_tup, c.reltuples::bigint) as rows, t.n_dead_tup as "deadRows",
      t.n_tup_ins - t.n_tup_del as growth, d.stats_reset as since,
      extract(
        epoch from now() - greatest(t.last_autovacuum, t.last_vacuum)
      )::float8 as "vacuumedSecondsAgo"
    from pg_stat_user_tables t
    join pg_class c on c.oid = t.relid
    join pg_stat_database d on d.datname = current_database()
    where t.schemaname = 'muster'
    order by bytes desc, name`.execute(db)
  return rows
}

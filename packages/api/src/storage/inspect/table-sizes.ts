import { type Kysely, sql } from 'kysely'

import type { DB } from '#storage/schema/tables'

/** A table with its indexes, as PostgreSQL estimated it at the last vacuum or analyze. */
export interface TableSize {
  readonly table: string
  readonly bytes: number
  readonly rows: number
}

/**
 * Reads the catalog alone: `pg_total_relation_size` would wait for a migration that locks a table.
 * `reltuples` is -1 before the first vacuum.
 */
export async function selectTableSizes(db: Kysely<DB>): Promise<TableSize[]> {
  const { rows } = await sql<TableSize>`
    select t.relname as "table", greatest(t.reltuples, 0)::float8 as "rows",
      current_setting('block_size')::float8 * (
        t.relpages + coalesce(toast.relpages, 0) + (
          select coalesce(sum(i.relpages), 0)
          from pg_index x
          join pg_class i on i.oid = x.indexrelid
          where x.indrelid in (t.oid, t.reltoastrelid)
        )
      ) as bytes
    from pg_class t
    left join pg_class toast on toast.oid = t.reltoastrelid
    where t.relnamespace = 'muster'::regnamespace and t.relkind = 'r'
    order by t.relname`.execute(db)
  return rows
}

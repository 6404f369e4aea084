import { type RawBuilder, sql } from 'kysely'

import type { Read } from './database.ts'
import { type LaneQuery, lanes } from './lanes.ts'
import { type Counted, wide, widest } from './tallies.ts'

/** More than any quota allows. */
const all = { after: null, limit: 10_000_000 }

/** What to count of a list: under each dimension, the value that an item has. */
interface Aggregation {
  readonly query: LaneQuery
  readonly dimensions: Readonly<Record<string, RawBuilder<unknown>>>
}

/**
 * The same counts as are kept for the workspace and for each project, made for any filter by going
 * through all that it leaves: the list itself, to its end.
 */
export async function aggregate(read: Read, { query, dimensions }: Aggregation) {
  const values = Object.entries(dimensions).map(([name, value]) => sql`(${name}::text, ${value})`)
  const { rows } = await sql<Counted>`
    with item as materialized (${lanes(read, query, all)}), counted as (
      select dimension, value, count(*)::integer as count
      from item cross join lateral (
        values ${sql.join(values)}
        union all select 'flag', flag from unnest(flags) as flag
      ) as one (dimension, value)
      where value is not null
      group by dimension, value
    ), placed as (
      select dimension, value, count, row_number() over (
        partition by dimension order by count desc, value collate "C"
      ) as place
      from counted
    )
    select dimension, value, count from placed
    where dimension <> all(${wide}) or place <= ${widest}
    order by dimension, place`.execute(read.db)
  return rows
}

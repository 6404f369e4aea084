import { type RawBuilder, sql } from 'kysely'

import type { Read } from './database.ts'
import { type LaneQuery, laneRows } from './lanes.ts'
import { type Counted, wide, widest } from './tallies.ts'

/** What to count of a list: under each dimension, the value that an item has, as text. */
interface Aggregation {
  readonly query: LaneQuery
  readonly dimensions: Readonly<Record<string, RawBuilder<unknown>>>
}

/**
 * The same counts as are kept for the workspace and for each project, made for any filter by going
 * once through all that it leaves. Items with the same flags are counted together before the flags
 * are taken apart.
 */
export async function aggregate(read: Read, { query, dimensions }: Aggregation) {
  const given = Object.entries(dimensions)
  const columns = sql.join(given.map(([name, value]) => sql`${value} as ${sql.ref(name)}`))
  const refs = given.map(([name]) => sql.ref(name))
  const sets = sql.join(refs.map((ref) => sql`(${ref})`))
  const named = sql.join(
    given.map(([name]) => sql`when grouping(${sql.ref(name)}) = 0 then ${name}`),
    sql` `,
  )
  const { rows } = await sql<Counted>`
    with grouped as (
      select case ${named} end as dimension, coalesce(${sql.join(refs)}) as value, flags,
        count(*)::integer as count
      from (select ${columns}, flags from (${laneRows(read, query)}) as item) as item
      group by grouping sets (${sets}, (flags))
    ), counted as (
      select dimension, value, count from grouped where value is not null
      union all
      select 'flag', flag, sum(count)::integer from grouped cross join unnest(flags) as flag
      group by flag
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

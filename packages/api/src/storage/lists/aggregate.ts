import { type RawBuilder, sql } from 'kysely'

import { type DimensionCount, wide, widest } from '#storage/derived/summary-counts'
import type { Read } from '#storage/statements/access'

import { type ListQuery, listedRows } from './index-ranges.ts'

/** The dimensions to count a list by: the value of an item in each, as text. */
interface Aggregation {
  readonly query: ListQuery
  readonly dimensions: Readonly<Record<string, RawBuilder<unknown>>>
  /** The flags of an item, where it stores none: an expression `as flags`. */
  readonly flags?: RawBuilder<unknown>
}

/**
 * Computes the summary counts for any filter with one pass over the rows. Items with the same flags
 * are counted together before the flags are unnested.
 */
export async function aggregate(read: Read, { query, dimensions, flags }: Aggregation) {
  const given = Object.entries(dimensions)
  const columns = sql.join(given.map(([name, value]) => sql`${value} as ${sql.ref(name)}`))
  const refs = given.map(([name]) => sql.ref(name))
  const sets = sql.join(refs.map((ref) => sql`(${ref})`))
  const named = sql.join(
    given.map(([name]) => sql`when grouping(${sql.ref(name)}) = 0 then ${name}`),
    sql` `,
  )
  const { rows } = await sql<DimensionCount>`
    with grouped as (
      select case ${named} end as dimension, coalesce(${sql.join(refs)}) as value, flags,
        count(*)::integer as count
      from (
        select ${columns}, ${flags ?? sql`flags`} from (${listedRows(read, query)}) as item
      ) as item
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

/** The sequence numbers of past instants and days. */

import { type RawBuilder, sql } from 'kysely'

import type { Read } from '#storage/statements/access'
import { isOwn } from '#storage/statements/keyset'

/** The last number of a closed day; null if the day is not closed yet. */
export async function selectDayEnd(read: Read, day: string): Promise<number | null> {
  const row = await read.db
    .selectFrom('days')
    .select('last_seq')
    .where('workspace_id', '=', read.workspaceId)
    .where('day', '=', day)
    .executeTakeFirst()
  return row?.last_seq ?? null
}

/** Writes that run at once can be out of order in time within this many numbers. */
const unordered = 128

/**
 * The number before the first write that is later than the instant. Times of neighbours can be out
 * of order, so a probe of the binary search takes the earliest of three. A write that is more than
 * a minute ahead of its successor had a wrong clock, and is ignored.
 */
export async function selectNumberAt(
  read: Read,
  { instant, through }: { readonly instant: string; readonly through: number },
): Promise<number> {
  const writeAfter = (seq: RawBuilder<unknown>) => sql`(
    select events.seq, events.occurred_at from events
    where ${isOwn(read, 'events')} and events.seq >= ${seq} order by events.seq limit 1
  )`
  const { rows } = await sql<{ seq: number }>`
    with recursive search (low, high) as (
      select 1::bigint, ${through}::bigint + 1
      union all
      select case when probe.is_later then low else middle.seq + 1 end,
        case when probe.is_later then middle.seq else high end
      from search
      cross join lateral (select (low + high) / 2 as seq) as middle
      cross join lateral (
        select coalesce(min(found.occurred_at), 'infinity') > ${instant}::timestamptz as is_later
        from generate_series(middle.seq, middle.seq + 2) as asked (seq)
        cross join lateral ${writeAfter(sql.ref('asked.seq'))} as found
      ) as probe
      where low < high
    )
    select coalesce(min(asked.seq), ${through}::bigint + 1) - 1 as seq
    from (select max(low) as seq from search) as place
    cross join lateral generate_series(
      greatest(1, place.seq - ${unordered}::bigint), least(place.seq + 2, ${through}::bigint)
    ) as asked (seq)
    cross join lateral ${writeAfter(sql.ref('asked.seq'))} as found
    left join lateral ${writeAfter(sql`found.seq + 1`)} as following on true
    where found.seq = asked.seq and found.occurred_at > ${instant}::timestamptz
      and (following.occurred_at is null
        or following.occurred_at >= found.occurred_at - interval '1 minute')`.execute(read.db)
  return rows[0]?.seq ?? through
}

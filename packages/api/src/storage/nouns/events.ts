/** The event log in the order of its sequence numbers. */

import { sql } from 'kysely'

import type { Read } from '#storage/statements/access'
import { isOwn } from '#storage/statements/keyset'
import { uuidOf } from '#storage/values/id'

import { eventColumns, type EventRow, presentEvent, type StoredEvent } from './event-rows.ts'

/** After the event with this index in the write with this number. */
export interface EventPlace {
  readonly seq: number
  readonly index: number
}

/** After every event of a write. */
export const writeEnd = 32_767

export interface EventQuery {
  readonly after: EventPlace
  /** The types that the caller may see and asks for. */
  readonly types: readonly string[]
  readonly subjectIds: readonly string[] | null
  /** The projects asked for; null for all. */
  readonly projectIds: readonly string[] | null
  /** The most events that are read, and the most that are returned. */
  readonly scanned: number
  readonly limit: number
}

/** An event and its place in the log. */
export type FollowedEvent = StoredEvent & EventPlace

interface EndRow {
  readonly last_seq: number
  readonly scanned: number
}

export interface EventPage {
  /** One more than `limit` if there are more. */
  readonly events: readonly FollowedEvent[]
  /** The number of the last write that was read to its end; null if there was none. */
  readonly lastSeq: number | null
  /** Whether there may be further writes. */
  readonly isCut: boolean
}

/**
 * Reads whole writes only, so that it is known which event is the last one of its write. Of them it
 * returns the events that match. A bound key sees the events of its projects, and those that belong
 * to no project.
 */
export async function selectEventPage(read: Read, query: EventQuery): Promise<EventPage> {
  const { after, types, subjectIds, projectIds, scanned, limit } = query
  const { uuids } = read.view.scope()
  const subjects = subjectIds?.map(uuidOf) ?? null
  const projects = projectIds?.map(uuidOf) ?? null
  const { rows } = await sql<Partial<EventRow> & EndRow>`
    with page as materialized (
      select ${eventColumns} from events
      where ${isOwn(read, 'events')}
        and (seq, position) > (${after.seq}::bigint, ${after.index}::smallint)
      order by seq fetch first ${scanned} rows with ties
    )
    select ending.last_seq, ending.scanned, found.seq, found.position, found.id, found.type,
      found.subject_id, found.project_id, found.actor_type, found.actor_id, found.actor_user_id,
      found.request_id, found.changed, found.data, found.occurred_at
    from (select max(seq) as last_seq, count(*) as scanned from page) as ending
    left join lateral (
      select ${eventColumns} from page
      where type = any(${types}::text[])
        and (${uuids}::uuid[] is null or project_id is null or project_id = any(${uuids}::uuid[]))
        and (${subjects}::uuid[] is null or subject_id = any(${subjects}::uuid[]))
        and (${projects}::uuid[] is null or project_id = any(${projects}::uuid[]))
      order by seq, position limit ${limit + 1}
    ) as found on true
    order by found.seq, found.position`.execute(read.db)
  const [first] = rows
  return {
    // `scanned` also counts events that the caller may not see.
    events: rows.flatMap(({ last_seq: _last, scanned: _scanned, ...row }) =>
      isEvent(row) ? [{ ...presentEvent(row), index: row.position }] : [],
    ),
    lastSeq: first?.last_seq ?? null,
    isCut: (first?.scanned ?? 0) >= scanned,
  }
}

const isEvent = (row: Partial<EventRow>): row is EventRow => typeof row.id === 'string'

/** The stored JSON of a state of an item, from the change with this number on. */
export interface KeptState {
  readonly id: string
  readonly seq: number
  readonly data: string
  readonly metadata: string | null
}

/** The states that items got by writes with these numbers, by id. */
export async function selectStates(
  read: Read,
  wanted: readonly { readonly id: string; readonly seq: number }[],
): Promise<KeptState[]> {
  const { rows } = await sql<KeptState>`
    select state.id, state.from_seq as seq, state.data::text as data,
      coalesce(state.metadata, (
        select stored.metadata from history as stored where ${isOwn(read, 'stored')}
          and stored.id = state.id and stored.from_seq = state.metadata_seq
      ))::text as metadata
    from unnest(
      ${wanted.map(({ id }) => uuidOf(id))}::uuid[], ${wanted.map(({ seq }) => seq)}::bigint[]
    ) as wanted (id, seq)
    join history as state on ${isOwn(read, 'state')}
      and state.id = wanted.id and state.from_seq = wanted.seq`.execute(read.db)
  const idOf = new Map(wanted.map(({ id }) => [uuidOf(id), id]))
  return rows.map((row) => ({ ...row, id: idOf.get(row.id) ?? row.id }))
}

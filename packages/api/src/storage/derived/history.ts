import { sql } from 'kysely'

import type { Read, WithMetadata, Write } from '#storage/statements/access'
import { type PageResult, pageOf, isOwn, type Page, rowsFor } from '#storage/statements/keyset'
import { encodeActor, encodeOptional, uuidOf } from '#storage/values/id'

/**
 * A change: the states before and after, and the event that caused it. That is an event of the item
 * itself or of the item that changed it, as with members of a new group. Neither state has
 * `metadata` if it was not stored again.
 */
export interface Step {
  readonly seq: number
  readonly before: Record<string, unknown> | null
  readonly after: Record<string, unknown>
  readonly type: string
  readonly actor: ReturnType<typeof encodeActor>
  readonly request_id: string | null
  readonly data: Record<string, unknown>
  readonly occurred_at: string
}

interface HistoryOf {
  readonly id: string
  /** Newest change first. */
  readonly isDescending: boolean
}

/** Reads the history of one item. */
export async function selectHistory(
  read: Read,
  { id, isDescending }: HistoryOf,
  page: Page,
): Promise<PageResult<Step>> {
  const uuid = uuidOf(id)
  const after = page.after?.[0] ?? (isDescending ? Number.MAX_SAFE_INTEGER : 0)
  const [beyond, direction] = isDescending ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`]
  const { rows } = await sql<Row>`
    select state.from_seq as seq, previous.data as before, state.data as after,
      state.metadata as metadata_after, case when state.metadata is not null then (
        select stored.metadata from history as stored where ${isOwn(read, 'stored')}
          and stored.id = ${uuid} and stored.from_seq = previous.metadata_seq
      ) end as metadata_before, event.type, event.actor_type, event.actor_id,
      event.actor_user_id, event.request_id, event.data, event.occurred_at
    from history as state
    join lateral (
      select type, actor_type, actor_id, actor_user_id, request_id, data, occurred_at
      from events where ${isOwn(read, 'events')} and seq = state.from_seq
      order by subject_id = ${uuid} desc, coalesce(data ->> 'user_id', '') = ${id} desc, position
      limit 1
    ) as event on true
    left join lateral (
      select data, metadata_seq from history
      where ${isOwn(read, 'history')} and id = ${uuid} and from_seq < state.from_seq
      order by from_seq desc limit 1
    ) as previous on true
    where ${isOwn(read, 'state')} and state.id = ${uuid}
      and state.from_seq ${beyond} ${after}::bigint
    order by state.from_seq ${direction} limit ${rowsFor(page)}`.execute(read.db)
  return pageOf(rows, { limit: page.limit, columns: ['seq'], present: presentStep })
}

interface Row extends Pick<Step, 'seq' | 'type' | 'occurred_at'> {
  readonly before: unknown
  readonly after: unknown
  readonly metadata_before: unknown
  readonly metadata_after: unknown
  readonly data: unknown
  readonly actor_type: string
  readonly actor_id: string | null
  readonly actor_user_id: string | null
  readonly request_id: string | null
}

// The casts hold because states and event data are written as objects.
const withMetadata = (data: unknown, metadata: unknown) =>
  (metadata === null ? data : { ...(data as object), metadata }) as Step['after']

const presentStep = (row: Row): Step => ({
  seq: row.seq,
  before: row.before === null ? null : withMetadata(row.before, row.metadata_before),
  after: withMetadata(row.after, row.metadata_after),
  type: row.type,
  actor: encodeActor(row.actor_type, row.actor_id, row.actor_user_id),
  request_id: encodeOptional('req', row.request_id),
  data: row.data as Step['data'],
  occurred_at: row.occurred_at,
})

/** Counts the changes, up to `max` + 1. */
export async function countHistory(read: Read, id: string, max: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from history where ${isOwn(read, 'history')} and id = ${uuidOf(id)}
      limit ${max + 1}
    ) as counted`.execute(read.db)
  return rows[0]?.count ?? 0
}

/** Overwrites these fields in every state of an item. */
export function overwriteHistory(
  write: Write,
  id: string,
  { metadata, ...members }: Pick<WithMetadata, 'metadata'>,
): void {
  const text = JSON.stringify(metadata)
  const stored = sql<null>`case when metadata is not null then ${text}::jsonb end`
  write.add(
    write.db
      .updateTable('history')
      .set({ data: sql`data || ${JSON.stringify(members)}::jsonb`, metadata: stored })
      .where('workspace_id', '=', write.workspaceId)
      .where('id', '=', uuidOf(id)),
  )
}

import { type CompiledQuery, type Insertable, type RawBuilder, sql } from 'kysely'

import type { Read, Write } from '#storage/engine/access'
import { encodeActor, encodeOptional, uuidOf } from '#storage/engine/id'
import { currentNumber } from '#storage/engine/rows'
import type { DB } from '#storage/engine/tables'
import { template } from '#storage/engine/template'
import { type PageResult, pageOf, isOwn, type Page, rowsFor } from '#storage/lists/keyset'

export type NewState = Omit<Insertable<DB['history']>, 'workspace_id' | 'from_seq' | 'to_seq'>
type EventRow = Omit<Insertable<DB['events']>, 'workspace_id' | 'seq'>

/** What a write adds to the history and to the event log. */
interface Recorded {
  /** The ids of the items whose present state ends. */
  readonly ended: readonly string[]
  readonly states: readonly NewState[]
  readonly events: readonly EventRow[]
}

interface RecordedValues extends Pick<Read, 'workspaceId'> {
  readonly ended: string | readonly string[]
  readonly states: string
  readonly events: string
}

/**
 * One statement for all three. The new states come after the ended ones, because an item has one
 * present state.
 */
const recorded = (isEnded: ((ended: RawBuilder<unknown>) => RawBuilder<boolean>) | null) =>
  template<RecordedValues>((given) => {
    const ended =
      isEnded &&
      sql`ended as (
        update history set to_seq = ${currentNumber(given)}
        where ${isOwn(given, 'history')} and ${isEnded(given.ended)} and to_seq is null
        returning id
      ), `
    return sql`
    with ${ended ?? sql``}states as (
      insert into history (workspace_id, noun, id, data, from_seq)
      select ${given.workspaceId}::uuid, r.noun, r.id, r.data, ${currentNumber(given)}
      from json_populate_recordset(null::history, ${given.states}::json) as r
      ${ended ? sql`where (select count(*) from ended) >= 0` : sql``}
    )
    insert into events (
      workspace_id, seq, position, id, type, subject_id, project_id, actor_type, actor_id,
      actor_user_id, request_id, changed, data, occurred_at
    )
    select ${given.workspaceId}::uuid, ${currentNumber(given)}, r.position, r.id, r.type,
      r.subject_id, r.project_id, r.actor_type, r.actor_id, r.actor_user_id, r.request_id,
      r.changed, r.data, r.occurred_at
    from json_populate_recordset(null::events, ${given.events}::json) as r`
  })

/**
 * By the number of items whose state ends. In a small table `= any` reads every state of the
 * workspace, and a plan is kept when the table grows. An equation reads one row.
 */
const endingNone = recorded(null)
const endingOne = recorded((ended) => sql`id = ${ended}::uuid`)
const endingMany = recorded((ended) => sql`id = any(${ended}::uuid[])`)

/** Ends and starts states of items, and records the events. */
export function recordChanges(read: Read, { ended, states, events }: Recorded): CompiledQuery {
  const { workspaceId } = read
  const json = { states: JSON.stringify(states), events: JSON.stringify(events) }
  const [first, ...others] = ended
  if (first === undefined) return endingNone.compile(read, { workspaceId, ended, ...json })
  if (others.length === 0) return endingOne.compile(read, { workspaceId, ended: first, ...json })
  return endingMany.compile(read, { workspaceId, ended, ...json })
}

/**
 * A change: the states before and after, and the event that caused it. That is an event of the item
 * itself or of the item that changed it, as with members of a new group.
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

/** Reads the history of one item, oldest change first. */
export async function selectHistory(read: Read, id: string, page: Page): Promise<PageResult<Step>> {
  const uuid = uuidOf(id)
  const rows = await read.db
    .selectFrom('history as state')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('events')
          .select(['type', 'actor_type', 'actor_id', 'actor_user_id'])
          .select(['request_id', 'data', 'occurred_at'])
          .where('workspace_id', '=', read.workspaceId)
          .whereRef('seq', '=', 'state.from_seq')
          .orderBy(sql`subject_id = ${uuid}`, 'desc')
          .orderBy(sql`coalesce(data ->> 'user_id', '') = ${id}`, 'desc')
          .orderBy('position')
          .limit(1)
          .as('event'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('history')
          .select('data')
          .where('workspace_id', '=', read.workspaceId)
          .where('id', '=', uuid)
          .whereRef('from_seq', '<', 'state.from_seq')
          .orderBy('from_seq', 'desc')
          .limit(1)
          .as('previous'),
      (join) => join.onTrue(),
    )
    .select([
      'state.from_seq as seq',
      'previous.data as before',
      'state.data as after',
      'event.type',
      'event.actor_type',
      'event.actor_id',
      'event.actor_user_id',
      'event.request_id',
      'event.data',
      'event.occurred_at',
    ])
    .where('state.workspace_id', '=', read.workspaceId)
    .where('state.id', '=', uuid)
    .where('state.from_seq', '>', Number(page.after?.[0] ?? 0))
    .orderBy('state.from_seq')
    .limit(rowsFor(page))
    .execute()
  return pageOf(rows, { limit: page.limit, columns: ['seq'], present: presentStep })
}

interface Row extends Pick<Step, 'seq' | 'type' | 'occurred_at'> {
  readonly before: unknown
  readonly after: unknown
  readonly data: unknown
  readonly actor_type: string
  readonly actor_id: string | null
  readonly actor_user_id: string | null
  readonly request_id: string | null
}

// The casts hold because states and event data are written as objects.
const presentStep = (row: Row): Step => ({
  seq: row.seq,
  before: row.before as Step['before'],
  after: row.after as Step['after'],
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
export function overwriteHistory(write: Write, id: string, members: object): void {
  write.add(
    write.db
      .updateTable('history')
      .set({ data: sql`data || ${JSON.stringify(members)}::jsonb` })
      .where('workspace_id', '=', write.workspaceId)
      .where('id', '=', uuidOf(id)),
  )
}

import type { EventType } from '@muster/contract'
import { sql } from 'kysely'

import type { Read } from '#storage/engine/access'
import { encodeActor, encodeId, encodeOptional } from '#storage/engine/id'
import { type NounName, nounOf, nouns } from '#storage/engine/nouns'
import { type PageResult, pageOf, isOwn, nil, type Page, rowsFor } from '#storage/lists/keyset'

interface EventRow {
  readonly seq: number
  readonly position: number
  readonly id: string
  readonly type: EventType
  readonly subject_id: string
  readonly project_id: string | null
  readonly actor_type: string
  readonly actor_id: string | null
  readonly actor_user_id: string | null
  readonly request_id: string | null
  readonly changed: readonly string[]
  readonly data: unknown
  readonly occurred_at: string
}

/** Reads all events, oldest first. */
export async function selectEvents(read: Read, page: Page): Promise<PageResult<object>> {
  const [seq, position] = page.after ?? [0, -1]
  const { rows } = await sql<EventRow>`
    select seq, position, id, type, subject_id, project_id, actor_type, actor_id, actor_user_id,
      request_id, changed, data, occurred_at
    from events
    where ${isOwn(read, 'events')} and (seq, position) > (${seq}::bigint, ${position}::smallint)
    order by seq, position limit ${rowsFor(page)}`.execute(read.db)
  return pageOf(rows, { limit: page.limit, columns: ['seq', 'position'], present: presentEvent })
}

function presentEvent(row: EventRow) {
  const { position: _, actor_type, actor_id, actor_user_id, ...event } = row
  return {
    ...event,
    id: encodeId('evt', row.id),
    subject_id: encodeId(nouns[nounOf(row.type)].prefix, row.subject_id),
    project_id: encodeOptional('prj', row.project_id),
    actor: encodeActor(actor_type, actor_id, actor_user_id),
    request_id: encodeOptional('req', row.request_id),
  }
}

interface StateRow {
  readonly noun: NounName
  readonly id: string
  readonly from_seq: number
  readonly to_seq: number | null
  readonly data: unknown
}

/** Reads every state of every item, item by item. */
export async function selectStates(read: Read, page: Page): Promise<PageResult<object>> {
  const [id, from] = page.after ?? [nil, 0]
  const { rows } = await sql<StateRow>`
    select noun, id, from_seq, to_seq, data from history
    where ${isOwn(read, 'history')} and (id, from_seq) > (${id}::uuid, ${from}::bigint)
    order by id, from_seq limit ${rowsFor(page)}`.execute(read.db)
  return pageOf(rows, {
    limit: page.limit,
    columns: ['id', 'from_seq'],
    present: (row) => ({ ...row, id: encodeId(nouns[row.noun].prefix, row.id) }),
  })
}

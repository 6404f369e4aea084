import type { EventType } from '@muster/contract'
import { sql } from 'kysely'

import { nounOf, nouns } from '#storage/schema/nouns'
import { encodeActor, encodeId, encodeOptional } from '#storage/values/id'

/** A row of the event log. */
export interface EventRow {
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
  readonly data: Readonly<Record<string, unknown>>
  readonly occurred_at: string
}

export const eventColumns = sql`seq, position, id, type, subject_id, project_id, actor_type,
  actor_id, actor_user_id, request_id, changed, data, occurred_at`

/** An event with its ids as they are on the wire. */
export type StoredEvent = ReturnType<typeof presentEvent>

export function presentEvent(row: EventRow) {
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

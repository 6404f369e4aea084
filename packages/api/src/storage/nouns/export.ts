import { sql } from 'kysely'

import type { Read } from './database.ts'
import { encodeId, encodeOptional } from './id.ts'
import { type Found, found, isOwn, nil, type Page, rowsFor } from './keyset.ts'

/** What an id of each noun begins with, by the first word of an event's type. */
const prefixes: Readonly<Record<string, string>> = {
  person: 'usr',
  group: 'grp',
  project: 'prj',
  risk: 'rsk',
  issue: 'iss',
  task: 'tsk',
  key: 'key',
  workspace: 'wsp',
}

const prefixOf = (noun: string) => prefixes[noun] ?? 'evt'

interface EventRow {
  readonly seq: number
  readonly position: number
  readonly id: string
  readonly type: string
  readonly subject_id: string
  readonly project_id: string | null
  readonly actor_type: string
  readonly actor_id: string | null
  readonly request_id: string | null
  readonly changed: readonly string[]
  readonly data: unknown
  readonly occurred_at: string
}

/** Everything that was ever told, the first first. */
export async function selectEvents(read: Read, page: Page): Promise<Found<object>> {
  const [seq, position] = page.after ?? [0, -1]
  const { rows } = await sql<EventRow>`
    select seq, position, id, type, subject_id, project_id, actor_type, actor_id, request_id,
      changed, data, occurred_at
    from events
    where ${isOwn(read, 'events')} and (seq, position) > (${seq}::bigint, ${position}::smallint)
    order by seq, position limit ${rowsFor(page)}`.execute(read.db)
  return found(rows, { limit: page.limit, columns: ['seq', 'position'], present: presentEvent })
}

function presentEvent(row: EventRow) {
  const { position: _, actor_type, actor_id, ...told } = row
  return {
    ...told,
    id: encodeId('evt', row.id),
    subject_id: encodeId(prefixOf(row.type.split('.')[0] ?? ''), row.subject_id),
    project_id: encodeOptional('prj', row.project_id),
    actor: { type: actor_type, id: encodeOptional('key', actor_id) },
    request_id: encodeOptional('req', row.request_id),
  }
}

interface StateRow {
  readonly noun: string
  readonly id: string
  readonly from_seq: number
  readonly to_seq: number | null
  readonly data: unknown
}

/** Every state that anything was ever in, one thing after the other. */
export async function selectStates(read: Read, page: Page): Promise<Found<object>> {
  const [id, from] = page.after ?? [nil, 0]
  const { rows } = await sql<StateRow>`
    select noun, id, from_seq, to_seq, data from history
    where ${isOwn(read, 'history')} and (id, from_seq) > (${id}::uuid, ${from}::bigint)
    order by id, from_seq limit ${rowsFor(page)}`.execute(read.db)
  return found(rows, {
    limit: page.limit,
    columns: ['id', 'from_seq'],
    present: (row) => ({ ...row, id: encodeId(prefixOf(row.noun), row.id) }),
  })
}

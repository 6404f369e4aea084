/** The changes of risks, issues, tasks and projects between two sequence numbers. */

import type { EventType, Project } from '@muster/contract'
import { sql } from 'kysely'

import { nounOf, nouns } from '#storage/schema/nouns'
import type { Read } from '#storage/statements/access'
import { isOneOf, isOwn } from '#storage/statements/keyset'
import { isShown } from '#storage/statements/view'
import { encodeActor, encodeId, uuidOf } from '#storage/values/id'

import { type EventPlace, writeEnd } from './events.ts'

interface StepRow {
  readonly seq: number
  readonly position: number
  readonly type: EventType
  readonly subject_id: string
  readonly project_id: string
  readonly actor_type: string
  readonly actor_id: string | null
  readonly actor_user_id: string | null
  readonly changed: string[]
  readonly note: string | null
  readonly occurred_at: string
}

/** An event about an item: only what `/v1/changes` shows. */
export type ChangeStep = ReturnType<typeof presentStep>

function presentStep(row: StepRow) {
  const { position: _, actor_type, actor_id, actor_user_id, ...step } = row
  return {
    ...step,
    subject_id: encodeId(nouns[nounOf(row.type)].prefix, row.subject_id),
    project_id: encodeId('prj', row.project_id),
    actor: encodeActor(actor_type, actor_id, actor_user_id),
  }
}

export interface StepsQuery {
  /** The number before the first step, and that of the last one. */
  readonly since: number
  readonly until: number
  readonly types: readonly EventType[]
}

const chunkRows = 5000

/** The steps in the projects that the view shows, oldest first, in chunks. */
export async function* stepsBetween(
  read: Read,
  { since, until, types }: StepsQuery,
): AsyncGenerator<ChangeStep[]> {
  let after: EventPlace = { seq: since, index: writeEnd }
  for (;;) {
    const { rows } = await sql<StepRow>`
      select seq, position, type, subject_id, project_id, actor_type, actor_id, actor_user_id,
        changed, data ->> 'note' as note, occurred_at
      from events
      where ${isOwn(read, 'events')} and seq <= ${until}::bigint
        and (seq, position) > (${after.seq}::bigint, ${after.index}::smallint)
        and type = any(${types}::text[]) and project_id is not null
        ${isShown(read, 'events.project_id')}
      order by seq, position limit ${chunkRows}`.execute(read.db)
    yield rows.map(presentStep)
    const last = rows.at(-1)
    if (last === undefined || rows.length < chunkRows) return
    after = { seq: last.seq, index: last.position }
  }
}

/** When the last change up to the number was made; null before the first one. */
export async function selectTimeOf(read: Read, seq: number): Promise<string | null> {
  const row = await read.db
    .selectFrom('events')
    .select('occurred_at')
    .where('workspace_id', '=', read.workspaceId)
    .where('seq', '<=', seq)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.occurred_at ?? null
}

/** What the kept state of a project has, among others. */
export type KeptProject = Pick<
  Project,
  'id' | 'code' | 'name' | 'status' | 'health' | 'health_note' | 'owner_user_id'
>

/** Projects as they were at a number, of those that existed. */
export async function selectProjectsAt(
  read: Read,
  { ids, seq }: { readonly ids: readonly string[]; readonly seq: number },
): Promise<KeptProject[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ readonly state: string }>`
    select kept.data::text as state
    from (
      select id from projects
      where ${isOwn(read, 'projects')} and ${isOneOf('projects.id', ids.map(uuidOf))}
    ) as project
    cross join lateral (
      select data from history where ${isOwn(read, 'history')}
        and history.id = project.id and history.from_seq <= ${seq}::bigint
      order by from_seq desc limit 1
    ) as kept
    order by project.id`.execute(read.db)
  // The cast holds because states are kept in the form of the noun.
  return rows.map(({ state }) => JSON.parse(state) as KeptProject)
}

/** The last visit of each person, which outlives the session. */

import { sql } from 'kysely'

import type { Read, Write } from '#storage/statements/access'
import { isOwn } from '#storage/statements/keyset'
import { uuidOf } from '#storage/values/id'

/**
 * Records a visit that begins, and returns the time of the one before; null for the first. A
 * release without visits left the times of sessions that still exist.
 */
export async function beginVisit(read: Read, userId: string): Promise<string | null> {
  const uuid = uuidOf(userId)
  const { rows } = await sql<{ last_at: string | null }>`
    with begun as (
      insert into visits (workspace_id, user_id, last_at)
      values (${read.workspaceId}, ${uuid}, now())
      on conflict (workspace_id, user_id) do update set last_at = excluded.last_at
    )
    select greatest(
      (select last_at from visits where ${isOwn(read, 'visits')} and user_id = ${uuid}),
      (select max(coalesce(last_used_at, created_at)) from sessions
        where ${isOwn(read, 'sessions')} and user_id = ${uuid})
    ) as last_at`.execute(read.db)
  return rows[0]?.last_at ?? null
}

/** The visit before the one of this session. */
export async function selectPreviousVisit(read: Read, sessionId: string): Promise<string | null> {
  const row = await read.db
    .selectFrom('sessions')
    .select('previous_visit_at')
    .where('workspace_id', '=', read.workspaceId)
    .where('id', '=', uuidOf(sessionId))
    .executeTakeFirst()
  return row?.previous_visit_at ?? null
}

/** At most one write a minute for each session, with any number of processes. */
export async function updateSessionUse(read: Read, sessionId: string): Promise<void> {
  await sql`
    with used as (
      update sessions set last_used_at = now()
      where ${isOwn(read, 'sessions')} and id = ${uuidOf(sessionId)}
        and (last_used_at is null or last_used_at < now() - interval '1 minute')
      returning user_id
    )
    insert into visits (workspace_id, user_id, last_at)
    select ${read.workspaceId}::uuid, user_id, now() from used where user_id is not null
    on conflict (workspace_id, user_id) do update
    set last_at = greatest(visits.last_at, excluded.last_at)`.execute(read.db)
}

export function deleteVisit(write: Write, userId: string): void {
  write.add(
    write.db
      .deleteFrom('visits')
      .where('workspace_id', '=', write.workspaceId)
      .where('user_id', '=', uuidOf(userId)),
  )
}

import { type Kysely, sql } from 'kysely'

import type { DB } from '#storage/schema/tables'
import type { Read, Write } from '#storage/statements/access'
import { isOwn, nil } from '#storage/statements/keyset'
import { encodeId, uuidOf } from '#storage/values/id'

/**
 * Selects the next workspaces, by id, whose day has begun and which are not swept for it yet. Waits
 * until 10 seconds after midnight: by then every write that began before midnight has ended.
 */
export async function selectDueWorkspaces(
  db: Kysely<DB>,
  { after, limit, time }: { after: string | null; limit: number; time: Date | null },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from due_workspaces(
      ${after === null ? nil : uuidOf(after)}, ${limit}::integer,
      coalesce(${time?.toISOString() ?? null}::timestamptz, now()) - interval '10 seconds'
    ) as id`.execute(db)
  return rows.map(({ id }) => encodeId('wsp', id))
}

/** An item with a wrong or a missing flag. */
export interface StaleItem {
  readonly id: string
  readonly projectId: string
}

/** Live risks whose flags do not match the day and the risk appetite of their project. */
export async function selectStaleRisks(
  read: Read,
  { today, limit }: { today: string; limit: number },
): Promise<StaleItem[]> {
  const { rows } = await sql<{ id: string; project_id: string }>`
    select item.id, item.project_id
    from risks as item join projects as project
      on ${isOwn(read, 'project')} and project.id = item.project_id
    where ${isOwn(read, 'item')} and item.is_live and (
      ('review_overdue' = any(item.flags))
        <> coalesce(item.review_on < ${today}::date, false)
      or ('acceptance_expired' = any(item.flags))
        <> coalesce(item.acceptance_expires_on < ${today}::date, false)
      or ('above_appetite' = any(item.flags))
        <> coalesce(item.score > project.risk_appetite, false)
    )
    order by item.project_id, item.id limit ${limit}`.execute(read.db)
  return rows.map(presentStaleItem('rsk'))
}

/** Open issues whose flag does not match the day. */
export async function selectStaleIssues(
  read: Read,
  { today, limit }: { today: string; limit: number },
): Promise<StaleItem[]> {
  const { rows } = await sql<{ id: string; project_id: string }>`
    select item.id, item.project_id from issues as item
    where ${isOwn(read, 'item')} and item.is_open
      and ('overdue' = any(item.flags)) <> coalesce(item.due_on < ${today}::date, false)
    order by item.project_id, item.id limit ${limit}`.execute(read.db)
  return rows.map(presentStaleItem('iss'))
}

const presentStaleItem =
  (prefix: string) =>
  ({ id, project_id }: { id: string; project_id: string }): StaleItem => ({
    id: encodeId(prefix, id),
    projectId: encodeId('prj', project_id),
  })

/**
 * Marks the workspace as swept for this day, unless a project has changed since, such as its risk
 * appetite. Then the workspace stays due. `for share` waits for concurrent writes.
 */
export async function upsertSweep(
  read: Read,
  { today, projectsSeq }: { today: string; projectsSeq: number },
): Promise<void> {
  await sql`
    insert into sweeps (workspace_id, swept_on)
    select workspace_id, ${today}::date from workspace_counters
    where ${isOwn(read, 'workspace_counters')} and projects_seq = ${projectsSeq}
    for share
    on conflict (workspace_id) do update set swept_on = excluded.swept_on`.execute(read.db)
}

/** Makes the workspace due again, after a change that flags depend on. */
export function requestSweep(write: Write): void {
  write.add(write.db.deleteFrom('sweeps').where('workspace_id', '=', write.workspaceId))
}

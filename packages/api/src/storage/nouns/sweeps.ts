import { type Kysely, sql } from 'kysely'

import type { Read, Write } from './database.ts'
import { encodeId, uuidOf } from './id.ts'
import { isOwn, nil } from './keyset.ts'
import type { DB } from './tables.ts'

/**
 * The next workspaces, by id, whose day has begun and which have not been swept for it. A write
 * that began before midnight has ended ten seconds after it: none can slip through between.
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

/** Where an item is that has a flag it should not have, or lacks one. */
export interface Stale {
  readonly id: string
  readonly projectId: string
}

/** Live risks whose flags are not what the day and the appetite of their project make them. */
export async function selectStaleRisks(
  read: Read,
  { today, limit }: { today: string; limit: number },
): Promise<Stale[]> {
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
  return rows.map(stale('rsk'))
}

/** Open issues whose flag is not what the day makes it. */
export async function selectStaleIssues(
  read: Read,
  { today, limit }: { today: string; limit: number },
): Promise<Stale[]> {
  const { rows } = await sql<{ id: string; project_id: string }>`
    select item.id, item.project_id from issues as item
    where ${isOwn(read, 'item')} and item.is_open
      and ('overdue' = any(item.flags)) <> coalesce(item.due_on < ${today}::date, false)
    order by item.project_id, item.id limit ${limit}`.execute(read.db)
  return rows.map(stale('iss'))
}

const stale =
  (prefix: string) =>
  ({ id, project_id }: { id: string; project_id: string }): Stale => ({
    id: encodeId(prefix, id),
    projectId: encodeId('prj', project_id),
  })

/**
 * The workspace has been swept for this day; unless a project has changed since, perhaps in what it
 * tolerates: then it is swept again. A change that is under way is waited for.
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

/** Something changed that flags follow from: the workspace is to be swept again. */
export function askForSweep(write: Write): void {
  write.add(write.db.deleteFrom('sweeps').where('workspace_id', '=', write.workspaceId))
}

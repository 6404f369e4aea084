import { type Kysely, sql } from 'kysely'

import type { DB } from '#storage/schema/tables'
import type { Read, Write } from '#storage/statements/access'
import { isOwn, nil } from '#storage/statements/keyset'
import { encodeId, uuidOf } from '#storage/values/id'

/** A workspace whose sweep is due. */
export interface DueSweep {
  readonly id: string
  /** Since when; `-infinity` if at once. */
  readonly dueAt: string
}

interface DueQuery {
  /** The last one of the page before; null for the first page. */
  readonly after: DueSweep | null
  readonly limit: number
  /** The time to use instead of that of the database. */
  readonly time: Date | null
}

/**
 * Selects the next workspaces whose day has ended or whose flags may be wrong, the longest waiting
 * first. A day is due 10 seconds after it ended: by then every write that began before has ended.
 */
export async function selectDueSweeps(
  db: Kysely<DB>,
  { after, limit, time }: DueQuery,
): Promise<DueSweep[]> {
  const { rows } = await sql<{ id: string; due_at: string }>`
    select id, due_at::text from due_workspaces(
      coalesce(${time?.toISOString() ?? null}::timestamptz, now()) - interval '10 seconds',
      ${after?.dueAt ?? '-infinity'}::timestamptz,
      ${after === null ? nil : uuidOf(after.id)}, ${limit}::integer
    )`.execute(db)
  return rows.map(({ id, due_at }) => ({ id: encodeId('wsp', id), dueAt: due_at }))
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

/** Begins a sweep. It replaces one that has not ended. */
export async function beginSweep({ db, workspaceId }: Read, turn: string): Promise<void> {
  await sql`update workspaces set sweep_turn = ${turn}::uuid where id = ${workspaceId}`.execute(db)
}

/**
 * The next sweep is due at the end of this day, unless a change or another sweep has replaced this
 * one. Then the workspace stays due.
 */
export async function endSweep(
  { db, workspaceId }: Read,
  { turn, today }: { readonly turn: string; readonly today: string },
): Promise<void> {
  await sql`
    update workspaces
    set sweep_due_at = start_of_day(${today}::date + 1, time_zone), sweep_turn = null
    where id = ${workspaceId} and sweep_turn = ${turn}::uuid`.execute(db)
}

/** Makes a sweep due, after a change that flags depend on. A running sweep does not end that. */
export function requestSweep(write: Write): void {
  write.add(
    write.db
      .updateTable('workspaces')
      .set({ sweep_due_at: '-infinity', sweep_turn: null })
      .where('id', '=', write.workspaceId),
  )
}

/** Keeps sweeps away from a workspace that is removed. */
export async function preventSweeps({ db, workspaceId }: Read): Promise<void> {
  await sql`
    update workspaces set sweep_due_at = 'infinity', sweep_turn = null
    where id = ${workspaceId}`.execute(db)
}

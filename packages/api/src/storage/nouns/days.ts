/** The closed days of a workspace, each from the end of the day before. */

import { sql } from 'kysely'

import type { Read } from '#storage/statements/access'
import { isOwn } from '#storage/statements/keyset'

export interface ClosedDay {
  readonly day: string
  readonly endsAt: string
  /** The number of the last change of the day. */
  readonly lastSeq: number
}

/** A day to close. */
export interface NewDay extends ClosedDay {
  /** False if the states of some tasks were not kept on this day. */
  readonly hasTaskFigures: boolean
}

export async function selectLastDay(read: Read): Promise<ClosedDay | null> {
  const row = await read.db
    .selectFrom('days')
    .select(['day', 'ends_at', 'last_seq'])
    .where('workspace_id', '=', read.workspaceId)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? { day: row.day, endsAt: row.ends_at, lastSeq: row.last_seq } : null
}

/** The first closed day, or the day of the first event. Null without events. */
export async function selectFirstDay(read: Read, timeZone: string): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    select coalesce(
      (select day from days where ${isOwn(read, 'days')} order by day limit 1),
      (select (occurred_at at time zone ${timeZone})::date from events
        where ${isOwn(read, 'events')} order by seq limit 1)
    ) as day`.execute(read.db)
  return rows[0]?.day ?? null
}

/** Lets one process at a time close days of the workspace, until the transaction ends. */
export async function lockDays({ db, workspaceId }: Read): Promise<void> {
  await sql`select from workspaces where id = ${workspaceId} for no key update`.execute(db)
}

/** A day without task figures takes them from the days before it. */
export async function insertDays(read: Read, days: readonly NewDay[]): Promise<void> {
  const rows = days.map(({ day, endsAt, lastSeq, hasTaskFigures }) => ({
    day,
    ends_at: endsAt,
    last_seq: lastSeq,
    has_task_figures: hasTaskFigures,
  }))
  await sql`
    insert into days (workspace_id, day, ends_at, last_seq, has_task_figures)
    select ${read.workspaceId}::uuid, day, ends_at, last_seq, has_task_figures
    from json_populate_recordset(null::days, ${JSON.stringify(rows)}::json)`.execute(read.db)
  const unknown = days.findLast(({ hasTaskFigures }) => !hasTaskFigures)
  if (unknown === undefined) return
  await sql`
    update days set has_task_figures = false
    where ${isOwn(read, 'days')} and day <= ${unknown.day}::date and has_task_figures`.execute(
    read.db,
  )
}

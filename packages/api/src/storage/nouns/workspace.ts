import { type Selectable, sql } from 'kysely'

import type { Read, Write } from './database.ts'
import { encodeId } from './id.ts'
import type { DB } from './tables.ts'

const columns = [
  'id',
  'name',
  'time_zone',
  'status',
  'key_days_max',
  'session_days',
  'version',
  'created_at',
  'updated_at',
] as const satisfies (keyof DB['workspaces'])[]

type Row = Pick<Selectable<DB['workspaces']>, (typeof columns)[number]>

export type StoredWorkspace = ReturnType<typeof presentWorkspace>

function presentWorkspace({ key_days_max, session_days, ...row }: Row) {
  return { ...row, id: encodeId('wsp', row.id), policies: { key_days_max, session_days } }
}

const ownWorkspace = (read: Read) =>
  read.db.selectFrom('workspaces').select(columns).where('id', '=', read.workspaceId)

export async function selectWorkspace(read: Read): Promise<StoredWorkspace> {
  return presentWorkspace(await ownWorkspace(read).executeTakeFirstOrThrow())
}

/** The workspace as it is now, held until the write ends. */
export async function lockWorkspace(write: Write): Promise<StoredWorkspace> {
  return presentWorkspace(await ownWorkspace(write).forNoKeyUpdate().executeTakeFirstOrThrow())
}

export function updateWorkspace(write: Write, after: StoredWorkspace): void {
  const { name, time_zone, policies, updated_at } = after
  write.add(
    write.db
      .updateTable('workspaces')
      .set({ name, time_zone, ...policies, updated_at, version: write.version })
      .where('id', '=', write.workspaceId),
  )
}

/** The service itself may not: who is let in is for those to say who run it. */
export function updateStatus(write: Write, status: StoredWorkspace['status']): void {
  write.add(
    write.db
      .updateTable('workspaces')
      .set({ status, updated_at: write.now, version: write.version })
      .where('id', '=', write.workspaceId),
  )
}

/** Whether the database knows a time zone by this name. It reckons with that of a workspace. */
export async function knowsTimeZone({ db }: Read, name: string): Promise<boolean> {
  const { rows } = await sql`select from pg_timezone_names where name = ${name}`.execute(db)
  return rows.length > 0
}

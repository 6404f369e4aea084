import type { SignInMethod } from '@muster/contract'
import { type Selectable, sql } from 'kysely'

import type { DB } from '#storage/schema/tables'
import type { Read, Write } from '#storage/statements/access'
import { encodeId } from '#storage/values/id'

const columns = [
  'id',
  'name',
  'time_zone',
  'slug',
  'status',
  'key_days_max',
  'session_days',
  'session_idle_hours',
  'sign_in_methods',
  'version',
  'created_at',
  'updated_at',
] as const satisfies (keyof DB['workspaces'])[]

type Row = Pick<Selectable<DB['workspaces']>, (typeof columns)[number]>

export type StoredWorkspace = ReturnType<typeof presentWorkspace>

function presentWorkspace({ key_days_max, session_days, session_idle_hours, ...row }: Row) {
  const { sign_in_methods, ...rest } = row
  const policies = {
    key_days_max,
    session_days,
    session_idle_hours,
    // The cast holds because the policy is stored only with values of the contract.
    sign_in_methods: sign_in_methods as SignInMethod[],
  }
  return { ...rest, id: encodeId('wsp', row.id), policies }
}

const ownWorkspace = (read: Read) =>
  read.db.selectFrom('workspaces').select(columns).where('id', '=', read.workspaceId)

export async function selectWorkspace(read: Read): Promise<StoredWorkspace> {
  return presentWorkspace(await ownWorkspace(read).executeTakeFirstOrThrow())
}

/** Locks the workspace until the write ends. */
export async function lockWorkspace(write: Write): Promise<StoredWorkspace> {
  return presentWorkspace(await ownWorkspace(write).forNoKeyUpdate().executeTakeFirstOrThrow())
}

export function updateWorkspace(write: Write, after: StoredWorkspace): void {
  const { name, time_zone, slug, policies, updated_at } = after
  write.add(
    write.db
      .updateTable('workspaces')
      .set({ name, time_zone, slug, ...policies, updated_at, version: write.version })
      .where('id', '=', write.workspaceId),
  )
}

/** Only administrators can: the role of the service has no privilege on `status`. */
export function updateStatus(write: Write, status: StoredWorkspace['status']): void {
  write.add(
    write.db
      .updateTable('workspaces')
      .set({ status, updated_at: write.now, version: write.version })
      .where('id', '=', write.workspaceId),
  )
}

/** Asks PostgreSQL, which computes the date in the time zone of a workspace. */
export async function isKnownTimeZone({ db }: Read, name: string): Promise<boolean> {
  const { rows } = await sql`select from pg_timezone_names where name = ${name}`.execute(db)
  return rows.length > 0
}

import { type Kysely, sql } from 'kysely'

import type { Counted } from './counters.ts'
import type { Read } from './database.ts'
import { encodeId, uuidAt, uuidOf } from './id.ts'
import type { DB } from './tables.ts'

/** The first two of this name, or of all. Only the owner may ask: the service goes by keys. */
export async function selectWorkspaceIds(db: Kysely<DB>, name: string | null): Promise<string[]> {
  const rows = await db
    .selectFrom('workspaces')
    .select('id')
    .$if(name !== null, (query) => query.where('name', '=', name ?? ''))
    .orderBy('id')
    .limit(2)
    .execute()
  return rows.map(({ id }) => encodeId('wsp', id))
}

/** Null when there is none. */
export async function selectOwnName(read: Read) {
  const row = await read.db
    .selectFrom('workspaces')
    .select(['id', 'name'])
    .where('id', '=', read.workspaceId)
    .executeTakeFirst()
  return row ? { id: encodeId('wsp', row.id), name: row.name } : null
}

/** All workspaces, the first first. Only the owner may ask. */
export async function selectWorkspaces(db: Kysely<DB>) {
  const rows = await db
    .selectFrom('workspaces')
    .select(['id', 'name', 'status', 'created_at'])
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, id: encodeId('wsp', row.id) }))
}

/**
 * Names are not unique in the database, which could not say so across shards; founders take turns.
 */
export async function lockWorkspaceNames({ db }: Read): Promise<void> {
  await sql`select pg_advisory_xact_lock(${nameLock}::bigint)`.execute(db)
}

const nameLock = '7304166319'

/** An id for a workspace that is yet to be, by the database's clock. */
export async function newWorkspaceId(db: Kysely<DB>): Promise<string> {
  const { rows } = await sql<{ micros: number }>`
    select (extract(epoch from now()) * 1000000)::bigint as micros`.execute(db)
  return encodeId('wsp', uuidAt(rows[0]?.micros ?? 0))
}

export interface NewWorkspace {
  readonly id: string
  readonly name: string
  readonly time_zone: string
  readonly sessionDays: number
  readonly quota: Readonly<Record<Counted, number>>
}

export async function insertWorkspace(read: Read, workspace: NewWorkspace): Promise<void> {
  const { name, time_zone, quota } = workspace
  const id = uuidOf(workspace.id)
  await read.db
    .insertInto('workspaces')
    .values({
      id,
      name,
      time_zone,
      status: 'active',
      session_days: workspace.sessionDays,
      version: 0,
      created_at: sql`now()`,
      updated_at: sql`now()`,
    })
    .execute()
  await read.db
    .insertInto('workspace_counters')
    .values({
      workspace_id: id,
      people_max: quota.people,
      groups_max: quota.groups,
      projects_max: quota.projects,
      live_risks_max: quota.live_risks,
      open_issues_max: quota.open_issues,
      open_tasks_max: quota.open_tasks,
      keys_max: quota.keys,
    })
    .execute()
}

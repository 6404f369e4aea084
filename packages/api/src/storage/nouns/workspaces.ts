import type { Quota } from '@muster/contract'
import { type Kysely, sql } from 'kysely'

import { quotaMaxima } from '#storage/numbers/counters'
import type { DB } from '#storage/schema/tables'
import type { Read } from '#storage/statements/access'
import { encodeId, encodeOptional, uuidAt, uuidOf } from '#storage/values/id'

/**
 * The first two workspaces with this name, or of all. For administrators: the service looks keys up
 * instead.
 */
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

/** The id of the workspace with this slug; null for none. */
export async function selectWorkspaceBySlug(
  { db }: Pick<Read, 'db'>,
  slug: string,
): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`
    select workspace_by_slug(${slug}) as id`.execute(db)
  return encodeOptional('wsp', rows[0]?.id ?? null)
}

/** Null if the workspace does not exist. */
export async function selectOwnName(read: Read) {
  const row = await read.db
    .selectFrom('workspaces')
    .select(['id', 'name'])
    .where('id', '=', read.workspaceId)
    .executeTakeFirst()
  return row ? { id: encodeId('wsp', row.id), name: row.name } : null
}

/** All workspaces in order of creation. For administrators. */
export async function selectWorkspaces(db: Kysely<DB>) {
  const rows = await db
    .selectFrom('workspaces')
    .select(['id', 'name', 'slug', 'status', 'created_at'])
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, id: encodeId('wsp', row.id) }))
}

/**
 * Names are not unique in the schema, which could not ensure it across shards. This lock serializes
 * the creation of workspaces.
 */
export async function lockWorkspaceNames({ db }: Read): Promise<void> {
  await sql`select pg_advisory_xact_lock(${nameLock}::bigint)`.execute(db)
}

const nameLock = '7304166319'

/** An id for a new workspace, by the clock of the database unless a time is given. */
export async function newWorkspaceId(db: Kysely<DB>, time: Date | null): Promise<string> {
  const { rows } = await sql<{ micros: number }>`
    select (extract(epoch from ${currentTime(time)}) * 1000000)::bigint as micros`.execute(db)
  return encodeId('wsp', uuidAt(rows[0]?.micros ?? 0))
}

const currentTime = (time: Date | null) =>
  sql<string>`coalesce(${time?.toISOString() ?? null}::timestamptz, now())`

export interface NewWorkspace {
  readonly id: string
  readonly name: string
  readonly time_zone: string
  readonly slug: string | null
  readonly sessionDays: number
  readonly quota: Readonly<Record<Quota, number>>
  /** When it is created; null for the time of the database. */
  readonly time: Date | null
}

export async function insertWorkspace(read: Read, workspace: NewWorkspace): Promise<void> {
  const { name, time_zone, slug, quota, time } = workspace
  const id = uuidOf(workspace.id)
  await read.db
    .insertInto('workspaces')
    .values({
      id,
      name,
      time_zone,
      slug,
      status: 'active',
      session_days: workspace.sessionDays,
      version: 0,
      created_at: currentTime(time),
      updated_at: currentTime(time),
    })
    .execute()
  await read.db
    .insertInto('workspace_counters')
    .values({ workspace_id: id, ...quotaMaxima(quota) })
    .execute()
}

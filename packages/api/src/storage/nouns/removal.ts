import { type Kysely, sql } from 'kysely'

import type { Read } from './database.ts'
import { isOwn } from './keyset.ts'
import type { DB } from './tables.ts'

/** A table that holds rows of workspaces. */
export interface TenantTable {
  readonly name: string
  /** The other tables that its rows refer to. */
  readonly refersTo: readonly string[]
  /** The columns by which its rows refer to one another. */
  readonly ownReferences: readonly string[]
}

/**
 * Every table that has rows of a workspace, as the catalog knows them: one that is added tomorrow
 * cannot be forgotten.
 */
export async function selectTenantTables(db: Kysely<DB>): Promise<TenantTable[]> {
  const { rows } = await sql<TenantTable>`
    select c.relname::text as name,
      array(
        select distinct t.relname::text
        from pg_constraint f join pg_class t on t.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f'
          and t.oid <> c.oid and t.relname <> 'workspaces'
        order by 1
      ) as "refersTo",
      array(
        select distinct a.attname::text
        from pg_constraint f
        join pg_attribute a on a.attrelid = c.oid and a.attnum = any (f.conkey)
        where f.conrelid = c.oid and f.confrelid = c.oid and a.attname <> 'workspace_id'
        order by 1
      ) as "ownReferences"
    from pg_class c
    where c.relnamespace = 'muster'::regnamespace
      and c.relkind in ('r', 'p') and not c.relispartition
      and exists (
        select from pg_attribute a
        where a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
      )
    order by c.relname`.execute(db)
  return rows
}

/** Whether anything can still be written in it. False once its removal has begun. */
export async function hasCounters(read: Read): Promise<boolean> {
  const { rows } = await sql`
    select from workspace_counters where ${isOwn(read, 'workspace_counters')}`.execute(read.db)
  return rows.length > 0
}

/**
 * Ends all writing in the workspace, if it still stands at this number. Without its counters no key
 * opens the door and no write finds a number to take, and those under way have ended before the row
 * could be locked. It counts as swept for all days to come, so that the sweeper leaves it alone.
 */
export async function endWriting(read: Read, seq: number): Promise<boolean> {
  await lockForRemoval(read)
  const { rows } = await sql`
    delete from workspace_counters where ${isOwn(read, 'workspace_counters')} and seq = ${seq}
    returning seq`.execute(read.db)
  if (rows.length === 0) return false
  await sql`
    insert into sweeps (workspace_id, swept_on) values (${read.workspaceId}, 'infinity')
    on conflict (workspace_id) do update set swept_on = excluded.swept_on`.execute(read.db)
  return true
}

/** Until the transaction ends nobody adds a row: each would need the workspace to stay. */
export async function lockForRemoval({ db, workspaceId }: Read): Promise<void> {
  await sql`select from workspaces where id = ${workspaceId} for update`.execute(db)
}

/** Takes some rows away, and says how many. */
export async function deleteSome(read: Read, table: string, atMost: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ${isOwn(read, table)} and ctid = any(array(
      select ctid from ${sql.table(table)} where ${isOwn(read, table)} limit ${atMost}
    ))`.execute(read.db)
  return Number(numAffectedRows ?? 0)
}

/** Takes some references away by which rows of a table hold one another, and says how many. */
export async function clearSome(
  read: Read,
  { table, column }: { table: string; column: string },
  atMost: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = null
    where ${isOwn(read, table)} and ctid = any(array(
      select ctid from ${sql.table(table)}
      where ${isOwn(read, table)} and ${sql.ref(column)} is not null limit ${atMost}
    ))`.execute(read.db)
  return Number(numAffectedRows ?? 0)
}

/** The last row of all. */
export async function deleteWorkspace({ db, workspaceId }: Read): Promise<void> {
  await db.deleteFrom('workspaces').where('id', '=', workspaceId).execute()
}

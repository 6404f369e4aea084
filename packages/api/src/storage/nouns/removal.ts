import { type Kysely, sql } from 'kysely'

import type { DB } from '#storage/schema/tables'
import type { Read } from '#storage/statements/access'
import { isOwn } from '#storage/statements/keyset'

import { preventSweeps } from './sweeps.ts'

/** A table with rows of workspaces. */
export interface TenantTable {
  readonly name: string
  /** The other tables that its rows reference. */
  readonly refersTo: readonly string[]
  /** The columns that reference rows of the same table. */
  readonly ownReferences: readonly string[]
}

/** All tenant tables, from the catalog of PostgreSQL: a new table is included. */
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

/** Whether the workspace can be written to. False after its removal has begun. */
export async function hasCounters(read: Read): Promise<boolean> {
  const { rows } = await sql`
    select from workspace_counters where ${isOwn(read, 'workspace_counters')}`.execute(read.db)
  return rows.length > 0
}

/**
 * Ends all writes of the workspace if it is still at this sequence number. Without counters no key
 * authenticates and no write gets a number.
 */
export async function endWriting(read: Read, seq: number): Promise<boolean> {
  await lockForRemoval(read)
  const { rows } = await sql`
    delete from workspace_counters where ${isOwn(read, 'workspace_counters')} and seq = ${seq}
    returning seq`.execute(read.db)
  if (rows.length === 0) return false
  await preventSweeps(read)
  return true
}

/**
 * Prevents inserts until the transaction ends. Each needs a lock on the workspace by its foreign
 * key, or a sequence number, which `endWriting` ends.
 */
export async function lockForRemoval({ db, workspaceId }: Read): Promise<void> {
  await sql`select from workspaces where id = ${workspaceId} for update`.execute(db)
}

/** Deletes some rows and returns their number. */
export async function deleteSome(read: Read, table: string, atMost: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ${isOwn(read, table)} and ctid = any(array(
      select ctid from ${sql.table(table)} where ${isOwn(read, table)} limit ${atMost}
    ))`.execute(read.db)
  return Number(numAffectedRows ?? 0)
}

/** Clears some references within a table and returns their number. */
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

/** Deletes the row of the workspace itself. */
export async function deleteWorkspace({ db, workspaceId }: Read): Promise<void> {
  await db.deleteFrom('workspaces').where('id', '=', workspaceId).execute()
}

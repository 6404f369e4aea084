import type { Kysely } from 'kysely'

import type { DB } from './tables.ts'

/** What signs the cursors of all processes on this database. */
export async function selectCursorSecret(db: Kysely<DB>): Promise<Buffer> {
  const row = await db.selectFrom('cluster').select('cursor_secret').executeTakeFirstOrThrow()
  return row.cursor_secret
}

/** Begins a new life of the database: no number of before validates anything in it. */
export async function updateEpoch(db: Kysely<DB>, epoch: string): Promise<void> {
  await db.updateTable('cluster').set({ epoch }).execute()
}

import type { Kysely } from 'kysely'

import type { DB } from './tables.ts'

/** Every process on this database signs pagination cursors with this secret. */
export async function selectCursorSecret(db: Kysely<DB>): Promise<Buffer> {
  const row = await db.selectFrom('cluster').select('cursor_secret').executeTakeFirstOrThrow()
  return row.cursor_secret
}

/** Starts a new epoch, which invalidates every ETag of the previous one. */
export async function updateEpoch(db: Kysely<DB>, epoch: string): Promise<void> {
  await db.updateTable('cluster').set({ epoch }).execute()
}

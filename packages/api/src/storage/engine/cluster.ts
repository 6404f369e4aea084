import type { Kysely } from 'kysely'

import type { DB } from './tables.ts'

/** Starts a new epoch, which invalidates every ETag of the previous one. */
export async function updateEpoch(db: Kysely<DB>, epoch: string): Promise<void> {
  await db.updateTable('cluster').set({ epoch }).execute()
}

import type { Kysely } from 'kysely'

import type { DB } from './tables.ts'

/** What signs the cursors of all processes on this database. */
export async function selectCursorSecret(db: Kysely<DB>): Promise<Buffer> {
  const row = await db.selectFrom('cluster').select('cursor_secret').executeTakeFirstOrThrow()
  return row.cursor_secret
}

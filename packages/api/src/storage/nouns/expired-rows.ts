import { sql } from 'kysely'

import type { Read } from '#storage/statements/access'

/**
 * Deletes up to 100 expired rows of the workspace. What adds a row calls it, so that no job is
 * needed.
 */
export async function deleteExpiredRows(
  read: Read,
  from: 'sessions' | 'sign_in_flows' | 'sign_in_links',
): Promise<void> {
  // The cast holds because the three tables have the same columns here.
  const table = from as 'sessions'
  await read.db
    .deleteFrom(table)
    .where('workspace_id', '=', read.workspaceId)
    .where('hash', 'in', (eb) =>
      eb
        .selectFrom(table)
        .select('hash')
        .where('workspace_id', '=', read.workspaceId)
        .where('expires_at', '<=', sql<string>`now()`)
        .orderBy('expires_at')
        .limit(100),
    )
    .execute()
}

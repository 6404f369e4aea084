import { type Kysely, sql } from 'kysely'

import type { Read } from '#storage/engine/access'
import { encodeOptional } from '#storage/engine/id'
import type { DB } from '#storage/engine/tables'

/** Whether the workspace has an identity provider. */
export async function hasProvider(read: Read): Promise<boolean> {
  const row = await read.db
    .selectFrom('sign_in_providers')
    .select('workspace_id')
    .where('workspace_id', '=', read.workspaceId)
    .executeTakeFirst()
  return row !== undefined
}

/** The id of the workspace if there is only one; null otherwise. */
export async function selectOnlyWorkspace(db: Kysely<DB>): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`select only_workspace() as id`.execute(db)
  return encodeOptional('wsp', rows[0]?.id ?? null)
}

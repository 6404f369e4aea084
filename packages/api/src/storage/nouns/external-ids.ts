import { sql } from 'kysely'

import type { Read } from '#storage/statements/access'
import { isOwn } from '#storage/statements/keyset'
import { encodeId } from '#storage/values/id'

/** The tables whose rows have external ids, which are unique in the workspace. */
const owners = {
  projects: { prefix: 'prj', project: sql`id` },
  risks: { prefix: 'rsk', project: sql`project_id` },
  issues: { prefix: 'iss', project: sql`project_id` },
  tasks: { prefix: 'tsk', project: sql`project_id` },
} as const

export type ExternalIdTable = keyof typeof owners

/** The record that has an external id, and its project. */
export interface Holder {
  readonly id: string
  readonly projectId: string
}

/** The records that have these external ids, by external id, of all projects. */
export async function selectHolders(
  read: Read,
  table: ExternalIdTable,
  externalIds: readonly string[],
): Promise<Map<string, Holder>> {
  if (externalIds.length === 0) return new Map()
  const { prefix, project } = owners[table]
  const { rows } = await sql<{ id: string; project: string; external_id: string }>`
    select id, ${project} as project, external_id from ${sql.table(table)}
    where ${isOwn(read, table)} and external_id = any(${externalIds}::text[])
      and external_id is not null`.execute(read.db)
  return new Map(
    rows.map(({ id, project: uuid, external_id }) => [
      external_id,
      { id: encodeId(prefix, id), projectId: encodeId('prj', uuid) },
    ]),
  )
}

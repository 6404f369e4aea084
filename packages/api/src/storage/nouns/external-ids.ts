import { sql } from 'kysely'

import type { Read } from '#storage/statements/access'
import { isOwn } from '#storage/statements/keyset'
import { encodeId, uuidOf } from '#storage/values/id'

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

interface ItemNames {
  readonly table: 'risks' | 'issues' | 'tasks'
  readonly column: 'ref' | 'external_id'
  readonly projectId: string
  readonly values: readonly string[]
}

/** The ids of the items of a project that have these references or external ids. */
export async function selectItemIdsBy(
  read: Read,
  { table, column, projectId, values }: ItemNames,
): Promise<Map<string, string>> {
  if (values.length === 0) return new Map()
  const { rows } = await sql<{ id: string; value: string }>`
    select id, ${sql.ref(column)} as value from ${sql.table(table)}
    where ${isOwn(read, table)} and ${sql.ref(column)} = any(${values}::text[])
      and ${sql.ref(column)} is not null and project_id = ${uuidOf(projectId)}`.execute(read.db)
  return new Map(rows.map(({ id, value }) => [value, encodeId(owners[table].prefix, id)]))
}

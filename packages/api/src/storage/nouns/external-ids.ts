import { sql } from 'kysely'

import type { Read } from '#storage/statements/access'
import { isOwn } from '#storage/statements/keyset'
import type { ProjectScope } from '#storage/statements/view'
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

export type ItemTable = 'risks' | 'issues' | 'tasks'

interface ItemNames {
  readonly table: ItemTable
  readonly column: 'id' | 'ref' | 'external_id'
  readonly scope: ProjectScope
  readonly values: readonly string[]
}

/** The items of these projects that have the ids, references or external ids, by that value. */
export async function selectItemsBy(
  read: Read,
  { table, column, scope, values }: ItemNames,
): Promise<Map<string, Holder>> {
  if (values.length === 0) return new Map()
  const { prefix } = owners[table]
  const isId = column === 'id'
  const given = isId ? values.map(uuidOf) : values
  const wanted = isId ? sql`${given}::uuid[]` : sql`${given}::text[]`
  const { rows } = await sql<{ id: string; project: string; value: string }>`
    select id, project_id as project, ${sql.ref(column)} as value from ${sql.table(table)}
    where ${isOwn(read, table)} and ${sql.ref(column)} = any(${wanted})
      and ${sql.ref(column)} is not null
      and (${scope.uuids}::uuid[] is null or project_id = any(${scope.uuids}::uuid[]))
    `.execute(read.db)
  return new Map(
    rows.map(({ id, project, value }) => [
      isId ? encodeId(prefix, value) : value,
      { id: encodeId(prefix, id), projectId: encodeId('prj', project) },
    ]),
  )
}

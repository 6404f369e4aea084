/** The names, e-mail addresses, codes and references of resources, by id, for lookup columns. */

import type { LookupColumn, LookupPrefix } from '@muster/contract'
import { sql } from 'kysely'

import type { Read } from '#storage/statements/access'
import { isOneOf, isOwn } from '#storage/statements/keyset'
import { isShown } from '#storage/statements/view'
import { encodeId, uuidOf } from '#storage/values/id'

type Found = { readonly id: string } & {
  readonly [Field in LookupColumn['field']]?: string | null
}

/**
 * One statement for each type. Each reads the primary key, once for each id. An item refers to
 * items of other projects if one of them was moved.
 */
const statements = {
  usr: (read: Read, uuids: readonly string[]) => sql<Found>`
    select id, name, email from people where ${isOwn(read, 'people')} and ${isOneOf('id', uuids)}`,
  prj: (read: Read, uuids: readonly string[]) => sql<Found>`
    select id, code, name from projects
    where ${isOwn(read, 'projects')} and ${isOneOf('id', uuids)}${isShown(read, 'id')}`,
  rsk: (read: Read, uuids: readonly string[]) => sql<Found>`
    select id, ref from risks
    where ${isOwn(read, 'risks')} and ${isOneOf('id', uuids)}${isShown(read, 'project_id')}`,
  iss: (read: Read, uuids: readonly string[]) => sql<Found>`
    select id, ref from issues
    where ${isOwn(read, 'issues')} and ${isOneOf('id', uuids)}${isShown(read, 'project_id')}`,
} satisfies Record<LookupPrefix, unknown>

/** The resources with these ids, which all have this prefix. */
export async function selectLookups(
  read: Read,
  prefix: LookupPrefix,
  ids: readonly string[],
): Promise<Map<string, Found>> {
  const { rows } = await statements[prefix](read, ids.map(uuidOf)).execute(read.db)
  return new Map(rows.map((found) => [encodeId(prefix, found.id), found]))
}

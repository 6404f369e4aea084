/** The documents of items that a release without documents wrote. */

import type { SearchedNoun } from '@muster/contract'
import { sql } from 'kysely'

import { documentOf, type Searched } from '#storage/derived/search-documents'
import { nouns } from '#storage/schema/nouns'
import type { Read } from '#storage/statements/access'
import { isOwn, nil } from '#storage/statements/keyset'
import { encodeId, encodeOptional } from '#storage/values/id'

const columns: Readonly<Record<SearchedNoun, readonly string[]>> = {
  person: ['name', 'email'],
  group: ['name', 'description'],
  project: ['code', 'name', 'description'],
  risk: ['ref', 'title', 'description', 'tags', 'project_id'],
  issue: ['ref', 'title', 'description', 'tags', 'project_id'],
  task: ['ref', 'title', 'description', 'project_id'],
}

interface Page {
  readonly noun: SearchedNoun
  /** The UUID to continue after; null at the beginning. */
  readonly after: string | null
  readonly limit: number
}

/**
 * Adds the documents of the next items by id, and corrects those that differ. The items are locked,
 * so that none changes meanwhile. Returns how many were read and written, and the UUID to continue
 * after, which is null at the end.
 */
export async function writeDocuments(
  read: Read,
  { noun, after, limit }: Page,
): Promise<{ count: number; written: number; last: string | null }> {
  const { table, prefix } = nouns[noun]
  const { rows } = await sql<Searched>`
    select id, status, ${sql.join(columns[noun].map((column) => sql.ref(column)))}
    from ${sql.table(table)} where ${isOwn(read, table)} and id > ${after ?? nil}::uuid
    order by id limit ${limit} for share`.execute(read.db)
  const documents = rows.map((row) =>
    documentOf(read.workspaceId, noun, {
      ...row,
      id: encodeId(prefix, row.id),
      ...(row.project_id !== undefined && {
        project_id: encodeOptional('prj', row.project_id) ?? '',
      }),
    }),
  )
  const { numAffectedRows } = await sql`
    insert into search_documents as kept (workspace_id, noun, id, project_id, is_live, document)
    select ${read.workspaceId}::uuid, r.noun, r.id, r.project_id, r.is_live, r.document
    from json_populate_recordset(null::search_documents, ${JSON.stringify(documents)}::json) as r
    on conflict (workspace_id, id) do update
    set project_id = excluded.project_id, is_live = excluded.is_live, document = excluded.document
    where (kept.project_id, kept.is_live, kept.document)
      is distinct from (excluded.project_id, excluded.is_live, excluded.document)`.execute(read.db)
  return {
    count: rows.length,
    written: Number(numAffectedRows ?? 0),
    last: rows.length < limit ? null : (rows.at(-1)?.id ?? null),
  }
}

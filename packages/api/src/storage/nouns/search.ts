import type { SearchedNoun } from '@muster/contract'
import { type RawBuilder, sql } from 'kysely'

import { prefixOf } from '#storage/derived/search-documents'
import { nouns } from '#storage/schema/nouns'
import type { Read } from '#storage/statements/access'
import { isOneOf, isOwn } from '#storage/statements/keyset'
import { isShown } from '#storage/statements/view'
import { encodeId, encodeOptional, uuidOf } from '#storage/values/id'

/** The most documents that one search orders. */
const candidatesMax = 2000

interface Wanted {
  /** As `wordsIn` gives them. */
  readonly words: readonly string[]
  readonly nouns: readonly SearchedNoun[]
  readonly limit: number
}

interface Found {
  readonly noun: SearchedNoun
  readonly id: string
  /** Whether the reference or the title has all words. */
  readonly is_title: boolean
}

/** The best documents that have words with these beginnings, and how many there are at least. */
export async function findDocuments(
  read: Read,
  { words, nouns: wanted, limit }: Wanted,
): Promise<{ found: Found[]; candidates: number }> {
  const prefix = prefixOf(read.workspaceId)
  const query = (weight: string) => words.map((word) => `'${prefix}${word}':*${weight}`).join(' & ')
  const { uuids } = read.view.scope()
  const { rows } = await sql<Found & { candidates: number }>`
    select noun, id, is_title, candidates from find_documents(
      ${query('')}::tsquery, ${query('A')}::tsquery, ${wanted}::text[], ${uuids}::uuid[],
      ${candidatesMax}, ${limit}
    )`.execute(read.db)
  return {
    found: rows.map(({ noun, id, is_title }) => ({
      noun,
      id: encodeId(nouns[noun].prefix, id),
      is_title,
    })),
    candidates: rows[0]?.candidates ?? 0,
  }
}

/** What a search shows of an item. */
export interface ShownItem {
  readonly id: string
  readonly ref: string | null
  readonly title: string
  readonly project_id: string | null
  readonly status: string
  readonly score: number | null
  readonly severity: number | null
}

const noText = sql`null::text`
const noId = sql`null::uuid`
const noRating = sql`null::integer`

/** One statement for each noun, by primary key. */
const shown: Readonly<Record<SearchedNoun, RawBuilder<unknown>>> = {
  person: sql`${noText} as ref, name as title, ${noId} as project_id, status,
    ${noRating} as score, ${noRating} as severity from people`,
  group: sql`${noText} as ref, name as title, ${noId} as project_id, status,
    ${noRating} as score, ${noRating} as severity from groups`,
  project: sql`code as ref, name as title, ${noId} as project_id, status,
    ${noRating} as score, ${noRating} as severity from projects`,
  risk: sql`ref, title, project_id, status, score, ${noRating} as severity from risks`,
  issue: sql`ref, title, project_id, status, ${noRating} as score, severity from issues`,
  task: sql`ref, title, project_id, status, ${noRating} as score,
    ${noRating} as severity from tasks`,
}

/** The items with these ids, as far as the view shows them. */
export async function selectShown(
  read: Read,
  noun: SearchedNoun,
  ids: readonly string[],
): Promise<ShownItem[]> {
  const { table, prefix, project } = nouns[noun]
  const column = project === 'own id' ? 'id' : 'project_id'
  const isInView = project === null ? sql`` : isShown(read, column)
  const { rows } = await sql<ShownItem>`
    select id, ${shown[noun]}
    where ${isOwn(read, table)} and ${isOneOf('id', ids.map(uuidOf))}${isInView}`.execute(read.db)
  return rows.map((row) => ({
    ...row,
    id: encodeId(prefix, row.id),
    project_id: encodeOptional('prj', row.project_id),
  }))
}

/** The words by which `GET /v1/search` finds an item. */

import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'

import { isLive, isOpen, type SearchedNoun, searchedNouns } from '@muster/contract'

import { type NounName, projectOfState } from '#storage/schema/nouns'
import type { Row } from '#storage/schema/row-tables'
import type { HistoryState, RowWrite } from '#storage/statements/access'
import { fold } from '#storage/values/fold'
import { uuidOf } from '#storage/values/id'

const isSearched = (noun: NounName): noun is SearchedNoun =>
  searchedNouns.some((each) => each === noun)

/** The fields that matter, of any noun. */
export interface Searched {
  readonly id: string
  readonly status: string
  readonly ref?: string
  readonly code?: string
  readonly name?: string | null
  readonly title?: string | null
  readonly email?: string | null
  readonly description?: string | null
  readonly tags?: readonly string[]
  readonly project_id?: string
}

const liveness: Readonly<Record<SearchedNoun, (status: string) => boolean>> = {
  person: (status) => status !== 'departed',
  group: (status) => status !== 'archived',
  project: (status) => status !== 'archived',
  risk: (status) => isLive(status),
  issue: (status) => isOpen(status),
  task: (status) => status !== 'done' && status !== 'cancelled',
}

/** Whether an item with this status is current. */
export const isLiveIn = (noun: SearchedNoun, status: string) => liveness[noun](status)

/** The longest part of a word that is searched. */
const wordLengthMax = 100

/** The words of a text as they are stored and searched: letters and digits, folded. */
export const wordsIn = (text: string): string[] =>
  (fold(text).match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.slice(0, wordLengthMax))

/**
 * What precedes each word in the index: 32 bits of the workspace. Workspaces with the same ones are
 * told apart by the id.
 */
export const prefixOf = (workspaceUuid: string) =>
  createHash('sha256').update(workspaceUuid).digest('hex').slice(0, 8)

type DocumentRow = Row<'search_documents'>

/** The row of an item. A word has its best weight. */
export function documentOf(workspaceUuid: string, noun: SearchedNoun, item: Searched): DocumentRow {
  const { ref, code, name, email, description, tags = [], status, id } = item
  // The title of a person is what the person does; a search finds the name.
  const title = noun === 'person' ? null : item.title
  const weights = new Map<string, string>()
  const add = (weight: string, texts: readonly (string | null | undefined)[]) => {
    for (const word of texts.flatMap((text) => wordsIn(text ?? ''))) {
      if (!weights.has(word)) weights.set(word, weight)
    }
  }
  add('A', [ref, code, name, title, email])
  add('B', tags)
  add('C', [description])
  const prefix = prefixOf(workspaceUuid)
  // A word has only letters and digits, so that quotes are enough.
  const lexemes = [...weights].map(([word, weight]) => `'${prefix}${word}':1${weight}`)
  return {
    noun,
    id: uuidOf(id),
    project_id: projectOfState(noun, item),
    is_live: isLiveIn(noun, status),
    document: lexemes.join(' '),
  }
}

const searchedFields = [
  'ref',
  'code',
  'name',
  'title',
  'email',
  'description',
  'tags',
  'status',
  'project_id',
] as const

/** Most changes, such as a review, change none of these fields. */
function isSameDocument(before: object, after: object): boolean {
  const [was, is]: Readonly<Record<string, unknown>>[] = [{ ...before }, { ...after }]
  return searchedFields.every((field) => isDeepStrictEqual(was?.[field], is?.[field]))
}

/** Writes the document of an item if its words, its project or its status changed. */
export function writeDocument(
  write: Pick<RowWrite, 'insert' | 'update'>,
  workspaceUuid: string,
  { noun, before, after }: HistoryState,
): void {
  if (!isSearched(noun) || (before !== null && isSameDocument(before, after))) return
  // The cast holds because these nouns have a status.
  const row = documentOf(workspaceUuid, noun, after as unknown as Searched)
  if (before === null) write.insert('search_documents', row)
  else write.update('search_documents', row)
}

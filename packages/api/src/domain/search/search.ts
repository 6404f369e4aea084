import {
  type Input,
  isGranted,
  type Operations,
  type Output,
  type Scope,
  type SearchedNoun,
  searchedNouns,
  type SearchResult,
} from '@muster/contract'

import type { Caller } from '#domain/engine/caller'
import { level } from '#domain/rules/score'
import { isLiveIn, wordsIn } from '#storage/derived/search-documents'
import { selectLookups } from '#storage/lists/lookups'
import { selectItemsBy } from '#storage/nouns/external-ids'
import { selectProjectsByCode } from '#storage/nouns/projects'
import { findDocuments, selectShown, type ShownItem } from '#storage/nouns/search'
import type { Read } from '#storage/statements/access'

type Find = Operations['search']['find']
type Matched = SearchResult['matched']

const scopeOf: Readonly<Record<SearchedNoun, Scope>> = {
  person: 'personnel.read',
  group: 'personnel.read',
  project: 'projects.read',
  risk: 'projects.read',
  issue: 'projects.read',
  task: 'projects.read',
}

interface Hit {
  readonly noun: SearchedNoun
  readonly id: string
  readonly matched: Matched
}

const defaultLimit = 20

export async function findEverything(
  caller: Caller<'any_principal'>,
  { q = '', noun = [...searchedNouns], limit = defaultLimit }: Input<Find>['query'],
): Promise<Output<Find>> {
  const nouns = noun.filter((each) => isGranted(caller.scopes, scopeOf[each]))
  const words = [...new Set(wordsIn(q))]
  if (nouns.length === 0 || words.length === 0) return { data: [], is_complete: true }
  return caller.database.read(caller, async (read) => {
    const exact = await findExact(read, q.trim().toUpperCase(), nouns)
    const { found, candidates } = await findDocuments(read, { words, nouns, limit })
    const known = new Set(exact.map(({ id }) => id))
    const others = found
      .filter(({ id }) => !known.has(id))
      .map(({ is_title, ...hit }): Hit => ({ ...hit, matched: is_title ? 'title' : 'text' }))
    const hits = [...exact, ...others].slice(0, limit)
    return { data: await present(read, hits), is_complete: candidates <= limit }
  })
}

/** The item with this reference, and the project with this code. */
async function findExact(read: Read, text: string, nouns: readonly SearchedNoun[]): Promise<Hit[]> {
  const [, , letter] = /^([A-Z][A-Z0-9]{1,9})(?:-([RIT])\d{1,9})?$/.exec(text) ?? []
  const matched = 'ref' as const
  if (letter === undefined) {
    const id = nouns.includes('project') && (await selectProjectsByCode(read, [text])).get(text)
    return id && read.view.shows(id) ? [{ noun: 'project', id, matched }] : []
  }
  const noun = ({ R: 'risk', I: 'issue', T: 'task' } as const)[letter as 'R' | 'I' | 'T']
  if (!nouns.includes(noun)) return []
  const scope = read.view.scope()
  const asked = { table: `${noun}s`, column: 'ref', scope, values: [text] } as const
  const item = (await selectItemsBy(read, asked)).get(text)
  return item ? [{ noun, id: item.id, matched }] : []
}

/** The items in the order of the hits. One that is gone meanwhile is left out. */
async function present(read: Read, hits: readonly Hit[]): Promise<SearchResult[]> {
  const items = new Map<string, ShownItem>()
  for (const [noun, ofNoun] of Map.groupBy(hits, (hit) => hit.noun)) {
    const shown = await selectShown(
      read,
      noun,
      ofNoun.map(({ id }) => id),
    )
    for (const item of shown) items.set(item.id, item)
  }
  const projectIds = [...items.values()].flatMap(({ project_id }) => project_id ?? [])
  const projects = await selectLookups(read, 'prj', [...new Set(projectIds)])
  return hits.flatMap(({ noun, id, matched }) => {
    const item = items.get(id)
    if (item === undefined) return []
    const { score, project_id } = item
    return {
      ...item,
      noun,
      project_code: projects.get(project_id ?? '')?.code ?? null,
      is_live: isLiveIn(noun, item.status),
      level: score === null ? null : level(score),
      matched,
    }
  })
}

import {
  type Collection,
  type ExportColumn,
  type Include,
  isGranted,
  limits,
  listFormats,
  type ListOperation,
  lookupCollections,
  type LookupColumn,
  type Scope,
} from '@muster/contract'

import type { Principal } from '#domain/auth/authenticate'
import { Failure } from '#domain/engine/failure'
import { csvType } from '#http/response/csv-file'

import { csvColumns } from './format.ts'
import type { ListParameters, ListRequest } from './list-request.ts'

/** What the response to a list request contains. */
interface ListContent {
  /** The columns of CSV; empty for other formats. */
  readonly columns: readonly ExportColumn[]
  readonly lookups: readonly LookupColumn[]
  /** The collections whose data the response contains or depends on. */
  readonly shown: readonly Collection[]
  /** The scopes that the principal needs besides that of the operation. */
  readonly scopes: readonly Scope[]
}

/** Refuses what the scopes of the principal do not grant. */
export function contentOf(operation: ListOperation, list: ListRequest): ListContent {
  const { principal, query, mediaType, points } = list
  refuseRowsUnmatched(list)
  const extras = (query.include ?? []).filter((name) => name !== 'total_count')
  const needed = neededBy(operation, extras, query)
  refuseLargePages(needed, query)
  refuseUngranted(needed, principal)
  const optional = { extras, isCompared: query.compare !== undefined }
  const columns = mediaType === csvType ? csvColumns(operation, optional, principal.scopes) : []
  const lookups = columns.flatMap(({ lookup }) => lookup ?? [])
  const scopes = needed.map(({ scope }) => scope)
  return { columns, lookups, shown: shownIn(operation, { needed, lookups, points }), scopes }
}

/** The rows of CSV and NDJSON have no place for it. */
function refuseRowsUnmatched({ query, mediaType }: ListRequest): void {
  if (mediaType === listFormats.json || !query.include?.includes('unmatched')) return
  const detail = `include=unmatched needs JSON. The response would be ${mediaType}.`
  throw new Failure('invalid_parameter', detail, { parameter: 'include' })
}

/** What every response about the past also depends on: it shows the names of now. */
export const pastCollections = ['projects'] as const satisfies Collection[]

interface Needed extends Include {
  readonly parameter: string
}

/** What the extras, the order and the filters of a list need beyond the list itself. */
function neededBy(
  { includes, sorts, filterNeeds }: ListOperation,
  extras: readonly string[],
  query: ListParameters,
): Needed[] {
  const { sort } = query
  const included = extras.map((name) => ({ parameter: `include=${name}`, need: includes[name] }))
  const sorted = { parameter: `sort=${sort}`, need: sorts[sort?.replace('-', '') ?? ''] }
  const filtered = Object.keys(query).map((name) => ({ parameter: name, need: filterNeeds[name] }))
  return [...included, sorted, ...filtered].flatMap(({ parameter, need }) =>
    need ? [{ ...need, parameter }] : [],
  )
}

/** What is read for each item needs a page. */
function refuseLargePages(needed: readonly Needed[], { limit, cursor }: ListParameters): void {
  const size = limit ?? (cursor === undefined ? Infinity : limits.page.default)
  for (const { parameter, limitMax = Infinity } of needed) {
    if (size <= limitMax) continue
    const detail = `${parameter} needs pages: set \`limit\` to at most ${limitMax}.`
    throw new Failure('invalid_parameter', detail, { parameter: 'limit' })
  }
}

function refuseUngranted(needed: readonly Needed[], { scopes }: Principal): void {
  for (const { parameter, scope } of needed) {
    if (isGranted(scopes, scope)) continue
    throw new Failure('insufficient_scope', `${parameter} requires the scope ${scope}.`, {
      required_scope: scope,
      granted_scopes: scopes,
    })
  }
}

interface Shown extends Pick<ListRequest, 'points'> {
  readonly needed: readonly Needed[]
  readonly lookups: readonly LookupColumn[]
}

const shownIn = ({ collection, also }: ListOperation, { needed, lookups, points }: Shown) => [
  ...new Set([
    collection,
    ...also,
    ...needed.flatMap(({ collections }) => collections),
    ...lookupCollections(lookups),
    ...(points ? pastCollections : []),
  ]),
]

import { limits } from '@muster/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { Failure } from '#domain/engine/failure'
import type { Listing, PageRequest } from '#domain/engine/listing'
import type { RowSizes } from '#http/edge/row-sizes'
import { sequenceOf } from '#http/response/etag'
import type { PageCache, Recipe, StoredPage } from '#http/response/page-cache'
import { addressOf, pageFor, pageHeaders } from '#http/response/recipe'

import { type CursorContext, decodeCursor, encodeCursor } from './cursor.ts'
import {
  hasETag,
  itemsOf,
  type ListDependencies,
  type ListParameters,
  type PreparedList,
} from './list-request.ts'
import { compress, joinTexts, serialize } from './page-bytes.ts'

function recipeOf({ path, encoding, query, shown, scopes, mediaType }: PreparedList): Recipe {
  const name = `${path} ${encoding} ${JSON.stringify(query)}`
  return { name, shown, scopes, mediaType, encoding }
}

/** The cache learns which page a request with the same address and representation is for. */
export function learnPage({ raw }: FastifyRequest, list: PreparedList, pages: PageCache): void {
  pages.learn(list.principal.workspaceId, addressOf(raw), recipeOf(list))
}

/** Sends one page of a list, from the page cache if it has the present one. */
export async function sendPage(
  reply: FastifyReply,
  list: PreparedList,
  { tags, pages, rowSizes }: Pick<ListDependencies, 'tags' | 'pages' | 'rowSizes'>,
): Promise<FastifyReply> {
  const { operation, principal, shown, mediaType } = list
  if (mediaType !== 'application/json') throw pageIsJson(mediaType)
  const read = () => readPage(list, rowSizes)
  // A list without an ETag may depend on the principal and on the clock, so it is not kept.
  if (!hasETag(operation)) return sendUncached(reply, list, await read())
  const recipe = recipeOf(list)
  const page = await pages.get(pageFor(recipe, principal), read)
  const tag = await tags.collection(principal, shown, page.asOf)
  return reply.headers(pageHeaders(recipe, { page, tag })).send(page.body)
}

function sendUncached(reply: FastifyReply, { encoding }: PreparedList, page: StoredPage) {
  if (page.link !== null) reply.header('link', page.link)
  if (page.isCompressed) reply.header('content-encoding', encoding)
  return reply.send(page.body)
}

const pageIsJson = (mediaType: string) =>
  new Failure('not_acceptable', `Pages are JSON only. For ${mediaType}, omit limit and cursor.`)

async function readPage(list: PreparedList, rowSizes: RowSizes): Promise<StoredPage> {
  const { operation, listing, path, query, principal } = list
  const { limit = limits.page.default, cursor, include, format: _, ...filters } = query
  const context: CursorContext = {
    secret: principal.cursorSecret,
    workspaceId: principal.workspaceId,
    operation: `${list.name} ${path}`,
    query: filters,
  }
  const after = cursor === undefined ? null : decodeCursor(context, cursor)
  const countMax = include?.includes('total_count') ? limits.totalCountMax : null
  const found = await readItems(listing(), { after, limit, countMax })
  const { next, asOf, total } = found
  const rows = found.texts === null ? found.items.length : found.texts.length
  const nextCursor = next && encodeCursor(context, next)
  const envelope = {
    as_of: sequenceOf(itemsOf(operation), asOf),
    data: [],
    ...(total !== undefined && { total_count: total }),
    count: rows,
    next_cursor: nextCursor,
  }
  const itemBytes = rowSizes.bytesOf(principal.workspaceId, list.name)
  const plain =
    found.texts === null
      ? await serialize(envelope, { items: found.items, itemBytes })
      : joinTexts(envelope, found.texts)
  const size = { bytes: plain.length, rows }
  rowSizes.record(principal.workspaceId, list.name, size)
  const link = nextCursor === null ? null : nextLink(path, query, nextCursor)
  return { asOf, link, ...(await compress(plain, list.encoding)) }
}

/** A page from the texts of its rows, or from the rows. */
async function readItems(listing: Listing<object>, request: PageRequest) {
  const known = await listing.pageTexts(request)
  if (known !== null) return known
  return { ...(await listing.page(request)), texts: null }
}

function nextLink(path: string, query: ListParameters, cursor: string): string {
  const parameters = new URLSearchParams(
    Object.entries({ ...query, cursor }).map(([name, value]) => [name, String(value)]),
  )
  return `<${path}?${parameters.toString()}>; rel="next"`
}

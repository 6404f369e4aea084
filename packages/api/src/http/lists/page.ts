import { limits } from '@muster/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'

import type { PageRequest } from '#domain/engine/listing'
import type { RowSizes } from '#http/edge/row-sizes'
import { contentTypeOf } from '#http/response/csv-file'
import { statedNumber } from '#http/response/etag'
import type { PageCache, Recipe, StoredPage } from '#http/response/page-cache'
import { addressOf, pageFor, pageHeaders } from '#http/response/recipe'

import { type CursorContext, decodeCursor, encodeCursor } from './cursor.ts'
import { downloadHeaders } from './format.ts'
import {
  columnsOf,
  hasETag,
  itemsOf,
  type ListDependencies,
  type ListParameters,
  type PreparedList,
} from './list-request.ts'
import { compress, joinTexts, serialize, serializeAs } from './page-bytes.ts'

function recipeOf(list: PreparedList): Recipe {
  const { path, encoding, query, shown, scopes, points } = list
  const name = [path, list.mediaType, encoding, columnsOf(list), JSON.stringify(query)].join(' ')
  return { name, shown, scopes, mediaType: contentTypeOf(list.mediaType), encoding, points }
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
  const { operation, principal, shown, format } = list
  const isRead = reply.request.method !== 'HEAD'
  if (format.isExport && isRead) await list.beforeExport(format.name)
  const read = () => readPage(list, rowSizes)
  // A list without an ETag may depend on the principal and on the clock, so it is not kept.
  if (!hasETag(operation)) return sendUncached(reply, list, await read())
  const recipe = recipeOf(list)
  const page = await pages.get(pageFor(recipe, principal), read)
  const tag = await tags.collection(principal, shown, page.asOf)
  reply.headers({ ...pageHeaders(recipe, { page, tag }), ...downloadHeaders(format) })
  return reply.send(page.body)
}

function sendUncached(reply: FastifyReply, { encoding, format }: PreparedList, page: StoredPage) {
  reply.headers(downloadHeaders(format))
  if (page.link !== null) reply.header('link', page.link)
  if (page.isCompressed) reply.header('content-encoding', encoding)
  return reply.send(page.body)
}

async function readPage(list: PreparedList, rowSizes: RowSizes): Promise<StoredPage> {
  const { path, query, principal, format } = list
  const { limit = limits.page.default, cursor, include, format: _, ...filters } = query
  const context: CursorContext = {
    secret: principal.cursorSecret,
    workspaceId: principal.workspaceId,
    operation: `${list.name} ${path}`,
    query: filters,
  }
  const points = Object.values(list.points?.numbers ?? {})
  const after = cursor === undefined ? null : decodeCursor(context, cursor).slice(points.length)
  const countMax = include?.includes('total_count') ? limits.totalCountMax : null
  const found = await readItems(list, { after, limit, countMax })
  const nextCursor = found.next && encodeCursor(context, [...points, ...found.next])
  const itemBytes = rowSizes.bytesOf(principal.workspaceId, list.name)
  const plain = await plainPage(list, found, { nextCursor, itemBytes })
  const rows = rowsIn(found)
  const size = { bytes: plain.length, rows }
  rowSizes.record(principal.workspaceId, list.name, size)
  const named = { ...query, ...(format.isExport && { format: format.name }) }
  const link = nextCursor === null ? null : nextLink(path, named, nextCursor)
  return { asOf: found.asOf, link, ...(await compress(plain, list.encoding)) }
}

type FoundPage = Awaited<ReturnType<typeof readItems>>

const rowsIn = ({ texts, items }: FoundPage) => (texts ?? items).length

/** A page from the texts of its rows, or from the rows. Other formats and extras need the rows. */
async function readItems({ listing, format, extras }: PreparedList, request: PageRequest) {
  const list = listing()
  const needsRows = format.isExport || extras.asked !== undefined
  const known = needsRows ? null : await list.pageTexts(request)
  if (known !== null) return { ...known, items: [] }
  return { ...(await list.page(request, extras)), texts: null }
}

interface PageEnd {
  readonly nextCursor: string | null
  readonly itemBytes: number
}

/** The page before compression. */
function plainPage(
  { operation, format }: PreparedList,
  found: FoundPage,
  { nextCursor, itemBytes }: PageEnd,
): Buffer | Promise<Buffer> {
  const { items, texts, total, unmatched } = found
  const asOf = statedNumber(itemsOf(operation), found.asOf)
  if (format.isExport) return serializeAs(format, { items, itemBytes, asOf })
  const envelope = {
    as_of: asOf,
    data: [],
    ...(total !== undefined && { total_count: total }),
    ...(unmatched && { unmatched }),
    count: rowsIn(found),
    next_cursor: nextCursor,
  }
  return texts === null ? serialize(envelope, { items, itemBytes }) : joinTexts(envelope, texts)
}

function nextLink(path: string, query: ListParameters, cursor: string): string {
  const parameters = new URLSearchParams(
    Object.entries({ ...query, cursor }).map(([name, value]) => [name, String(value)]),
  )
  return `<${path}?${parameters.toString()}>; rel="next"`
}

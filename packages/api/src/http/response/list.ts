import assert from 'node:assert/strict'
import { promisify } from 'node:util'
import { constants, gzip, zstdCompress } from 'node:zlib'

import { type Collection, isGranted, limits, type ListOperation } from '@muster/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Principal } from '#domain/auth/authenticate'
import { Failure } from '#domain/engine/failure'
import type { AsOf, Listing } from '#domain/engine/listing'
import type { Admission } from '#http/edge/admission'
import type { RowSizes } from '#http/edge/row-sizes'
import { chooseEncoding, type Encoding } from '#http/request/negotiate'
import { pathOf } from '#http/request/query'

import { sendUnchanged } from './answer.ts'
import { type CompleteLists, sendSpool } from './complete.ts'
import { type CursorContext, decodeCursor, encodeCursor } from './cursor.ts'
import { cacheable, collectionTag, sequenceOf } from './etag.ts'
import { sendFeed } from './feed.ts'
import { formatsOf, type ListFormat } from './format.ts'
import { Pace } from './pace.ts'
import type { PageCache, StoredPage } from './page-cache.ts'

/** The parameters of every list, besides its own filters. */
interface ListQuery {
  readonly limit?: number
  readonly cursor?: string
  readonly after?: string
  readonly include?: readonly string[]
}

export interface ListDependencies {
  readonly admission: Admission
  readonly lists: CompleteLists
  readonly pages: PageCache
  readonly rowSizes: RowSizes
}

interface ListRequest {
  readonly name: string
  readonly mediaType: string
  readonly query: ListQuery
  readonly principal: Principal
  /** Called only if the response needs the data. */
  readonly listing: () => Listing<object>
  /** Called before the complete list is sent as CSV or NDJSON. */
  readonly beforeExport: (format: string) => Promise<void>
}

type ListResponder = (
  request: FastifyRequest,
  reply: FastifyReply,
  list: ListRequest,
) => Promise<unknown>

/** Responds to a list request with 304, a page, or the complete list. */
export function listResponder(
  operation: ListOperation,
  dependencies: ListDependencies,
): ListResponder {
  return async (request, reply, list) => {
    const { principal, query, mediaType } = list
    const extras = (query.include ?? []).filter((name) => name !== 'total_count')
    refuseExtras(operation, extras, principal)
    const shown = shownIn(operation, extras)
    reply.type(mediaType)
    if (hasETag(operation)) {
      const tag = collectionTag(shown, principal)
      if (sendUnchanged(request, reply, tag)) return reply
      reply.headers({ ...cacheable, etag: tag })
    } else reply.header('cache-control', 'no-store')

    const path = pathOf(request.url)
    const encoding = chooseEncoding(request.headers)
    const given = { ...list, operation, shown, encoding, path }
    if (query.after !== undefined) {
      const feed = { mediaType, items: itemsOf(operation), listing: list.listing() }
      return sendFeed(reply, { ...query, after: query.after }, feed)
    }
    if (query.limit !== undefined || query.cursor !== undefined) {
      if (mediaType !== 'application/json') throw pageIsJson(mediaType)
      return sendPage(reply, given, dependencies)
    }
    const format = formatsOf(operation, extras).find((each) => each.mediaType === mediaType)
    assert(format, 'every negotiated media type has a format')
    return sendComplete({ request, reply }, { ...given, format }, dependencies)
  }
}

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

async function sendComplete(
  { request, reply }: Exchange,
  list: PageRequest & { readonly format: ListFormat },
  dependencies: ListDependencies,
): Promise<FastifyReply> {
  const { principal, query, operation, shown, encoding, format } = list
  const addHeaders = (asOf: AsOf) => {
    if (hasETag(operation)) reply.header('etag', collectionTag(shown, asOf))
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    if (format.fileName)
      reply.header('content-disposition', `attachment; filename="${format.fileName}"`)
  }
  if (request.method === 'HEAD') {
    // One item is enough for the status and the ETag. Content-Length is unknown, and omitted.
    const { asOf } = await list.listing().page({ after: null, limit: 1, countMax: null })
    addHeaders(asOf)
    return reply.send()
  }
  if (format.isExport) await list.beforeExport(format.name)
  const closeStream = dependencies.lists.openStream(principal)
  // A list without an ETag may depend on the principal, so it is not shared.
  const reader = hasETag(operation) ? principal.workspaceId : principal.id
  const parts = [reader, list.path, list.mediaType, encoding, JSON.stringify(query)]
  const complete = {
    workspaceId: principal.workspaceId,
    name: parts.join(' '),
    atLeast: principal,
    collections: { shown, items: itemsOf(operation) },
    encoding,
    hasTotal: query.include?.includes('total_count') ?? false,
    format,
  }
  try {
    await dependencies.lists.share({ ...complete, listing: list.listing() }, async (filled) => {
      addHeaders(filled.asOf)
      dependencies.admission.release(request.raw)
      await sendSpool(reply, filled.spool)
    })
  } finally {
    closeStream()
  }
  return reply
}

/** A list that depends on the clock changes without a write, so it cannot have an ETag. */
const hasETag = ({ cache }: ListOperation) => cache === 'collection'

/** An extra may require another scope than the list. */
function refuseExtras({ includes }: ListOperation, extras: string[], { scopes }: Principal): void {
  for (const name of extras) {
    const scope = includes[name]?.scope
    if (scope === undefined || isGranted(scopes, scope)) continue
    throw new Failure('insufficient_scope', `include=${name} requires the scope ${scope}.`, {
      required_scope: scope,
      granted_scopes: scopes,
    })
  }
}

/** The collections whose data the response contains. */
const shownIn = ({ collection, also, includes }: ListOperation, extras: readonly string[]) => [
  ...new Set([collection, ...also, ...extras.flatMap((name) => includes[name]?.collections ?? [])]),
]

/** The collections of the items of a list. */
const itemsOf = ({ collection, also }: ListOperation) => [collection, ...also]

const pageIsJson = (mediaType: string) =>
  new Failure('not_acceptable', `Pages are JSON only. For ${mediaType}, omit limit and cursor.`)

interface PageRequest extends ListRequest {
  readonly operation: ListOperation
  readonly shown: readonly Collection[]
  readonly encoding: Encoding
  readonly path: string
}

async function sendPage(
  reply: FastifyReply,
  list: PageRequest,
  { pages, rowSizes }: Pick<ListDependencies, 'pages' | 'rowSizes'>,
): Promise<FastifyReply> {
  const { operation, shown, principal, path, encoding, query } = list
  const read = () => readPage(list, rowSizes)
  // A list without an ETag may depend on the principal and on the clock, so it is not kept.
  const page = hasETag(operation)
    ? await pages.get(
        {
          workspaceId: principal.workspaceId,
          name: `${path} ${encoding} ${JSON.stringify(query)}`,
          shown,
          atLeast: principal,
        },
        read,
      )
    : await read()
  if (page.link !== null) reply.header('link', page.link)
  if (hasETag(operation)) reply.header('etag', collectionTag(shown, page.asOf))
  if (page.isCompressed) reply.header('content-encoding', encoding)
  return reply.send(page.body)
}

async function readPage(list: PageRequest, rowSizes: RowSizes): Promise<StoredPage> {
  const { operation, listing, path, query, encoding, principal } = list
  const { limit = limits.page.default, cursor, include, ...filters } = query
  const context: CursorContext = {
    secret: principal.cursorSecret,
    workspaceId: principal.workspaceId,
    operation: `${list.name} ${path}`,
    query: filters,
  }
  const after = cursor === undefined ? null : decodeCursor(context, cursor)
  const countMax = include?.includes('total_count') ? limits.totalCountMax : null
  const { items, next, asOf, total } = await listing().page({ after, limit, countMax })
  const nextCursor = next && encodeCursor(context, next)
  const envelope = {
    as_of: sequenceOf(itemsOf(operation), asOf),
    data: items,
    ...(total !== undefined && { total_count: total }),
    count: items.length,
    next_cursor: nextCursor,
  }
  const rowBytes = rowSizes.bytesOf(principal.workspaceId, list.name)
  const plain = await serialize(envelope, rowBytes)
  const page = { bytes: plain.length, rows: items.length }
  rowSizes.record(principal.workspaceId, list.name, page)
  const link = nextCursor === null ? null : nextLink(path, query, nextCursor)
  const isCompressed = encoding !== 'identity' && plain.length >= compressBytesMin
  const body = isCompressed ? await compressors[encoding](plain) : plain
  return { asOf, link, body, isCompressed }
}

/** Items that are serialized at once: at most this number, and about as many bytes. */
const sliceItemsMax = 100
const sliceBytes = 128 * 1024

/** The same bytes as of `JSON.stringify`, in slices. */
async function serialize(
  envelope: { readonly data: readonly object[] },
  rowBytes: number,
): Promise<Buffer> {
  const { data } = envelope
  const sliceItems = Math.min(sliceItemsMax, Math.ceil(sliceBytes / rowBytes))
  if (data.length <= sliceItems) return Buffer.from(JSON.stringify(envelope))
  const [before = '', after = ''] = JSON.stringify({ ...envelope, data: [] }).split('[]')
  const slices = [Buffer.from(`${before}[`)]
  const pace = new Pace()
  for (let from = 0; from < data.length; from += sliceItems) {
    const text = JSON.stringify(data.slice(from, from + sliceItems)).slice(1, -1)
    slices.push(Buffer.from(from === 0 ? text : `,${text}`))
    await pace.step(text.length)
  }
  return Buffer.concat([...slices, Buffer.from(`]${after}`)])
}

function nextLink(path: string, query: ListQuery, cursor: string): string {
  const parameters = new URLSearchParams(
    Object.entries({ ...query, cursor }).map(([name, value]) => [name, String(value)]),
  )
  return `<${path}?${parameters.toString()}>; rel="next"`
}

const compressBytesMin = 1024
const compressors = {
  gzip: (plain: Buffer) => promisify(gzip)(plain, { level: 1 }),
  zstd: (plain: Buffer) =>
    promisify(zstdCompress)(plain, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
}

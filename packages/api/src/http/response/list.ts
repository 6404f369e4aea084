import assert from 'node:assert/strict'
import { promisify } from 'node:util'
import { constants, gzip, zstdCompress } from 'node:zlib'

import { type Collection, isGranted, limits, type ListOperation } from '@muster/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { Failure } from '#domain/failure'
import type { AsOf, Listing } from '#domain/listing'

import type { Admission } from './admission.ts'
import { sendUnchanged } from './answer.ts'
import { type CompleteLists, sendSpool } from './complete.ts'
import type { CursorContext, CursorSeal } from './cursor.ts'
import type { Visitor } from './door.ts'
import { cacheable, collectionTag, reached } from './etag.ts'
import { formatsOf } from './format.ts'
import { chooseEncoding, type Encoding } from './negotiate.ts'

/** The parameters that every list has, beside its own filters. */
interface ListQuery {
  readonly limit?: number
  readonly cursor?: string
  readonly include?: readonly string[]
}

export interface ListTools {
  readonly admission: Admission
  readonly lists: CompleteLists
  readonly cursorSeal: () => Promise<CursorSeal>
}

interface ListAsk {
  readonly name: string
  readonly mediaType: string
  readonly query: ListQuery
  readonly visitor: Visitor
  readonly listing: Listing<object>
}

type Answer = (request: FastifyRequest, reply: FastifyReply, ask: ListAsk) => Promise<unknown>

/** Answers a list: not at all when the caller's copy is good, else a page of it, or all of it. */
export function listAnswerer(operation: ListOperation, tools: ListTools): Answer {
  return async (request, reply, ask) => {
    const { visitor, query, mediaType } = ask
    const extras = (query.include ?? []).filter((name) => name !== 'total_count')
    refuseExtras(operation, extras, visitor)
    const shown = shownIn(operation, extras)
    reply.type(mediaType)
    if (isTagged(operation)) {
      const tag = collectionTag(shown, visitor)
      if (sendUnchanged(request, reply, tag)) return reply
      reply.headers({ ...cacheable, etag: tag })
    } else reply.header('cache-control', 'no-store')

    const encoding = chooseEncoding(request.headers)
    if (query.limit !== undefined || query.cursor !== undefined) {
      if (mediaType !== 'application/json') throw onlyComplete(mediaType)
      const seal = await tools.cursorSeal()
      const path = request.url.split('?')[0] ?? ''
      return sendPage(reply, { ...ask, operation, shown, encoding, seal, path })
    }

    const format = formatsOf(operation, extras).find((each) => each.mediaType === mediaType)
    assert(format, 'a media type that was chosen has a format')
    const addHeaders = (asOf: AsOf) => {
      if (isTagged(operation)) reply.header('etag', collectionTag(shown, asOf))
      if (encoding !== 'identity') reply.header('content-encoding', encoding)
      if (format.fileName)
        reply.header('content-disposition', `attachment; filename="${format.fileName}"`)
    }
    if (request.method === 'HEAD') {
      // One item is enough for the status and the ETag. The length is not known, and is left out.
      const { asOf } = await ask.listing.page({ after: null, limit: 1, countMax: null })
      addHeaders(asOf)
      return reply.send()
    }
    const leave = tools.lists.enter(visitor.keyId)
    const hasTotal = query.include?.includes('total_count') ?? false
    const path = request.url.split('?')[0]
    const parts = [visitor.workspaceId, path, mediaType, encoding, JSON.stringify(query)]
    const of = { shown, items: itemsOf(operation) }
    const complete = { name: parts.join(' '), atLeast: visitor, of, encoding, hasTotal, format }
    try {
      await tools.lists.share({ ...complete, listing: ask.listing }, async (filled) => {
        addHeaders(filled.asOf)
        tools.admission.leave(request.raw)
        await sendSpool(reply, filled.spool)
      })
    } finally {
      leave()
    }
    return reply
  }
}

/** What follows the clock changes without a write: then its number validates nothing. */
const isTagged = ({ cache }: ListOperation) => cache === 'collection'

/** An extra may show what another scope guards. */
function refuseExtras({ includes }: ListOperation, extras: string[], { scopes }: Visitor): void {
  for (const name of extras) {
    const scope = includes[name]?.scope
    if (scope === undefined || isGranted(scopes, scope)) continue
    throw new Failure('insufficient_scope', `include=${name} needs ${scope}.`, {
      required_scope: scope,
      granted_scopes: scopes,
    })
  }
}

/** The collections that an answer shows something of. */
const shownIn = ({ collection, also, includes }: ListOperation, extras: readonly string[]) => [
  ...new Set([collection, ...also, ...extras.flatMap((name) => includes[name]?.collections ?? [])]),
]

/** The collections that the items of a list are of. */
const itemsOf = ({ collection, also }: ListOperation) => [collection, ...also]

const onlyComplete = (mediaType: string) =>
  new Failure('not_acceptable', `A page is JSON. For ${mediaType} leave out limit and cursor.`)

interface PageAsk extends ListAsk {
  readonly operation: ListOperation
  readonly shown: readonly Collection[]
  readonly encoding: Encoding
  readonly seal: CursorSeal
  readonly path: string
}

async function sendPage(reply: FastifyReply, ask: PageAsk): Promise<FastifyReply> {
  const { operation, seal, listing, shown } = ask
  const { limit = limits.page.default, cursor, include, ...filters } = ask.query
  const context: CursorContext = {
    workspaceId: ask.visitor.workspaceId,
    operation: `${ask.name} ${ask.path}`,
    query: filters,
  }
  const after = cursor === undefined ? null : seal.open(context, cursor)
  const countMax = include?.includes('total_count') ? limits.totalCountMax : null
  const { items, next, asOf, total } = await listing.page({ after, limit, countMax })
  const nextCursor = next && seal.seal(context, next)
  if (nextCursor !== null) reply.header('link', linkTo(ask.path, ask.query, nextCursor))
  if (isTagged(operation)) reply.header('etag', collectionTag(shown, asOf))
  const envelope = {
    as_of: reached(itemsOf(operation), asOf),
    data: items,
    ...(total !== undefined && { total_count: total }),
    count: items.length,
    next_cursor: nextCursor,
  }
  return sendText(reply, JSON.stringify(envelope), ask.encoding)
}

function linkTo(path: string, query: ListQuery, cursor: string): string {
  const parameters = new URLSearchParams(
    Object.entries({ ...query, cursor }).map(([name, value]) => [name, String(value)]),
  )
  return `<${path}?${parameters.toString()}>; rel="next"`
}

const worthCompressing = 1024
const compressors = {
  gzip: (text: string) => promisify(gzip)(text, { level: 1 }),
  zstd: (text: string) =>
    promisify(zstdCompress)(text, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
}

async function sendText(reply: FastifyReply, text: string, encoding: Encoding) {
  if (encoding === 'identity' || text.length < worthCompressing)
    return reply.send(Buffer.from(text))
  return reply.header('content-encoding', encoding).send(await compressors[encoding](text))
}

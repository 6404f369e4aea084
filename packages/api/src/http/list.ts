import assert from 'node:assert/strict'
import { promisify } from 'node:util'
import { constants, gzip, zstdCompress } from 'node:zlib'

import { limits, type ListOperation } from '@muster/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { Failure } from '#domain/failure'
import type { Listing } from '#domain/listing'

import { type CompleteLists, sendSpool } from './complete.ts'
import type { CursorContext, CursorSeal } from './cursor.ts'
import type { Visitor } from './door.ts'
import { cacheable, collectionTag, isFresh } from './etag.ts'
import { formatsOf } from './format.ts'
import { chooseEncoding, type Encoding } from './negotiate.ts'

/** The parameters that every list has, beside its own filters. */
interface ListQuery {
  readonly limit?: number
  readonly cursor?: string
  readonly include?: readonly string[]
}

export interface ListTools {
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
  const formats = new Map(formatsOf(operation).map((format) => [format.mediaType, format]))
  return async (request, reply, ask) => {
    const { visitor, query, mediaType } = ask
    const asOf = { epoch: visitor.epoch, number: visitor.numbers[operation.collection] }
    const tag = collectionTag(operation.collection, asOf)
    reply.type(mediaType).headers({ ...cacheable, etag: tag })
    if (isFresh(request.headers['if-none-match'], tag)) return reply.code(304).send()
    if (request.method === 'HEAD') return reply.send()

    const encoding = chooseEncoding(request.headers)
    if (query.limit !== undefined || query.cursor !== undefined) {
      if (mediaType !== 'application/json') throw onlyComplete(mediaType)
      return sendPage(reply, { ...ask, operation, encoding, seal: await tools.cursorSeal() })
    }

    const format = formats.get(mediaType)
    assert(format, 'a media type that was chosen has a format')
    const leave = tools.lists.enter(visitor.keyId)
    const hasTotal = query.include?.includes('total_count') ?? false
    const parts = [visitor.workspaceId, ask.name, mediaType, encoding, JSON.stringify(query)]
    const complete = { name: parts.join(' '), atLeast: asOf, encoding, hasTotal, format }
    try {
      await tools.lists.share({ ...complete, listing: ask.listing }, async (filled) => {
        reply.header('etag', collectionTag(operation.collection, filled.asOf))
        if (encoding !== 'identity') reply.header('content-encoding', encoding)
        if (format.fileName)
          reply.header('content-disposition', `attachment; filename="${format.fileName}"`)
        await sendSpool(reply, filled.spool)
      })
    } finally {
      leave()
    }
    return reply
  }
}

const onlyComplete = (mediaType: string) =>
  new Failure('not_acceptable', `A page is JSON. For ${mediaType} leave out limit and cursor.`)

interface PageAsk extends ListAsk {
  readonly operation: ListOperation
  readonly encoding: Encoding
  readonly seal: CursorSeal
}

async function sendPage(reply: FastifyReply, ask: PageAsk): Promise<FastifyReply> {
  const { operation, seal, listing } = ask
  const { limit = limits.page.default, cursor, include, ...filters } = ask.query
  const context: CursorContext = {
    workspaceId: ask.visitor.workspaceId,
    operation: ask.name,
    query: filters,
  }
  const after = cursor === undefined ? null : seal.open(context, cursor)
  const countMax = include?.includes('total_count') ? limits.totalCountMax : null
  const { items, next, asOf, total } = await listing.page({ after, limit, countMax })
  const nextCursor = next && seal.seal(context, next)
  if (nextCursor !== null) reply.header('link', linkTo(operation.path, ask.query, nextCursor))
  reply.header('etag', collectionTag(operation.collection, asOf))
  const envelope = {
    as_of: asOf.number,
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

import type { Collection, ListOperation } from '@muster/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { chooseEncoding } from '#http/request/negotiate'
import { pathOf } from '#http/request/query'
import { sendUnchanged } from '#http/response/answer'
import { cacheable, type ETags } from '#http/response/etag'

import { sendComplete } from './complete-response.ts'
import { sendFeed } from './feed.ts'
import { contentTypeOf, formatOf } from './format.ts'
import { contentOf } from './list-content.ts'
import { hasETag, itemsOf, type ListDependencies, type ListRequest } from './list-request.ts'
import { learnPage, sendPage } from './page.ts'
import { askedValues } from './unmatched.ts'

type ListResponder = (
  request: FastifyRequest,
  reply: FastifyReply,
  list: ListRequest,
) => Promise<unknown>

/** Responds to a list request with 304, a feed, a page, or the complete list. */
export function listResponder(
  operation: ListOperation,
  dependencies: ListDependencies,
): ListResponder {
  return async (request, reply, list) => {
    const { query, mediaType } = list
    const { columns, lookups, shown, scopes } = contentOf(operation, list)
    const format = formatOf(operation, mediaType, columns)
    reply.type(contentTypeOf(mediaType))
    const exchange = { request, reply }
    const path = pathOf(request.url)
    const encoding = chooseEncoding(request.headers)
    const extras = { lookups, asked: askedValues(operation, list) }
    const prepared = { ...list, operation, shown, scopes, encoding, path, format, extras }
    const isPage = query.limit !== undefined || query.cursor !== undefined
    if (hasETag(operation)) {
      // An export is recorded, and its columns depend on scopes. The fast path knows neither.
      if (isPage && !format.isExport) {
        learnPage(request, prepared, dependencies.pages)
      }
      const isSent = await sendIfUnchanged(exchange, { ...list, shown }, dependencies.tags)
      if (isSent) return reply
    } else reply.header('cache-control', 'no-store')

    if (query.after !== undefined) {
      const feed = { mediaType, items: itemsOf(operation), listing: list.listing() }
      return sendFeed(reply, { ...query, after: query.after }, feed)
    }
    if (isPage) return sendPage(reply, prepared, dependencies)
    return sendComplete(exchange, prepared, dependencies)
  }
}

/** Sends 304 and returns true, or sets the ETag that authentication has determined. */
async function sendIfUnchanged(
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { principal, shown }: Pick<ListRequest, 'principal'> & { readonly shown: readonly Collection[] },
  tags: ETags,
): Promise<boolean> {
  const tag = await tags.collection(principal, shown, principal)
  if (sendUnchanged(request, reply, tag)) return true
  reply.headers({ ...cacheable, etag: tag })
  return false
}

import type { ListOperation } from '@muster/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { chooseEncoding } from '#http/request/negotiate'
import { pathOf } from '#http/request/query'
import { sendUnchanged } from '#http/response/answer'
import { contentTypeOf } from '#http/response/csv-file'
import { atPoints, cacheable, type ETags } from '#http/response/etag'
import { locationOf } from '#http/response/recipe'

import { sendComplete } from './complete-response.ts'
import { sendFeed } from './feed.ts'
import { formatOf } from './format.ts'
import { contentOf } from './list-content.ts'
import {
  hasETag,
  itemsOf,
  type ListDependencies,
  type ListRequest,
  type PreparedList,
} from './list-request.ts'
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
      // A date is resolved again each time.
      const isFixed = list.points?.areGiven ?? true
      if (isPage && isFixed && !format.isExport) {
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
  { principal, points, shown }: Pick<PreparedList, 'principal' | 'points' | 'shown'>,
  tags: ETags,
): Promise<boolean> {
  const tag = await tags.collection(principal, shown, atPoints(principal, points?.numbers))
  reply.headers({ ...locationOf(points) })
  if (sendUnchanged(request, reply, { tag, points })) return true
  reply.headers({ ...cacheable, etag: tag })
  return false
}

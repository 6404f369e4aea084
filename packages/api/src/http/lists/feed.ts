import assert from 'node:assert/strict'

import { type Collection, limits } from '@muster/contract'
import type { FastifyReply } from 'fastify'

import { Failure } from '#domain/engine/failure'
import type { FeedPage, Listing } from '#domain/engine/listing'
import { csvType } from '#http/response/csv-file'
import { sequenceOf } from '#http/response/etag'

/** The parameters of a request that follows a list. */
interface FeedQuery {
  readonly after: string
  readonly limit?: number
}

interface Feed {
  readonly mediaType: string
  /** The collections of the items. */
  readonly items: readonly Collection[]
  readonly listing: Listing<object>
}

/** Sends the items after a position, in the order of their commits, and the position to continue. */
export async function sendFeed(
  reply: FastifyReply,
  { after, limit = limits.page.default, ...others }: FeedQuery,
  { mediaType, items, listing }: Feed,
): Promise<FastifyReply> {
  const [other] = Object.entries(others).flatMap(([name, value]) =>
    value === undefined ? [] : name,
  )
  if (other !== undefined) {
    const detail = `\`after\` cannot be combined with \`${other}\`. Filter the entries yourself.`
    throw new Failure('invalid_parameter', detail)
  }
  if (mediaType === csvType)
    throw new Failure('not_acceptable', 'With `after`, the response is JSON or NDJSON.')
  assert(listing.follow, 'a list with the parameter `after` can be followed')
  const page = await listing.follow({ after, limit })
  const asOf = sequenceOf(items, page.asOf)
  const body = mediaType === 'application/json' ? jsonOf(page, asOf) : ndjsonOf(page, asOf)
  return reply.send(Buffer.from(body))
}

const jsonOf = ({ items, position, hasMore }: FeedPage<object>, asOf: number) =>
  JSON.stringify({
    as_of: asOf,
    data: items,
    count: items.length,
    next_cursor: null,
    position,
    has_more: hasMore,
  })

/** The last line has the position, so a truncated body is recognisable. */
const ndjsonOf = ({ items, position, hasMore }: FeedPage<object>, asOf: number) => {
  const end = { count: items.length, as_of: asOf, position, has_more: hasMore }
  return [...items, { _end: end }].map((line) => `${JSON.stringify(line)}\n`).join('')
}

import type { Operation } from '@muster/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Visitor } from './door.ts'
import { cacheable, collectionTag, isFresh, isNamed, itemTag, revisionTag } from './etag.ts'

interface Answer {
  readonly operation: Operation
  readonly visitor: Visitor
  readonly result: object
  readonly isReplay: boolean
}

/**
 * Sends one resource. Its headers follow from the operation, the first time and at a replay alike.
 */
export function sendResult(request: FastifyRequest, reply: FastifyReply, answer: Answer) {
  const { operation, result, isReplay } = answer
  const tag = tagOf(answer)
  reply.code(operation.status).type('application/json')
  reply.headers(tag === null ? { 'cache-control': 'no-store' } : { ...cacheable, etag: tag })
  if (operation.status === 201 && 'id' in result) {
    // What replaces a key stands beside it.
    const place = request.url.split('?')[0]?.replace(/\/[^/]+\/rotate$/, '')
    reply.header('location', `${place}/${String(result.id)}`)
  }
  if (isReplay) reply.header('idempotent-replayed', 'true')
  const isRead = operation.method === 'GET'
  if (isRead && tag !== null && isFresh(request.headers['if-none-match'], tag)) {
    return reply.code(304).send()
  }
  return reply.send(Buffer.from(JSON.stringify(inOrder(operation.response, result))))
}

function tagOf({ operation, visitor, result }: Answer): string | null {
  const { collection } = operation
  if (collection !== undefined && 'as_of' in result) {
    const numbers = { ...visitor.numbers, [collection]: Number(result.as_of) }
    return collectionTag([collection], { epoch: visitor.epoch, numbers })
  }
  if (operation.cache === 'revision') return revisionTag
  if (operation.cache === 'version' && 'version' in result) {
    return itemTag(visitor.epoch, Number(result.version))
  }
  return null
}

/** The tag that an answer has if nothing changes any more; null when authentication cannot know. */
export function expectedTag({ collection, cache }: Operation, visitor: Visitor): string | null {
  if (cache === 'revision') return revisionTag
  return collection === undefined ? null : collectionTag([collection], visitor)
}

/**
 * Answers 304 when the caller's copy has this tag, and says whether it did. The tag is known from
 * authentication, so nothing was read for it: a caller that named the tag gets the request back.
 */
export function sendUnchanged(request: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  const sent = request.headers['if-none-match']
  if (!isFresh(sent, tag)) return false
  request.isRefundable = isNamed(sent, tag)
  reply
    .code(304)
    .headers({ ...cacheable, etag: tag })
    .send()
  return true
}

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
}

/**
 * The members in the order of the contract. A resource has the same bytes however it came about:
 * its ETag is strong.
 */
function inOrder({ properties, items }: Shape, value: unknown): unknown {
  if (Array.isArray(value)) return items ? value.map((each) => inOrder(items, each)) : value
  if (properties === undefined || typeof value !== 'object' || value === null) return value
  const given = value as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => name in given)
      .map(([name, shape]) => [name, inOrder(shape, given[name])]),
  )
}

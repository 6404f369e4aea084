import type { Operation } from '@muster/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Visitor } from './door.ts'
import { cacheable, isFresh, itemTag, revisionTag } from './etag.ts'

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
    reply.header('location', `${request.url.split('?')[0]}/${String(result.id)}`)
  }
  if (isReplay) reply.header('idempotent-replayed', 'true')
  const isRead = operation.method === 'GET'
  if (isRead && tag !== null && isFresh(request.headers['if-none-match'], tag)) {
    return reply.code(304).send()
  }
  return reply.send(Buffer.from(JSON.stringify(result)))
}

function tagOf({ operation, visitor, result }: Answer): string | null {
  if (operation.cache === 'revision') return revisionTag
  if (operation.cache === 'version' && 'version' in result) {
    return itemTag(visitor.epoch, Number(result.version))
  }
  return null
}

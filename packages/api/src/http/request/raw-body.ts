import type { IncomingMessage } from 'node:http'

import type { FastifyRequest } from 'fastify'

import { Failure } from '#domain/engine/failure'

/**
 * The bytes that the body of a request can have: Content-Length, or the limit of its route
 * for a chunked body. 0 without a body, and for a body that is refused unread because it is too
 * large.
 */
export function announcedBytesOf(request: FastifyRequest): number {
  const { headers, raw, routeOptions } = request
  const limit = routeOptions.bodyLimit
  if (raw.headers['transfer-encoding'] !== undefined) return limit
  const length = Number(headers['content-length'] ?? 0)
  return length > limit ? 0 : length
}

/**
 * Reads a body into one buffer of the announced size. Fastify would keep each chunk and then join
 * them: twice the memory, and a hundred times as much when the client sends chunks of one byte. The
 * operating system provides the pages of a buffer when they are written, so bytes that never arrive
 * take no memory.
 */
export function readRawBody(
  request: FastifyRequest,
  payload: IncomingMessage,
  done: (error: Error | null, body?: Buffer) => void,
): void {
  if (Number(request.headers['content-length']) > request.routeOptions.bodyLimit) {
    done(tooLarge(request))
    return
  }
  const body = Buffer.allocUnsafe(announcedBytesOf(request))
  let received = 0
  const onData = (chunk: Buffer) => {
    if (received + chunk.length > body.length) end(tooLarge(request))
    else received += chunk.copy(body, received)
  }
  const onEnd = () => end(null)
  const end = (error: Error | null) => {
    payload.off('data', onData).off('end', onEnd).off('error', end)
    done(error, body.subarray(0, received))
  }
  payload.on('data', onData).on('end', onEnd).on('error', end)
}

const tooLarge = ({ routeOptions }: FastifyRequest) =>
  new Failure(
    'body_too_large',
    `A body of this operation has at most ${routeOptions.bodyLimit} bytes.`,
  )

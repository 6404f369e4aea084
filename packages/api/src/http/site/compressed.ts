import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, gzip, zstdCompress } from 'node:zlib'

import type { FastifyReply, FastifyRequest } from 'fastify'

import { chooseEncoding, type Encoding } from '#http/request/negotiate'
import { isFresh } from '#http/response/etag'

/**
 * The result is sent many times, so the smallest one is worth its time. Without the size of the
 * content, zstd prepares tables for 8 MiB, and clearing them blocks the event loop.
 */
const compressors = {
  gzip: (content: Buffer) => promisify(gzip)(content, { level: 9 }),
  zstd: (content: Buffer) =>
    promisify(zstdCompress)(content, {
      pledgedSrcSize: content.length,
      params: { [constants.ZSTD_c_compressionLevel]: 19 },
    }),
}

type Send = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/**
 * Sends one file in the encoding that the client prefers. It is read and compressed on its first
 * request, once for each encoding: most processes never serve most files.
 */
export function compressed(read: () => Buffer | Promise<Buffer>): Send {
  const bodies: Partial<Record<Encoding, Promise<Buffer>>> = {}
  let content: Promise<{ readonly bytes: Buffer; readonly tag: string }> | null = null
  return async ({ headers }, reply) => {
    content ??= Promise.resolve(read()).then((bytes) => ({ bytes, tag: tagOf(bytes) }))
    content.catch(() => (content = null))
    const { bytes, tag } = await content
    reply.headers({ vary: 'Accept-Encoding', etag: tag })
    if (isFresh(headers['if-none-match'], tag)) return reply.code(304).send()
    const encoding = chooseEncoding(headers)
    if (encoding === 'identity') return reply.send(bytes)
    bodies[encoding] ??= compressors[encoding](bytes)
    return reply.header('content-encoding', encoding).send(await bodies[encoding])
  }
}

/** Weak: the bytes of a file depend on the encoding. */
const tagOf = (bytes: Buffer) =>
  `W/"${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}"`

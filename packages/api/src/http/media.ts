import { MIMEType } from 'node:util'

import type { FastifyRequest } from 'fastify'

import { Failure } from '#domain/failure'

/** A body is plain JSON in UTF-8. What else a sender may call it is refused, not guessed. */
export function checkBodyType({ headers, raw, method }: FastifyRequest): void {
  const hasBody =
    raw.headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
  if (!hasBody || method === 'GET' || method === 'HEAD') return
  const { 'content-type': type, 'content-encoding': encoding } = headers
  if (encoding !== undefined) {
    throw new Failure('unsupported_media_type', 'The body must not be compressed.')
  }
  if (type === undefined) throw new Failure('unsupported_media_type', 'There is no Content-Type.')
  if (!isJson(type)) throw new Failure('unsupported_media_type')
}

function isJson(type: string): boolean {
  try {
    const { essence, params } = new MIMEType(type)
    const charset = params.get('charset') ?? 'utf-8'
    return essence === 'application/json' && charset.toLowerCase() === 'utf-8'
  } catch {
    return false
  }
}

import { MIMEType } from 'node:util'

import type { Operation } from '@muster/contract'
import type { FastifyRequest } from 'fastify'

import { Failure } from '#domain/engine/failure'

const json = 'application/json'
const csv = 'text/csv'

/** The media types of the body of an operation, always in UTF-8. */
export function bodyTypesOf(operation: Operation): string[] {
  if (operation.isMergePatch === true) return [json, 'application/merge-patch+json']
  return operation.rows ? [json, csv] : [json]
}

/** Refuses any other media type, charset or content coding instead of guessing. */
export function checkBodyType(request: FastifyRequest): void {
  const { headers, raw, method } = request
  const hasBody =
    raw.headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
  if (!hasBody || method === 'GET' || method === 'HEAD') return
  const { 'content-type': type, 'content-encoding': encoding } = headers
  if (encoding !== undefined) {
    throw new Failure('unsupported_media_type', 'The body must not be compressed.')
  }
  if (type === undefined) throw new Failure('unsupported_media_type', 'Send a Content-Type header.')
  const { bodyTypes = [json] } = request.routeOptions.config
  if (bodyTypes.includes(essenceOf(type) ?? '')) return
  throw new Failure('unsupported_media_type', `The body must be ${bodyTypes.join(' or ')}.`)
}

export const isCsv = ({ headers }: FastifyRequest) =>
  essenceOf(headers['content-type'] ?? '') === csv

/** The media type without parameters; null when it is invalid, or its charset is not UTF-8. */
function essenceOf(type: string): string | null {
  try {
    const { essence, params } = new MIMEType(type)
    const charset = params.get('charset') ?? 'utf-8'
    return charset.toLowerCase() === 'utf-8' ? essence : null
  } catch {
    return null
  }
}

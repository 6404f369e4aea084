import { MIMEType } from 'node:util'

import { isMergePatch, type Operation } from '@muster/contract'
import type { FastifyRequest } from 'fastify'

import { Failure } from '#domain/failure'

const json = 'application/json'
const csv = 'text/csv'

/** What the body of an operation may be called: plain UTF-8 in every case. */
export function bodyTypesOf(operation: Operation): string[] {
  if (isMergePatch(operation)) return [json, 'application/merge-patch+json']
  return operation.rows ? [json, csv] : [json]
}

/** What else a sender may call it is refused, not guessed. */
export function checkBodyType(request: FastifyRequest): void {
  const { headers, raw, method } = request
  const hasBody =
    raw.headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
  if (!hasBody || method === 'GET' || method === 'HEAD') return
  const { 'content-type': type, 'content-encoding': encoding } = headers
  if (encoding !== undefined) {
    throw new Failure('unsupported_media_type', 'The body must not be compressed.')
  }
  if (type === undefined) throw new Failure('unsupported_media_type', 'There is no Content-Type.')
  const { bodyTypes = [json] } = request.routeOptions.config
  if (bodyTypes.includes(essenceOf(type) ?? '')) return
  throw new Failure('unsupported_media_type', `The body must be ${bodyTypes.join(' or ')}.`)
}

export const isCsv = ({ headers }: FastifyRequest) =>
  essenceOf(headers['content-type'] ?? '') === csv

/** The type without its parameters; null when it is none, or of another character set. */
function essenceOf(type: string): string | null {
  try {
    const { essence, params } = new MIMEType(type)
    const charset = params.get('charset') ?? 'utf-8'
    return charset.toLowerCase() === 'utf-8' ? essence : null
  } catch {
    return null
  }
}

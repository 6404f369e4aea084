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
  refuseHeaderless(type)
  if (bodyTypes.includes(essenceOf(type) ?? '')) return
  throw new Failure('unsupported_media_type', `The body must be ${bodyTypes.join(' or ')}.`)
}

export const isCsv = ({ headers }: FastifyRequest) =>
  essenceOf(headers['content-type'] ?? '') === csv

/** The header row names the columns, so CSV without one cannot be read. */
function refuseHeaderless(type: string): void {
  const parsed = parse(type)
  if (parsed?.essence !== csv || parsed.params.get('header')?.toLowerCase() !== 'absent') return
  throw new Failure('unsupported_media_type', 'CSV must have a header row: omit header=absent.')
}

/** The media type without parameters; null when it is invalid, or its charset is not UTF-8. */
function essenceOf(type: string): string | null {
  const parsed = parse(type)
  const charset = parsed?.params.get('charset') ?? 'utf-8'
  return charset.toLowerCase() === 'utf-8' ? (parsed?.essence ?? null) : null
}

function parse(type: string): MIMEType | null {
  try {
    return new MIMEType(type)
  } catch {
    return null
  }
}

import type { IncomingHttpHeaders } from 'node:http'

import Negotiator from 'negotiator'

import { Failure } from '#domain/engine/failure'

/** Content negotiation: the offered media type that the client prefers; by default the first. */
export function chooseType(headers: IncomingHttpHeaders, offered: readonly string[]): string {
  const { accept = '*/*' } = headers
  if (accept === '*/*' && offered[0] !== undefined) return offered[0]
  const type = new Negotiator({ headers }).mediaType([...offered])
  if (type !== undefined) return type
  throw new Failure('not_acceptable', `Available media types: ${offered.join(', ')}.`, { offered })
}

/** Whether the client is a browser that opens a page: it names HTML before JSON. */
export const prefersHtml = (headers: IncomingHttpHeaders) =>
  headers.accept !== undefined &&
  new Negotiator({ headers }).mediaType(['application/json', 'text/html']) === 'text/html'

export type Encoding = 'zstd' | 'gzip' | 'identity'

const preferred = ['zstd', 'gzip', 'identity'] as const

/** zstd is both faster and smaller than gzip, so it comes first. */
export function chooseEncoding(headers: IncomingHttpHeaders): Encoding {
  if (headers['accept-encoding'] === undefined) return 'identity'
  const accepted = new Set(new Negotiator({ headers }).encodings([...preferred]))
  return preferred.find((encoding) => accepted.has(encoding)) ?? 'identity'
}

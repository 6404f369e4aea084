import type { IncomingHttpHeaders } from 'node:http'

import Negotiator from 'negotiator'

import { Failure } from '#domain/failure'

/** The best of the offered media types for the caller; the first when anything will do. */
export function chooseType(headers: IncomingHttpHeaders, offered: readonly string[]): string {
  const type = new Negotiator({ headers }).mediaType([...offered])
  if (type !== undefined) return type
  throw new Failure('not_acceptable', `This answers ${offered.join(', ')}.`, { offered })
}

export type Encoding = 'zstd' | 'gzip' | 'identity'

const preferred = ['zstd', 'gzip', 'identity'] as const

/** zstd is both the fastest and the smallest; gzip is for everyone else. */
export function chooseEncoding(headers: IncomingHttpHeaders): Encoding {
  if (headers['accept-encoding'] === undefined) return 'identity'
  const accepted = new Set(new Negotiator({ headers }).encodings([...preferred]))
  return preferred.find((encoding) => accepted.has(encoding)) ?? 'identity'
}

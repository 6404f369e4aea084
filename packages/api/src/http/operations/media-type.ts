import { listFormats } from '@muster/contract'
import type { FastifyRequest } from 'fastify'

import { chooseType } from '#http/request/negotiate'

/** The parameter `format` stands for an `Accept` header. */
export function mediaTypeFor(
  { format }: Readonly<Record<string, unknown>>,
  { headers }: FastifyRequest,
  offered: readonly string[],
): string {
  // The cast holds because the query is validated.
  if (format !== undefined) return listFormats[format as keyof typeof listFormats]
  return chooseType(headers, offered)
}

import type { FastifyRequest } from 'fastify'

import { networkPrefix } from '#domain/auth/addresses'
import type { Origin } from '#domain/engine/caller'

const userAgentMax = 200

/** The client of a request, for the audit log. */
export const originOf = (request: FastifyRequest): Origin => ({
  network: networkPrefix(request.ip),
  userAgent: userAgentOf(request),
})

/** The User-Agent header without control characters; null if there is none. */
export function userAgentOf({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const userAgent = (headers['user-agent'] ?? '').replaceAll(/\p{Cc}/gu, '').trim()
  return userAgent.slice(0, userAgentMax) || null
}

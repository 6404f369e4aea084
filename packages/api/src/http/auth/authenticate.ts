import { type Access, isGranted } from '@muster/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { type Door, readCredential } from '#domain/door'
import { Failure } from '#domain/failure'

import { sessionIn } from './cookie.ts'
import type { Throttle } from './throttle.ts'

/** Who is asking, as the door found out. */
export type Visitor = Awaited<ReturnType<Door['open']>>

declare module 'fastify' {
  interface FastifyRequest {
    visitor: Visitor | null
  }
  interface FastifyContextConfig {
    isHealthCheck?: boolean
    /** `noun.verb`, for logs and metrics. */
    operation?: string
    scope?: Access
    /** What a body may be called. */
    bodyTypes?: readonly string[]
  }
}

/**
 * Checks the key, or the session that stands for it, how often it asks, and its scope before
 * anything else looks at the request.
 */
export function guard(app: FastifyInstance, throttle: Throttle): void {
  app.decorateRequest('visitor', null)
  app.addHook('onRequest', async (request, reply) => {
    const { scope } = request.routeOptions.config
    if (scope === undefined) return
    if (request.url.includes('muster_key_')) throw new Failure('key_in_url')
    if (scope === 'none') return
    const session = sessionIn(request)
    const visitor = await throttle.admit(request, reply, () =>
      session === null
        ? readCredential(bearerToken(request), 'key')
        : readCredential(session, 'session'),
    )
    reply.headers(successionOf(visitor))
    if (isGranted(visitor.scopes, scope)) return
    throw new Failure('insufficient_scope', `This needs ${scope}, which the key does not hold.`, {
      required_scope: scope,
      granted_scopes: visitor.scopes,
    })
  })
}

/** A key that was rotated says in every answer since when, and until when (RFC 9745, RFC 8594). */
function successionOf({ rotatedAt, expiresAt }: Visitor): Record<string, string> {
  if (rotatedAt === null || expiresAt === null) return {}
  return {
    deprecation: `@${Math.floor(Date.parse(rotatedAt) / 1000)}`,
    sunset: new Date(expiresAt).toUTCString(),
  }
}

function bearerToken({ headers, raw }: FastifyRequest): string {
  const sent = raw.rawHeaders.filter((name, index) => index % 2 === 0 && isAuthorization(name))
  if (sent.length > 1) throw new Failure('ambiguous_credentials')
  const [scheme, token, ...rest] = (headers.authorization ?? '').split(' ')
  if (scheme?.toLowerCase() !== 'bearer') throw new Failure('missing_credentials')
  if (!token || rest.length > 0) throw new Failure('malformed_key')
  return token
}

const isAuthorization = (name: string) => name.toLowerCase() === 'authorization'

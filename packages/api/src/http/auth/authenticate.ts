/** Authentication of a request: its key or session, then its rate limits, then its scope. */

import type { IncomingMessage } from 'node:http'

import { type Access, isGranted, type Operation } from '@muster/contract'
import type { FastifyInstance } from 'fastify'

import type { Principal } from '#domain/auth/authenticate'
import { Failure } from '#domain/engine/failure'

import { credentialIn } from './credential.ts'
import type { RateLimiter } from './rate-limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null
  }
  interface FastifyContextConfig {
    isHealthCheck?: boolean
    /** `noun.verb`, for logs and metrics. */
    operation?: string
    scope?: Access
    /** Whether authentication reads what `whoami` shows. */
    isDetailed?: boolean
    /** The rule of the operation for sessions. */
    sessionRule?: Operation['session']
    /** The media types that the body may have. */
    bodyTypes?: readonly string[]
  }
}

interface AuthenticationDependencies {
  readonly rateLimiter: RateLimiter
  /** Moves a request from the line of its network to that of its workspace. */
  readonly arrivals: {
    move(request: IncomingMessage, workspaceId: string): Promise<void> | null
  }
}

/**
 * Adds authentication and authorization to every route with a scope. The hook checks the key or the
 * session, its rate limits and its scope before anything else reads the request.
 */
export function addAuthentication(
  app: FastifyInstance,
  { rateLimiter, arrivals }: AuthenticationDependencies,
): void {
  app.decorateRequest('principal', null)
  app.addHook('onRequest', async (request, reply) => {
    const { scope } = request.routeOptions.config
    if (scope === undefined) return
    if (request.url.includes('muster_key_')) throw new Failure('key_in_url')
    if (scope === 'none') return
    const principal = await rateLimiter.admit(request, reply, () => credentialIn(request.raw))
    await arrivals.move(request.raw, principal.workspaceId)
    reply.headers(deprecationHeaders(principal))
    if (scope === 'person' && principal.userId === null) throw new Failure('not_a_person')
    refuseWithoutScope(principal, scope)
    refuseSession(principal, request.routeOptions.config.sessionRule)
  })
}

function refuseWithoutScope({ scopes }: Principal, scope: Access): void {
  if (isGranted(scopes, scope)) return
  throw new Failure('insufficient_scope', `This operation requires the scope ${scope}.`, {
    required_scope: scope,
    granted_scopes: scopes,
  })
}

/** Operations that give access need a session that was authenticated recently, or a key. */
function refuseSession({ type, session }: Principal, rule: Operation['session']): void {
  if (rule === undefined) return
  if (rule === 'only' && (session === null || type === 'key')) throw new Failure('session_required')
  if (session !== null && !session.isRecent) throw new Failure('reauthentication_required')
}

/** The Deprecation (RFC 9745) and Sunset (RFC 8594) headers of a key that was rotated. */
function deprecationHeaders({ rotatedAt, expiresAt }: Principal): Record<string, string> {
  if (rotatedAt === null || expiresAt === null) return {}
  return {
    deprecation: `@${Math.floor(Date.parse(rotatedAt) / 1000)}`,
    sunset: new Date(expiresAt).toUTCString(),
  }
}

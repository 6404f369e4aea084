/** Authentication of a request: its key or session, then its rate limits, then its scope. */

import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'

import { type Access, isGranted, type Operation } from '@muster/contract'
import type { FastifyContextConfig, FastifyInstance } from 'fastify'

import type { Principal } from '#domain/auth/authenticate'
import { Failure } from '#domain/engine/failure'

import { credentialIn } from './credential.ts'
import { applyOutcome, type Outcome, outcomeOf } from './outcome.ts'
import type { RateLimiter, RequestClient } from './rate-limits.ts'

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

type RouteConfig = Readonly<FastifyContextConfig>

/** Whether a route requires a key or a session. */
export const isAuthenticated = ({ scope = 'none' }: RouteConfig) => scope !== 'none'

/**
 * Authenticates and authorizes a request before Fastify handles it: its key or its session, its
 * rate limits, then its scope.
 */
export async function authenticate(
  rateLimiter: Pick<RateLimiter, 'admit'>,
  client: RequestClient,
  { message, config }: { readonly message: IncomingMessage; readonly config: RouteConfig },
): Promise<Outcome> {
  const { operation = null, isDetailed = false } = config
  const read = () => credentialIn(message)
  const outcome = await rateLimiter.admit(client, { read, isDetailed, isSignIn: false })
  outcome.operation = operation
  const { principal, refusal } = outcome
  if (principal === null || refusal !== null) return outcome
  outcome.headers(deprecationHeaders(principal))
  outcome.refusal = refusalOf(principal, config)
  return outcome
}

/**
 * Adds authentication and authorization to every route: the hook reads the outcome. It fails if
 * Fastify found another route than the one that the caller may use.
 */
export function addAuthentication(app: FastifyInstance): void {
  app.decorateRequest('principal', null)
  app.addHook('onRequest', (request, reply, done) => {
    const { config } = request.routeOptions
    const outcome = outcomeOf(request.raw)
    applyOutcome(request, reply, outcome)
    const operation = isAuthenticated(config) ? config.operation : null
    assert.equal(outcome.operation, operation, 'the request is authenticated for its route')
    done()
  })
}

/** Why the principal may not use the route; null if it may. */
function refusalOf(principal: Principal, config: RouteConfig): Failure | null {
  const { scope = 'none', sessionRule } = config
  if (scope === 'person' && principal.userId === null) return new Failure('not_a_person')
  return refusalOfScope(principal, scope) ?? refusalOfSession(principal, sessionRule)
}

function refusalOfScope({ scopes }: Principal, scope: Access): Failure | null {
  if (isGranted(scopes, scope)) return null
  return new Failure('insufficient_scope', `This operation requires the scope ${scope}.`, {
    required_scope: scope,
    granted_scopes: scopes,
  })
}

/** Operations that give access need a session that was authenticated recently, or a key. */
function refusalOfSession(
  { type, session }: Principal,
  rule: Operation['session'],
): Failure | null {
  if (rule === undefined) return null
  if (rule === 'only' && (session === null || type === 'key'))
    return new Failure('session_required')
  const isOld = session !== null && !session.isRecent
  return isOld ? new Failure('reauthentication_required') : null
}

/** The Deprecation (RFC 9745) and Sunset (RFC 8594) headers of a key that was rotated. */
function deprecationHeaders({ rotatedAt, expiresAt }: Principal): Record<string, string> {
  if (rotatedAt === null || expiresAt === null) return {}
  return {
    deprecation: `@${Math.floor(Date.parse(rotatedAt) / 1000)}`,
    sunset: new Date(expiresAt).toUTCString(),
  }
}

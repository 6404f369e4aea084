import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'

import { readCredential } from '#domain/auth/authenticate'
import type { SessionManager } from '#domain/auth/sessions'
import { readToken } from '#domain/auth/token'
import { Failure } from '#domain/engine/failure'
import { inputReader } from '#http/request/input'
import { chooseType } from '#http/request/negotiate'

import { expiredCookie, isFromConsole, sessionCookie, sessionIn } from './cookie.ts'
import type { RateLimiter } from './rate-limits.ts'

const SignIn = Type.Object(
  { key: Type.String({ maxLength: 200 }) },
  { additionalProperties: false },
)

interface SessionDependencies {
  readonly sessions: SessionManager
  readonly rateLimiter: RateLimiter
}

/**
 * Sign-in and sign-out of the console with a session cookie. These routes are not operations of the
 * contract, because other clients send their API key in each request.
 */
export function addSession(app: FastifyInstance, dependencies: SessionDependencies): void {
  const { sessions, rateLimiter } = dependencies
  const readSignIn = inputReader({ method: 'POST', body: SignIn })
  const readSignOut = inputReader({ method: 'DELETE' })
  const noStore = { 'cache-control': 'no-store' }
  app.route({
    method: 'POST',
    url: '/session',
    config: { operation: 'session.start', scope: 'none' },
    onRequest: refuseCrossSite,
    handler: async (request, reply) => {
      chooseType(request.headers, ['application/json'])
      // The cast holds because the body was checked against this schema.
      const { key } = readSignIn(request).body as Static<typeof SignIn>
      const previousSession = storedSession(request)
      const principal = await rateLimiter.admit(request, reply, () => readCredential(key, 'key'))
      const { token, days, expires_at } = await sessions.start(principal)
      if (previousSession !== null) await sessions.end(previousSession)
      return reply
        .code(201)
        .headers({ ...noStore, 'set-cookie': sessionCookie(token, days) })
        .type('application/json')
        .send(Buffer.from(JSON.stringify({ expires_at })))
    },
  })
  app.route({
    method: 'DELETE',
    url: '/session',
    config: { operation: 'session.end', scope: 'none' },
    onRequest: refuseCrossSite,
    handler: async (request, reply) => {
      readSignOut(request)
      const session = storedSession(request)
      if (session !== null) {
        await rateLimiter.attempt(request, reply, { ...session, work: () => sessions.end(session) })
      }
      return reply
        .code(204)
        .headers({ ...noStore, 'set-cookie': expiredCookie })
        .send()
    },
  })
}

/** The stored form of the session token; null without a cookie, or when its checksum is wrong. */
function storedSession(request: FastifyRequest) {
  const token = sessionIn(request)
  return token === null ? null : readToken(token, 'session')
}

/** CSRF protection: another site cannot sign a user in or out. */
async function refuseCrossSite(request: FastifyRequest): Promise<void> {
  if (isFromConsole(request)) return
  const requiredHeaders = '`Sec-Fetch-Site: same-origin` and `Muster-Console: 1`'
  throw new Failure(
    'bad_header',
    `Only the console can use this path. It sends ${requiredHeaders}.`,
  )
}

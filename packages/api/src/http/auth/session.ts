import assert from 'node:assert/strict'

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import { readCredential } from '#domain/auth/authenticate'
import type { SessionManager } from '#domain/auth/sessions'
import { readToken } from '#domain/auth/token'
import { Failure } from '#domain/engine/failure'
import { inputReader } from '#http/request/input'
import { chooseType } from '#http/request/negotiate'

import {
  expiredCookie,
  previousSession,
  refuseCrossSite,
  sessionCookie,
  sessionIn,
} from './cookie.ts'
import { bearerToken } from './credential.ts'
import { originOf } from './origin.ts'
import { applyOutcome } from './outcome.ts'
import type { RateLimiter } from './rate-limits.ts'
import type { SignInCounter } from './sign-in-metrics.ts'

/** The key is in `Authorization`. */
const nothing = Type.Object({}, { additionalProperties: false })

interface SessionDependencies {
  readonly sessions: SessionManager
  readonly rateLimiter: RateLimiter
  readonly signIns: SignInCounter
}

/**
 * Sign-in and sign-out of the console with a session cookie. These routes are not operations of the
 * contract, because other clients send their API key in each request.
 */
export function addSession(app: FastifyInstance, dependencies: SessionDependencies): void {
  const { sessions, rateLimiter, signIns } = dependencies
  const readSignIn = inputReader({ method: 'POST', body: nothing })
  const readSignOut = inputReader({ method: 'DELETE' })
  const noStore = { 'cache-control': 'no-store' }
  app.route({
    method: 'POST',
    url: '/session',
    config: { operation: 'session.start', scope: 'none' },
    onRequest: refuseCrossSite,
    handler: async (request, reply) => {
      chooseType(request.headers, ['application/json'])
      await readSignIn(request)
      const previous = previousSession(request)
      const started = await signIns.count('key', async () => {
        const read = () => readCredential(bearerToken(request.raw), 'key')
        const asked = { read, isDetailed: false, isSignIn: true }
        applyOutcome(request, reply, await rateLimiter.admit(request, asked))
        const { keyId, workspaceId } = request.principal ?? {}
        assert(keyId && workspaceId, 'an API key authenticates as a key')
        return sessions.start({ workspaceId, keyId }, originOf(request))
      })
      if (started === null) throw new Failure('unknown_key')
      const { token, days, expires_at } = started
      if (previous !== null) await sessions.end(previous, originOf(request))
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
      await readSignOut(request)
      const session = storedSession(request)
      if (session !== null) {
        const work = async () => (await sessions.end(session, originOf(request))) || null
        await rateLimiter.attempt(request, reply, { ...session, problem: 'session_ended', work })
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

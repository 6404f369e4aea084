import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'

import type { SessionManager } from '#domain/auth/sessions'
import type { SignInAttempts } from '#domain/auth/sign-in-attempts'
import { Failure } from '#domain/engine/failure'
import { inputReader } from '#http/request/input'
import { chooseType } from '#http/request/negotiate'

import { refuseCrossSite } from './cookie.ts'
import type { RateLimiter } from './rate-limits.ts'
import type { SignInCounter } from './sign-in-metrics.ts'
import { attemptWith, placeOf } from './sign-in-request.ts'
import {
  namedWorkspaceOf,
  sendJson,
  sendSession,
  unknownWorkspace,
  workspaceParams,
} from './sign-in-response.ts'

interface SignInDependencies {
  readonly signInAttempts: SignInAttempts
  readonly sessions: SessionManager
  readonly rateLimiter: RateLimiter
  readonly signIns: SignInCounter
}

const LinkToken = Type.Object(
  { token: Type.String({ maxLength: 200 }) },
  { additionalProperties: false },
)

/**
 * The sign-in page of a workspace, without its HTML: what the page shows, and the preview of a
 * one-time link and the sign-in with it. These routes are not operations of the contract, because
 * only the console uses them.
 */
export function addPersonSignIn(app: FastifyInstance, dependencies: SignInDependencies): void {
  addSignInMethods(app, dependencies)
  addLinkPreview(app, dependencies)
  addLinkSignIn(app, dependencies)
}

function addSignInMethods(
  app: FastifyInstance,
  { signInAttempts, rateLimiter }: SignInDependencies,
): void {
  const readWorkspaces = inputReader({ method: 'GET' })
  const readMethods = inputReader({ method: 'GET' })
  app.route({
    method: 'GET',
    url: '/sign-in/workspaces',
    config: { operation: 'sign_in.workspaces', scope: 'none' },
    handler: async (request, reply) => {
      chooseType(request.headers, ['application/json'])
      await readWorkspaces(request)
      await rateLimiter.admitAnonymous(request, reply, 'page')
      return sendJson(reply, 200, { workspace_id: await signInAttempts.onlyWorkspace() })
    },
  })
  app.route({
    method: 'GET',
    url: '/sign-in/:workspace_id/methods',
    config: { operation: 'sign_in.methods', scope: 'none' },
    handler: async (request, reply) => {
      chooseType(request.headers, ['application/json'])
      const idOrSlug = namedWorkspaceOf(await readMethods(request))
      // 404 does not help to find a workspace without a slug: an id has 74 bits beside its time.
      // An address may ask for few unknown ids and slugs a minute.
      const methods = await rateLimiter.attempt(request, reply, {
        ...attemptWith(idOrSlug, () => signInAttempts.methods(idOrSlug)),
        limit: 'page',
      })
      if (methods === null) throw unknownWorkspace()
      return sendJson(reply, 200, methods)
    },
  })
}

/** The token is in the body, because a URL would be in logs. Opening a link uses nothing up. */
function addLinkPreview(
  app: FastifyInstance,
  { signInAttempts, rateLimiter }: SignInDependencies,
): void {
  const readLink = inputReader({ method: 'POST', params: workspaceParams, body: LinkToken })
  app.route({
    method: 'POST',
    url: '/sign-in/:workspace_id/link/preview',
    config: { operation: 'sign_in.link_preview', scope: 'none' },
    onRequest: refuseCrossSite,
    handler: async (request, reply) => {
      chooseType(request.headers, ['application/json'])
      const input = await readLink(request)
      // The cast holds because the body was validated.
      const { token } = input.body as { token: string }
      const place = placeOf(request, input)
      const attempt = attemptWith(token, () => signInAttempts.previewLink(place, token))
      const preview = await rateLimiter.attempt(request, reply, attempt)
      reply.headers({ 'cache-control': 'no-store' })
      if (preview === null) throw new Failure('sign_in_refused')
      return sendJson(reply, 200, preview)
    },
  })
}

function addLinkSignIn(app: FastifyInstance, dependencies: SignInDependencies): void {
  const { signInAttempts, sessions, rateLimiter, signIns } = dependencies
  const readLink = inputReader({ method: 'POST', params: workspaceParams, body: LinkToken })
  app.route({
    method: 'POST',
    url: '/sign-in/:workspace_id/link',
    config: { operation: 'sign_in.link', scope: 'none' },
    onRequest: refuseCrossSite,
    handler: async (request, reply) => {
      chooseType(request.headers, ['application/json'])
      const input = await readLink(request)
      // The cast holds because the body was validated.
      const { token } = input.body as { token: string }
      const place = placeOf(request, input)
      const attempt = attemptWith(token, () => signInAttempts.withLink(place, token))
      const started = await signIns.count('link', () =>
        rateLimiter.attempt(request, reply, attempt),
      )
      return sendSession(request, reply, { sessions, started })
    },
  })
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { flowMinutes, type ProviderSignIn } from '#domain/auth/provider/provider-sign-in'
import type { SessionManager } from '#domain/auth/sessions'
import { Failure, failureOf } from '#domain/engine/failure'
import { idError } from '#domain/rules/id'

import { hostCookie, previousSession, sessionCookie } from './cookie.ts'
import { originOf } from './origin.ts'
import type { RateLimiter } from './rate-limits.ts'
import type { SignInCounter } from './sign-in-metrics.ts'
import { attemptWith } from './sign-in-request.ts'

interface ProviderSignInDependencies {
  readonly providerSignIn: ProviderSignIn
  readonly sessions: SessionManager
  readonly rateLimiter: RateLimiter
  readonly signIns: SignInCounter
}

/** Lax: the browser must send it when the provider redirects back. */
const flowCookie = hostCookie('__Host-muster_oidc', 'Lax')

const noStore = { 'cache-control': 'no-store' }

/**
 * The browser's part of a sign-in with the identity provider (OpenID Connect). Both routes answer
 * with a redirect. All refusals of a person lead to the same address.
 */
export function addProviderSignIn(
  app: FastifyInstance,
  dependencies: ProviderSignInDependencies,
): void {
  addStart(app, dependencies)
  addCallback(app, dependencies)
}

function addStart(
  app: FastifyInstance,
  { providerSignIn, rateLimiter, signIns }: ProviderSignInDependencies,
): void {
  app.route({
    method: 'GET',
    url: '/sign-in/:workspace_id/oidc/start',
    exposeHeadRoute: false,
    config: { operation: 'sign_in.start', scope: 'none' },
    errorHandler: redirectRefusal(() => signIns.countRefusal('oidc')),
    handler: async (request, reply) => {
      const workspaceId = workspaceOf(request)
      await rateLimiter.admitAnonymous(request, reply, 'signIn')
      if (isFromOtherSite(request)) return toSignInPage(reply, workspaceId)
      const query = new URLSearchParams(queryOf(request))
      const started = await providerSignIn.start({
        ...contextOf(request),
        returnTo: query.get('return_to'),
        isStepUp: query.get('step_up') === '1',
      })
      if (started === null) {
        signIns.countRefusal('oidc')
        return refuse(reply, workspaceId)
      }
      const cookie = flowCookie.set(started.token, flowMinutes * 60)
      return reply.headers({ ...noStore, 'set-cookie': cookie }).redirect(started.url, 303)
    },
  })
}

function addCallback(
  app: FastifyInstance,
  { providerSignIn, sessions, rateLimiter, signIns }: ProviderSignInDependencies,
): void {
  const finish = (request: FastifyRequest, reply: FastifyReply) => {
    const token = flowCookie.read(request) || null
    // Callbacks without a flow are one credential for each address.
    const attempt = attemptWith(token ?? `none ${request.ip}`, () =>
      providerSignIn.finish({ ...contextOf(request), token, query: queryOf(request) }),
    )
    return rateLimiter.attempt(request, reply, attempt)
  }
  app.route({
    method: 'GET',
    url: '/sign-in/:workspace_id/oidc/callback',
    exposeHeadRoute: false,
    config: { operation: 'sign_in.finish', scope: 'none' },
    errorHandler: redirectRefusal(),
    handler: async (request, reply) => {
      const workspaceId = workspaceOf(request)
      let refusal = 'sign_in_refused'
      const finished = await signIns.count('oidc', async () => {
        const result = await finish(request, reply)
        if (result === null || !('notRecent' in result)) return result
        refusal = 'step_up_refused'
        return null
      })
      if (finished === null) return refuse(reply, workspaceId, refusal)
      const previous = previousSession(request)
      if (previous !== null) await sessions.end(previous, originOf(request))
      const cookies = [flowCookie.expired, sessionCookie(finished.token, finished.days)]
      return reply.headers({ ...noStore, 'set-cookie': cookies }).redirect(finished.returnTo, 303)
    },
  })
}

const contextOf = (request: FastifyRequest) => ({
  workspaceId: workspaceOf(request),
  releaseDuring: request.releaseDuring.bind(request),
  origin: originOf(request),
})

/**
 * Another site must not replace the session of a user: an attacker can have a workspace whose
 * identity provider signs in without a question. The user starts on the sign-in page instead.
 */
const isFromOtherSite = ({ headers }: FastifyRequest) =>
  headers['sec-fetch-site'] === 'cross-site' || headers['sec-fetch-site'] === 'same-site'

const toSignInPage = (reply: FastifyReply, workspaceId: string) =>
  reply.headers(noStore).redirect(`/sign-in/${workspaceId}`, 303)

/** A method that the workspace does not allow is a problem of its own: it is no secret. */
const redirectRefusal =
  (onRefused = () => {}) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const { problem } = failureOf(error) ?? {}
    if (problem !== 'sign_in_method_not_allowed') throw error
    onRefused()
    void refuse(reply, workspaceOf(request), problem)
  }

/** The same response for every reason against a person, so without the counts of the limits. */
const refuse = (reply: FastifyReply, workspaceId: string, problem = 'sign_in_refused') =>
  reply
    .removeHeader('ratelimit')
    .removeHeader('ratelimit-policy')
    .headers({ ...noStore, 'set-cookie': flowCookie.expired })
    .redirect(`/sign-in/${workspaceId}?problem=${problem}`, 303)

function workspaceOf({ params }: FastifyRequest): string {
  // The cast holds because the paths of both routes have this parameter.
  const { workspace_id: id } = params as { workspace_id: string }
  if (idError(id, 'wsp') !== null) throw new Failure('route_not_found')
  return id
}

const queryOf = ({ url }: FastifyRequest) => url.slice(url.indexOf('?') + 1 || url.length)

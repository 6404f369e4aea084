import { type Access, isGranted } from '@muster/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import type { Door } from '#domain/door'
import { Failure } from '#domain/failure'

/** Who is asking, as the door found out. */
export type Visitor = Awaited<ReturnType<Door['open']>>

declare module 'fastify' {
  interface FastifyRequest {
    visitor: Visitor | null
  }
  interface FastifyContextConfig {
    /** `noun.verb`, for logs and metrics. */
    operation?: string
    scope?: Access
    /** What a body may be called. */
    bodyTypes?: readonly string[]
  }
}

/** Checks the key and its scope before anything else looks at the request. */
export function guard(app: FastifyInstance, door: Door): void {
  app.decorateRequest('visitor', null)
  app.addHook('onRequest', async (request) => {
    const { scope } = request.routeOptions.config
    if (scope === undefined || scope === 'none') return
    if (request.url.includes('muster_key_')) throw new Failure('key_in_url')
    const visitor = await door.open(bearerToken(request))
    request.visitor = visitor
    if (isGranted(visitor.scopes, scope)) return
    throw new Failure('insufficient_scope', `This needs ${scope}, which the key does not hold.`, {
      required_scope: scope,
      granted_scopes: visitor.scopes,
    })
  })
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

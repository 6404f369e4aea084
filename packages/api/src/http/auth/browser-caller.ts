import assert from 'node:assert/strict'

import type { FastifyRequest } from 'fastify'

import type { Authenticator } from '#domain/auth/authenticate'

import { originOf } from './origin.ts'

/** The caller of a route for browsers that requires authentication. */
export function browserCaller(
  request: FastifyRequest,
  authenticator: Authenticator,
  operation: string,
) {
  assert(request.principal, 'the route requires authentication')
  return authenticator.caller(request.principal, {
    requestId: request.id,
    operation,
    idempotentRequest: null,
    onlyIf: null,
    origin: originOf(request),
    releaseDuring: request.releaseDuring.bind(request),
  })
}

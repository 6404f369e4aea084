import type { FastifyRequest } from 'fastify'

import type { Authenticator, Principal } from '#domain/auth/authenticate'
import type { Caller } from '#domain/engine/caller'
import { originOf } from '#http/auth/origin'
import type { RequestTimeouts } from '#http/edge/admission'
import type { Followers } from '#http/follow/followers'
import type { ListDependencies } from '#http/lists/list-request'

import type { AnyHandler } from './handlers.ts'

export interface BindDependencies extends ListDependencies {
  readonly authenticator: Authenticator
  readonly timeouts: RequestTimeouts
  readonly followers: Followers
}

/** What the route of an operation needs. */
export interface OperationRoute {
  /** `noun.verb`. */
  readonly name: string
  readonly handler: AnyHandler
  /** By the name of an operation. */
  readonly handlerOf: (name: string) => AnyHandler
  readonly dependencies: BindDependencies
}

type Conditions = Pick<Caller<never>, 'idempotentRequest' | 'onlyIf'>

const unconditional: Conditions = { idempotentRequest: null, onlyIf: null }

/** The caller of a request, whose principal is authenticated. */
export const callerOf = (
  { name, dependencies }: OperationRoute,
  { request, principal }: { readonly request: FastifyRequest; readonly principal: Principal },
  conditions = unconditional,
): Caller<never> =>
  dependencies.authenticator.caller(principal, {
    requestId: request.id,
    operation: name,
    ...conditions,
    origin: originOf(request),
    releaseDuring: request.releaseDuring.bind(request),
  })

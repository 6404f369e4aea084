import assert from 'node:assert/strict'

import { everyOperation, isList, limits, type Operation } from '@muster/contract'
import type { FastifyInstance, RouteHandlerMethod } from 'fastify'

import type { RequestTimeouts } from '#http/edge/admission'
import { bodyTypesOf } from '#http/request/media'

import { followRoute } from './follow-route.ts'
import type { AnyHandler, Handlers } from './handlers.ts'
import { listRoute } from './list-route.ts'
import { resultRoute } from './result-route.ts'
import type { BindDependencies, OperationRoute } from './route.ts'

/** Registers a route for every operation of the contract. */
export function bind(
  app: FastifyInstance,
  handlers: Handlers,
  dependencies: BindDependencies,
): void {
  // The cast holds because `Handlers` has a handler for every noun and verb of the contract.
  const handlersByNoun = handlers as unknown as Record<string, Record<string, AnyHandler>>
  const handlerOf = (name: string): AnyHandler => {
    const [noun = '', verb = ''] = name.split('.')
    const handler = handlersByNoun[noun]?.[verb]
    assert(handler, `${name} has a handler`)
    return handler
  }
  for (const { name, operation } of everyOperation()) {
    const route = { name, handler: handlerOf(name), handlerOf, dependencies }
    app.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: {
        operation: name,
        scope: operation.scope,
        isDetailed: name === 'keys.whoami',
        sessionRule: operation.session,
        bodyTypes: bodyTypesOf(operation),
        handlerMs: handlerMsOf(operation, dependencies.timeouts),
      },
      bodyLimit: bodyBytesMax(operation),
      handler: routeFor(operation, route),
    })
  }
}

function routeFor(operation: Operation, route: OperationRoute): RouteHandlerMethod {
  if (isList(operation)) return listRoute(operation, route)
  return operation.isFollowed ? followRoute(operation, route) : resultRoute(operation, route)
}

function handlerMsOf(operation: Operation, { handlerMs }: RequestTimeouts): number {
  if (operation.isFollowed) return handlerMs.read + limits.waitSecondsMax * 1000
  return isList(operation) ? handlerMs.large : handlerMs.write
}

const bodyBytesMax = ({ rows, bodyBytesMax: bytes = limits.bodyBytesMax }: Operation) =>
  rows ? limits.batchBytesMax : bytes

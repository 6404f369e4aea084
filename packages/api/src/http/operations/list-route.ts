import assert from 'node:assert/strict'

import { type ListOperation, pointsIn } from '@muster/contract'
import type { RouteHandlerMethod } from 'fastify'

import { recordExport } from '#domain/auth/audit'
import type { Listing } from '#domain/engine/listing'
import { listTypes } from '#http/lists/format'
import { listResponder } from '#http/lists/list'
import { inputReader } from '#http/request/input'
import { pathOf } from '#http/request/query'

import { mediaTypeFor } from './media-type.ts'
import { resolveInput } from './points.ts'
import { callerOf, type OperationRoute } from './route.ts'

export function listRoute(operation: ListOperation, route: OperationRoute): RouteHandlerMethod {
  const { name, handlerOf, dependencies } = route
  const readInput = inputReader(operation)
  const names = pointsIn(operation)
  const respond = listResponder(operation, dependencies)
  return async (request, reply) => {
    const { principal } = request
    assert(principal, 'a list requires authentication')
    const caller = () => callerOf(route, { request, principal })
    const { seq } = principal
    const given = { names, path: pathOf(request.url), input: await readInput(request), seq }
    const { input, points } = await resolveInput(caller, given)
    const mediaType = mediaTypeFor(input.query, request, listTypes)
    // The cast holds because of the return type of `Handler` for list operations.
    const listingOf = (query: object, of = name) =>
      handlerOf(of)(caller(), { ...input, query }) as Listing<object>
    const listing = () => listingOf(input.query)
    const { exportedAs: type } = operation
    const beforeExport = async (format: string) => {
      if (type !== undefined) await recordExport(caller(), { type, format })
    }
    const { query } = input
    const list = { name, mediaType, principal, points, listing, listingOf, query, beforeExport }
    return respond(request, reply, list)
  }
}

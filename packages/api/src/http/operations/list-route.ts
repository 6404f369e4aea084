import assert from 'node:assert/strict'

import { listFormats, type ListOperation, pointsIn } from '@muster/contract'
import type { FastifyRequest, RouteHandlerMethod } from 'fastify'

import { recordExport } from '#domain/auth/audit'
import type { Listing } from '#domain/engine/listing'
import { listTypes } from '#http/lists/format'
import { listResponder } from '#http/lists/list'
import { inputReader } from '#http/request/input'
import { chooseType } from '#http/request/negotiate'
import { pathOf } from '#http/request/query'

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
    const given = { names, path: pathOf(request.url), input: await readInput(request) }
    const { input, points } = await resolveInput(caller, given)
    const mediaType = mediaTypeFor(input.query, request)
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

/** The parameter `format` stands for an `Accept` header. */
function mediaTypeFor({ format }: Record<string, unknown>, { headers }: FastifyRequest): string {
  // The cast holds because the query is validated.
  if (format !== undefined) return listFormats[format as keyof typeof listFormats]
  return chooseType(headers, listTypes)
}

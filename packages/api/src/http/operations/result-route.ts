import assert from 'node:assert/strict'

import {
  type Collection,
  listFormats,
  type Operation,
  pointsIn,
  takesIfMatch,
} from '@muster/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Principal } from '#domain/auth/authenticate'
import type { Caller } from '#domain/engine/caller'
import { readAsOf, type Terms } from '#domain/engine/listing'
import { TimeSlice } from '#domain/engine/time-slice'
import { pastCollections } from '#http/lists/list-content'
import { idempotentRequestOf } from '#http/request/idempotency-key'
import { type RequestInput, inputReader } from '#http/request/input'
import { chooseType } from '#http/request/negotiate'
import { pathOf } from '#http/request/query'
import {
  currentTag,
  sendResult,
  sendStored,
  sendUnchanged,
  storedResult,
} from '#http/response/answer'
import type { ResolvedPoints } from '#http/response/page-cache'
import { locationOf } from '#http/response/recipe'

import { mediaTypeFor } from './media-type.ts'
import { resolveInput } from './points.ts'
import { callerOf, type OperationRoute } from './route.ts'

/** Responds with one result: 304, a result of the page cache, or what the handler returns. */
export function resultRoute(operation: Operation, route: OperationRoute) {
  const readInput = inputReader(operation)
  const names = pointsIn(operation)
  const { tags } = route.dependencies
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { principal } = request
    assert(principal, 'an operation requires authentication')
    if (!operation.csvRow) chooseType(request.headers, ['application/json'])
    const { seq } = principal
    const given = { names, path: pathOf(request.url), input: await readInput(request), seq }
    const reader = () => callerOf(route, { request, principal })
    const { input, points } = await resolveInput(reader, given)
    const mediaType = operation.csvRow ? mediaTypeFor(input.query, request, rowTypes) : rowTypes[0]
    const shown = shownBy(operation, points)
    reply.headers({ ...locationOf(points) })
    const tag = await currentTag(tags, operation, { shown, principal, points: points?.numbers })
    if (tag !== null && sendUnchanged(request, reply, { tag, points })) return reply
    const call = { operation, request, reply, principal, points, input, mediaType }
    const caller = await conditionalCaller(route, call)
    return operation.cache === 'collection' && shown.length > 0
      ? sendCached(route, { ...call, caller, shown })
      : sendFresh(route, { ...call, caller })
  }
}

const shownBy = (
  { collection, also = [] }: Operation,
  points: ResolvedPoints | undefined,
): readonly Collection[] =>
  collection === undefined
    ? []
    : [...new Set([collection, ...also, ...(points ? pastCollections : [])])]

/** A request whose input is validated. */
interface Call {
  readonly operation: Operation
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly principal: Principal
  readonly points: ResolvedPoints | undefined
  readonly input: RequestInput
  /** JSON, or CSV of an operation with rows. */
  readonly mediaType: string
}

/** The media types of an operation that also has rows. */
const rowTypes = [listFormats.json, listFormats.csv] as const

/** The caller with the conditions of the request: its Idempotency-Key and its If-Match. */
async function conditionalCaller(
  route: OperationRoute,
  { operation, request, principal }: Call,
): Promise<Caller<never>> {
  const idempotentRequest = idempotentRequestOf(request, principal)
  const ifMatch = takesIfMatch(operation) ? request.headers['if-match'] : undefined
  const onlyIf = await route.dependencies.tags.versionsIn(principal, principal, ifMatch)
  return callerOf(route, { request, principal }, { idempotentRequest, onlyIf })
}

interface CalledBy extends Call {
  readonly caller: Caller<never>
}

/** Sends a result that depends on these collections, from the page cache if it has the present one. */
async function sendCached(
  { handler, dependencies }: OperationRoute,
  call: CalledBy & { readonly shown: readonly Collection[] },
): Promise<FastifyReply> {
  const { operation, request, reply, principal, input, mediaType, caller, shown } = call
  const points = call.points?.numbers
  const cached = {
    workspaceId: principal.workspaceId,
    name: `${pathOf(request.url)} ${mediaType} ${JSON.stringify(input.query)}`,
    view: principal.view,
    shown,
    atLeast: principal,
  }
  const page = await dependencies.pages.get(cached, async () => {
    const result = await handler(caller, input)
    const read = { operation, principal, terms: principal, result, points }
    return storedResult(read, mediaType)
  })
  const sent = { tags: dependencies.tags, page, shown, principal, points, mediaType }
  return sendStored(reply, sent)
}

async function sendFresh(
  { handler, dependencies }: OperationRoute,
  { operation, request, reply, principal, input, caller }: CalledBy,
): Promise<FastifyReply> {
  const { tags } = dependencies
  const result = await handler(caller, input)
  const isReplay = caller.idempotentRequest?.isReplay ?? false
  const terms = await termsAfter(operation, principal, caller)
  // Each of the steps takes tens of milliseconds for the result of a large batch.
  if (operation.rows) await new TimeSlice().end()
  return sendResult(request, reply, { tags, operation, principal, terms, result, isReplay })
}

/** A write may have started a term, which the ETag of its result shows. */
async function termsAfter(
  { method }: Operation,
  principal: Principal,
  caller: Caller<never>,
): Promise<Terms> {
  const isDue = principal.isTermDue && method !== 'GET'
  return isDue ? caller.database.snapshot(caller, readAsOf) : principal
}

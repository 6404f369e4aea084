import assert from 'node:assert/strict'

import {
  everyOperation,
  type Input,
  isList,
  type Item,
  limits,
  type ListOperation,
  type Operation,
  type Operations,
  type Output,
  takesIfMatch,
} from '@muster/contract'
import type { FastifyInstance, RouteHandlerMethod } from 'fastify'

import { recordExport } from '#domain/auth/audit'
import type { Authenticator } from '#domain/auth/authenticate'
import type { Caller } from '#domain/auth/caller'
import { type Listing, readAsOf } from '#domain/engine/listing'
import { TimeSlice } from '#domain/engine/time-slice'
import { originOf } from '#http/auth/origin'
import type { RequestTimeouts } from '#http/edge/admission'
import { idempotentRequestOf } from '#http/request/idempotency-key'
import { inputReader } from '#http/request/input'
import { bodyTypesOf } from '#http/request/media'
import { chooseType } from '#http/request/negotiate'
import { pathOf } from '#http/request/query'
import {
  currentTag,
  sendResult,
  sendStored,
  sendUnchanged,
  storedResult,
} from '#http/response/answer'
import { versionsIn } from '#http/response/etag'
import { listTypes } from '#http/response/format'
import { listResponder, type ListDependencies } from '#http/response/list'

/** Translates a validated request into a call of the domain, and returns the result. */
type Handler<O extends Operation> = (
  caller: Caller<O['scope']>,
  input: Input<O>,
) => O extends ListOperation ? Listing<Item<O>> : Promise<Output<O>>

/** One handler for every operation of the contract: a missing one does not compile. */
export type Handlers = {
  readonly [Noun in keyof Operations]: {
    readonly [Verb in keyof Operations[Noun]]: Operations[Noun][Verb] extends Operation
      ? Handler<Operations[Noun][Verb]>
      : never
  }
}

/** The type of all handlers, for the loop that registers them. */
type AnyHandler = (caller: Caller<never>, input: object) => Listing<object> | Promise<object>

interface BindDependencies extends ListDependencies {
  readonly authenticator: Authenticator
  readonly timeouts: RequestTimeouts
}

/** Registers a route for every operation of the contract. */
export function bind(
  app: FastifyInstance,
  handlers: Handlers,
  dependencies: BindDependencies,
): void {
  // The cast holds because `Handlers` has a handler for every noun and verb of the contract.
  const handlersByNoun = handlers as unknown as Record<string, Record<string, AnyHandler>>
  const { handlerMs } = dependencies.timeouts
  for (const { name, operation } of everyOperation()) {
    const [noun = '', verb = ''] = name.split('.')
    const handler = handlersByNoun[noun]?.[verb]
    assert(handler, `${name} has a handler`)
    app.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: {
        operation: name,
        scope: operation.scope,
        isDetailed: name === 'keys.whoami',
        sessionRule: operation.session,
        bodyTypes: bodyTypesOf(operation),
      },
      bodyLimit: bodyBytesMax(operation),
      handlerTimeout: isList(operation) ? handlerMs.large : handlerMs.write,
      handler: isList(operation)
        ? listRoute(name, operation, { handler, dependencies })
        : resultRoute(name, operation, { handler, dependencies }),
    })
  }
}

const bodyBytesMax = ({ rows, bodyBytesMax: bytes = limits.bodyBytesMax }: Operation) =>
  rows ? limits.batchBytesMax : bytes

interface Route {
  readonly handler: AnyHandler
  readonly dependencies: BindDependencies
}

function listRoute(
  name: string,
  operation: ListOperation,
  { handler, dependencies }: Route,
): RouteHandlerMethod {
  const readInput = inputReader(operation)
  const respond = listResponder(operation, dependencies)
  return async (request, reply) => {
    const { principal } = request
    assert(principal, 'a list requires authentication')
    const mediaType = chooseType(request.headers, listTypes)
    const input = await readInput(request)
    const callerOf = () =>
      dependencies.authenticator.caller(principal, {
        requestId: request.id,
        operation: name,
        idempotentRequest: null,
        onlyIf: null,
        origin: originOf(request),
        releaseDuring: request.releaseDuring.bind(request),
      })
    // The cast holds because of the return type of `Handler` for list operations.
    const listing = () => handler(callerOf(), input) as Listing<object>
    const { exportedAs: type } = operation
    const beforeExport = async (format: string) => {
      if (type !== undefined) await recordExport(callerOf(), { type, format })
    }
    const { query } = input
    return respond(request, reply, { name, mediaType, principal, listing, query, beforeExport })
  }
}

function resultRoute(
  name: string,
  operation: Operation,
  { handler, dependencies }: Route,
): RouteHandlerMethod {
  const readInput = inputReader(operation)
  return async (request, reply) => {
    const { principal } = request
    assert(principal, 'an operation requires authentication')
    chooseType(request.headers, ['application/json'])
    const input = await readInput(request)
    const tag = currentTag(operation, principal)
    if (tag !== null && sendUnchanged(request, reply, tag)) return reply
    const idempotentRequest = idempotentRequestOf(request, principal)
    const ifMatch = takesIfMatch(operation) ? request.headers['if-match'] : undefined
    const onlyIf = versionsIn(ifMatch, principal)
    const caller = dependencies.authenticator.caller(principal, {
      requestId: request.id,
      operation: name,
      idempotentRequest,
      onlyIf,
      origin: originOf(request),
      releaseDuring: request.releaseDuring.bind(request),
    })
    const { collection } = operation
    if (operation.cache === 'collection' && collection !== undefined) {
      const path = pathOf(request.url)
      const cached = {
        workspaceId: principal.workspaceId,
        name: `${path} ${JSON.stringify(input.query)}`,
        shown: [collection],
        atLeast: principal,
      }
      const read = async () => {
        const result = await handler(caller, input)
        return storedResult({ operation, principal, terms: principal, result })
      }
      const page = await dependencies.pages.get(cached, read)
      return sendStored(reply, { page, shown: cached.shown, terms: principal })
    }
    const result = await handler(caller, input)
    const isReplay = idempotentRequest?.isReplay ?? false
    // The write may have started a term, which the ETag of its result shows.
    const isDue = principal.isTermDue && operation.method !== 'GET'
    const terms = isDue ? await caller.database.snapshot(caller, readAsOf) : principal
    // Each of the steps takes tens of milliseconds for the result of a large batch.
    if (operation.rows) await new TimeSlice().end()
    return sendResult(request, reply, { operation, principal, terms, result, isReplay })
  }
}

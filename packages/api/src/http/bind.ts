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

import type { Caller } from '#domain/caller'
import type { Door } from '#domain/door'
import type { Listing } from '#domain/listing'

import { handlerMsMax } from './admission.ts'
import { expectedTag, sendResult, sendUnchanged } from './answer.ts'
import { versionsIn } from './etag.ts'
import { listTypes } from './format.ts'
import { inputReader, repeatableOf } from './input.ts'
import { listAnswerer, type ListTools } from './list.ts'
import { bodyTypesOf } from './media.ts'
import { chooseType } from './negotiate.ts'

/**
 * A handler translates and nothing more: the checked request in, a call of the domain, its result.
 */
type Handler<O extends Operation> = (
  caller: Caller<O['scope']>,
  input: Input<O>,
) => O extends ListOperation ? Listing<Item<O>> : Promise<Output<O>>

/** Exactly one handler for every operation in the contract: a missing one does not compile. */
export type Handlers = {
  readonly [Noun in keyof Operations]: {
    readonly [Verb in keyof Operations[Noun]]: Operations[Noun][Verb] extends Operation
      ? Handler<Operations[Noun][Verb]>
      : never
  }
}

/** What all handlers have in common, for the loop that binds them. */
type AnyHandler = (caller: Caller<never>, input: object) => Listing<object> | Promise<object>

interface BindTools extends ListTools {
  readonly door: Door
}

/** Makes a route of every operation. */
export function bind(app: FastifyInstance, handlers: Handlers, tools: BindTools): void {
  // The cast holds because `Handlers` has a handler for every noun and verb of the contract.
  const byNoun = handlers as unknown as Record<string, Record<string, AnyHandler>>
  for (const { name, operation } of everyOperation()) {
    const [noun = '', verb = ''] = name.split('.')
    const handler = byNoun[noun]?.[verb]
    assert(handler, `${name} has a handler`)
    app.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { operation: name, scope: operation.scope, bodyTypes: bodyTypesOf(operation) },
      bodyLimit: bodyBytesMax(operation),
      handlerTimeout: isList(operation) ? handlerMsMax.complete : handlerMsMax.write,
      handler: isList(operation)
        ? listRoute(name, operation, { handler, tools })
        : resultRoute(operation, { handler, tools }),
    })
  }
}

const bodyBytesMax = ({ rows, bodyBytesMax: most = limits.bodyBytesMax }: Operation) =>
  rows ? limits.batchBytesMax : most

interface Route {
  readonly handler: AnyHandler
  readonly tools: BindTools
}

function listRoute(
  name: string,
  operation: ListOperation,
  { handler, tools }: Route,
): RouteHandlerMethod {
  const readInput = inputReader(operation)
  const answer = listAnswerer(operation, tools)
  return async (request, reply) => {
    const { visitor } = request
    assert(visitor, 'a list needs a key')
    const mediaType = chooseType(request.headers, listTypes)
    const input = readInput(request)
    const occasion = { requestId: request.id, repeatable: null, onlyIf: null }
    const caller = tools.door.caller(visitor, occasion)
    // The cast holds because the type of `Handler` says so for every list operation.
    const listing = handler(caller, input) as Listing<object>
    return answer(request, reply, { name, mediaType, visitor, listing, query: input.query })
  }
}

function resultRoute(operation: Operation, { handler, tools }: Route): RouteHandlerMethod {
  const readInput = inputReader(operation)
  return async (request, reply) => {
    const { visitor } = request
    assert(visitor, 'an operation without a key has no caller')
    chooseType(request.headers, ['application/json'])
    const input = readInput(request)
    const tag = expectedTag(operation, visitor)
    if (tag !== null && sendUnchanged(request, reply, tag)) return reply
    const repeatable = repeatableOf(request, visitor)
    const ifMatch = takesIfMatch(operation) ? request.headers['if-match'] : undefined
    const onlyIf = versionsIn(ifMatch, visitor.epoch)
    const caller = tools.door.caller(visitor, { requestId: request.id, repeatable, onlyIf })
    const result = await handler(caller, input)
    const isReplay = repeatable?.isReplay ?? false
    return sendResult(request, reply, { operation, visitor, result, isReplay })
  }
}

import type { IncomingMessage } from 'node:http'

import { everyOperation, isList as isListOperation } from '@muster/contract'
import type { RouteOptions } from 'fastify'
import createRouter, { type HTTPMethod } from 'find-my-way'

import { parameterIn, queryOf } from '#http/request/query'

import type { RequestClass } from './admission.ts'

/** The options of Fastify's router. The classifier must match the routes that Fastify matches. */
export const routerOptions = { maxParamLength: 64, querystringParser: () => ({}) }

const lists = new Set(
  everyOperation().flatMap(({ name, operation }) => (isListOperation(operation) ? [name] : [])),
)

const batches = new Set(
  everyOperation().flatMap(({ name, operation }) => (operation.rows ? [name] : [])),
)

interface Route {
  /** Health checks are answered without admission control. */
  readonly isExempt: boolean
  readonly isList: boolean
  readonly isBatch: boolean
}

/** A longer page takes as much work as a complete list. */
const pageRowsMax = 200

/**
 * Assigns a request to an admission class by the route that it matches, not by its raw URL: the
 * path `/v1/%70ersonnel` and the absolute form `http://x/v1/personnel` are the same list.
 *
 * Admission control runs before Fastify, and Fastify cannot look up the route of a URL. So the
 * classifier uses the router that Fastify uses, with the same options and the same routes.
 */
export class RequestClassifier {
  readonly #router = createRouter(routerOptions)

  /** Adds a route as Fastify registers it, in the hook `onRoute`. */
  add({ method, url, config }: RouteOptions): void {
    // The cast holds because Fastify has checked the method.
    const methods = [method].flat() as HTTPMethod[]
    const isList = lists.has(config?.operation ?? '')
    const isBatch = batches.has(config?.operation ?? '')
    const route: Route = { isExempt: config?.isHealthCheck ?? false, isList, isBatch }
    this.#router.on(methods, url, () => {}, route)
  }

  classify({
    method = '',
    url = '',
  }: Pick<IncomingMessage, 'method' | 'url'>): RequestClass | 'exempt' {
    // The cast holds because an unknown method matches no route.
    const route: Route | undefined = this.#router.find(method as HTTPMethod, url)?.store
    if (route?.isExempt) return 'exempt'
    if (method === 'HEAD') return 'read'
    if (route && isLarge(route, url)) return 'large'
    return method === 'GET' ? 'read' : 'write'
  }
}

/** Whether it is a batch, a complete list or a long page. */
function isLarge({ isBatch, isList }: Route, url: string): boolean {
  if (!isList) return isBatch
  const query = queryOf(url)
  const limit = parameterIn(query, 'limit')
  if (limit !== null) return Number(limit) > pageRowsMax
  return parameterIn(query, 'cursor') === null
}

import type { IncomingMessage } from 'node:http'

import { everyOperation, isList as isListOperation } from '@muster/contract'
import type { RouteOptions } from 'fastify'
import createRouter, { type HTTPMethod } from 'find-my-way'

import { hasParameter, queryOf } from '#http/request/query'

import type { RequestClass } from './admission.ts'

/** The options of Fastify's router. The classifier must match the routes that Fastify matches. */
export const routerOptions = { maxParamLength: 64, querystringParser: () => ({}) }

const lists = new Set(
  everyOperation().flatMap(({ name, operation }) => (isListOperation(operation) ? [name] : [])),
)

interface Route {
  /** Health checks are answered without admission control. */
  readonly isExempt: boolean
  readonly isList: boolean
}

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
    const route: Route = { isExempt: config?.isHealthCheck ?? false, isList }
    this.#router.on(methods, url, () => {}, route)
  }

  classify({ method = '', url = '' }: IncomingMessage): RequestClass | 'exempt' {
    // The cast holds because an unknown method matches no route.
    const route: Route | null = this.#router.find(method as HTTPMethod, url)?.store ?? null
    if (route?.isExempt) return 'exempt'
    if (method === 'HEAD') return 'read'
    if (method !== 'GET') return 'write'
    if (!route?.isList) return 'read'
    return hasParameter(queryOf(url), 'limit', 'cursor') ? 'read' : 'complete'
  }
}

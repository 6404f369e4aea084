import type { IncomingMessage } from 'node:http'

import { everyOperation, isList as isListOperation, limits } from '@muster/contract'
import type { FastifyContextConfig, RouteOptions } from 'fastify'
import createRouter, { type HTTPMethod } from 'find-my-way'

import { parameterIn, queryOf } from '#http/request/query'

import type { RequestClass } from './admission-lines.ts'
import type { RowSizes } from './row-sizes.ts'

/** The options of Fastify's router. The classifier must match the routes that Fastify matches. */
export const routerOptions = { maxParamLength: 64, querystringParser: () => ({}) }

const lists = new Set(
  everyOperation().flatMap(({ name, operation }) => (isListOperation(operation) ? [name] : [])),
)

const batches = new Set(
  everyOperation().flatMap(({ name, operation }) => (operation.rows ? [name] : [])),
)

/** Whether an operation takes many rows, which makes it large once its body has arrived. */
export const isBatch = (operation = '') => batches.has(operation)

/** What the classifier knows about a route. */
export interface Route {
  readonly config: Readonly<FastifyContextConfig>
  readonly isList: boolean
}

/** The route of a request. */
export interface Match extends Route {
  readonly hasEmptyParameter: boolean
}

/** A larger page takes as much work as a complete list. */
const pageBytesMax = 200 * 1024

/**
 * Assigns a request to an admission class by the route that it matches, not by its raw URL: the
 * path `/v1/%70ersonnel` and the absolute form `http://x/v1/personnel` are the same list.
 *
 * Admission control runs before Fastify, and Fastify cannot look up the route of a URL. So the
 * classifier uses the router that Fastify uses, with the same options and the same routes.
 */
export class RequestClassifier {
  readonly #router = createRouter(routerOptions)

  readonly #rowSizes: RowSizes

  constructor(rowSizes: RowSizes) {
    this.#rowSizes = rowSizes
  }

  /** Adds a route as Fastify registers it, in the hook `onRoute`. */
  add({ method, url, config = {} }: RouteOptions): void {
    // The cast holds because Fastify has checked the method.
    const methods = [method].flat() as HTTPMethod[]
    const route: Route = { config, isList: lists.has(config.operation ?? '') }
    this.#router.on(methods, url, () => {}, route)
  }

  /** The route that a request matches; null if there is none. */
  matchOf({ method = '', url = '' }: RequestLine): Match | null {
    // The cast holds because an unknown method matches no route.
    const found = this.#router.find(method as HTTPMethod, url)
    if (!found?.store) return null
    const hasEmptyParameter = Object.values(found.params).includes('')
    // The cast holds because `add` stores it.
    return { ...(found.store as Route), hasEmptyParameter }
  }

  /** The class of a request that arrives. A page is judged by the rows of this workspace. */
  classOf(
    { method, url = '' }: RequestLine,
    route: Route | null,
    workspaceId: string | null,
  ): RequestClass {
    if (method === 'HEAD') return 'read'
    if (route?.isList) return this.#classOfList(url, route, workspaceId)
    return method === 'GET' ? 'read' : 'write'
  }

  /** A complete list is large, and so is a page of many or of large rows. */
  #classOfList(url: string, { config }: Route, workspaceId: string | null): RequestClass {
    const query = queryOf(url)
    const limit = parameterIn(query, 'limit')
    if (limit === null && parameterIn(query, 'cursor') === null) return 'large'
    const rows = Number(limit ?? limits.page.default)
    const bytes = rows * this.#rowSizes.bytesOf(workspaceId, config.operation ?? '')
    return bytes > pageBytesMax ? 'large' : 'read'
  }
}

type RequestLine = Pick<IncomingMessage, 'method' | 'url'>

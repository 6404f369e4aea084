/** The fast path: pages and 304 from memory, without a place and without Fastify. */

import type { IncomingMessage, ServerResponse } from 'node:http'

import { isGranted } from '@muster/contract'
import type { FastifyContextConfig } from 'fastify'
import { Counter, type Registry } from 'prom-client'

import { newRequestId } from '#domain/rules/id'
import type { Outcome } from '#http/auth/outcome'
import type { RateLimiter } from '#http/auth/rate-limits'
import { atPoints, isFresh, isListed, presentTag } from '#http/response/etag'
import { commonHeaders } from '#http/response/headers'
import type { PageCache, Recipe, StoredPage } from '#http/response/page-cache'
import { addressOf, pageFor, pageHeaders } from '#http/response/recipe'
import { traceparentFor } from '#http/response/trace-context'

import type { HttpExchange } from './admission.ts'
import type { ConnectionTable } from './connections.ts'

/** What the log and the metrics show of a request. */
export interface RecordedRequest extends Pick<Outcome, 'principal' | 'startedAt'> {
  readonly id: string
  readonly traceparent: string
  readonly method: string
  readonly config: Readonly<FastifyContextConfig>
  /** The pattern of its path; undefined if none matches. */
  readonly route: string | undefined
}

export type RecordRequest = (request: RecordedRequest, response: ServerResponse) => void

interface FastPathDependencies {
  readonly pages: PageCache
  readonly rateLimiter: Pick<RateLimiter, 'refund'>
  readonly connections: ConnectionTable
  readonly record: RecordRequest
  readonly registry: Registry
}

/** An authenticated request, and the configuration of its route. */
interface Admitted {
  readonly outcome: Outcome
  readonly config: Readonly<FastifyContextConfig>
}

interface Answer {
  readonly recipe: Recipe
  readonly tag: string
  /** Null for 304. */
  readonly page: StoredPage | null
}

/**
 * Headers that the checks before authentication read, that are part of the address of a page, or
 * that nothing reads. A request with any other is for Fastify.
 */
const known = new Set(
  `accept accept-encoding accept-language authorization baggage cache-control connection cookie dnt
   forwarded host if-none-match muster-console pragma priority referer sec-ch-ua sec-ch-ua-mobile
   sec-ch-ua-platform sec-fetch-dest sec-fetch-mode sec-fetch-site sec-gpc traceparent tracestate
   user-agent via x-forwarded-for x-forwarded-host x-forwarded-port x-forwarded-proto x-real-ip
   x-request-id`.split(/\s+/),
)

/**
 * Answers requests for pages that the page cache knows. Fastify teaches it: when it answers a
 * request with a page, the cache learns the recipe of all requests with the same address and
 * representation. The caller of each request is authenticated and counted before, and the name of
 * the page, its ETag and all headers come from the functions that Fastify's answer uses.
 */
export class FastPath {
  readonly #dependencies: FastPathDependencies
  readonly #answers: Counter<'status'>

  constructor(dependencies: FastPathDependencies) {
    this.#dependencies = dependencies
    this.#answers = new Counter({
      name: 'muster_http_fast_answers_total',
      help: 'Requests answered from memory, without a place and without Fastify, by status.',
      labelNames: ['status'],
      registers: [dependencies.registry],
    })
    for (const status of [200, 304]) this.#answers.inc({ status }, 0)
  }

  /** Answers and returns true, or returns false. */
  async answer(exchange: HttpExchange, admitted: Admitted): Promise<boolean> {
    const { outcome } = admitted
    const { request } = exchange
    const answer = this.#find(request, outcome)
    if (answer === null) return false
    const isNamed = isListed(request.headers['if-none-match'], answer.tag)
    if (answer.page === null && isNamed) {
      await this.#dependencies.rateLimiter.refund(outcome, outcome)
    }
    this.#send(exchange, admitted, answer)
    return true
  }

  #find(request: IncomingMessage, { principal, refusal }: Outcome): Answer | null {
    if (principal === null || refusal !== null || !isPlain(request)) return null
    const { pages } = this.#dependencies
    const recipe = pages.recipeOf(principal.workspaceId, addressOf(request))
    if (!recipe?.scopes.every((scope) => isGranted(principal.scopes, scope))) return null
    const tag = presentTag(principal, recipe.shown, atPoints(principal, recipe.points?.numbers))
    if (tag === null) return null
    if (isFresh(request.headers['if-none-match'], tag)) return { recipe, tag, page: null }
    const page = pages.find(pageFor(recipe, principal))
    const pageTag = page && presentTag(principal, recipe.shown, page.asOf)
    return page && pageTag !== null ? { recipe, tag: pageTag, page } : null
  }

  #send(
    { request, response }: HttpExchange,
    { outcome, config }: Admitted,
    { recipe, tag, page }: Answer,
  ): void {
    const { connections, record } = this.#dependencies
    const [id, traceparent] = [newRequestId(), traceparentFor(request.headers['traceparent'])]
    const status = page === null ? 304 : 200
    const { principal, startedAt } = outcome
    const recorded = { id, traceparent, method: 'GET', config, route: undefined }
    response.once('close', () => record({ ...recorded, principal, startedAt }, response))
    response.writeHead(status, {
      ...commonHeaders(id, traceparent),
      ...outcome.responseHeaders,
      ...connections.authenticate({ request, response }),
      ...pageHeaders(recipe, { page, tag }),
      ...(page && { 'content-length': String(page.body.length) }),
    })
    response.end(page?.body)
    this.#answers.inc({ status })
  }
}

/** Whether nothing in a request can change the answer besides its address and its caller. */
function isPlain({ method, httpVersion, headers }: IncomingMessage): boolean {
  if (method !== 'GET' || httpVersion !== '1.1') return false
  for (const name in headers) if (!known.has(name)) return false
  return true
}

import type { IncomingMessage } from 'node:http'

import { authenticate, isAuthenticated } from '#http/auth/authenticate'
import { credentialId, possibleCredentialIn } from '#http/auth/credential'
import { keepOutcome, Outcome } from '#http/auth/outcome'
import { networkOf, type RateLimiter, type RequestClient } from '#http/auth/rate-limits'
import type { RecentCredentials } from '#http/auth/recent-credentials'

import { type Admission, anonymousFraction, type HttpExchange } from './admission.ts'
import { checkRequest } from './request-checks.ts'
import type { Match, RequestClassifier } from './request-classifier.ts'
import { TrustedProxies } from './trusted-proxies.ts'

interface ArrivalDependencies {
  readonly admission: Admission
  readonly classifier: RequestClassifier
  readonly recentCredentials: RecentCredentials
  readonly rateLimiter: Pick<RateLimiter, 'admit'>
  /** Addresses and CIDRs of the proxies whose X-Forwarded headers are trusted. */
  readonly trustedProxies: readonly string[]
  /** The number of requests that may wait for authentication. */
  readonly waitingMax?: number
}

/**
 * Decides about a request before Fastify handles it. Its route is found and checked, its caller is
 * authenticated, and then it waits for a place in the line of its workspace. A request that is
 * refused, or whose route needs no caller, waits in the line of its network. Health checks need
 * neither. Of the requests that wait for authentication, a quarter may have a credential that did
 * not authenticate recently.
 */
export class Arrivals {
  readonly #dependencies: ArrivalDependencies
  readonly #proxies: TrustedProxies
  readonly #max: { readonly all: number; readonly unknown: number }
  readonly #waiting = { all: 0, unknown: 0 }

  constructor({ waitingMax = 4096, ...dependencies }: ArrivalDependencies) {
    this.#dependencies = dependencies
    this.#proxies = new TrustedProxies(dependencies.trustedProxies)
    this.#max = { all: waitingMax, unknown: Math.ceil(waitingMax * anonymousFraction) }
  }

  /** Runs `handle` when the request has a place, or responds with 503. */
  admit(exchange: HttpExchange, handle: () => void): void {
    const { request } = exchange
    const match = this.#dependencies.classifier.matchOf(request)
    const outcome = this.#check(request, match)
    const config = match?.config ?? {}
    if (outcome.refusal === null && isAuthenticated(config)) {
      void this.#authenticate(exchange, match, handle)
      return
    }
    keepOutcome(request, outcome)
    if (config.isHealthCheck) handle()
    else this.#enter(exchange, { match, workspaceId: null }, handle)
  }

  #check(request: IncomingMessage, match: Match | null): Outcome {
    const outcome = new Outcome()
    try {
      checkRequest(request, match, this.#proxies)
    } catch (error) {
      outcome.refusal = error
    }
    return outcome
  }

  async #authenticate(
    exchange: HttpExchange,
    match: Match | null,
    handle: () => void,
  ): Promise<void> {
    const { request: message, response } = exchange
    const { admission, rateLimiter } = this.#dependencies
    const unknown = this.#isKnown(message) ? 0 : 1
    const { all, unknown: unknowns } = this.#waiting
    if (all >= this.#max.all || unknowns + unknown > this.#max.unknown) {
      admission.refuse(exchange)
      return
    }
    this.#countWaiting(1, unknown)
    const config = match?.config ?? {}
    const outcome = await authenticate(rateLimiter, this.#clientOf(message), { message, config })
    this.#countWaiting(-1, -unknown)
    if (response.destroyed) return
    keepOutcome(message, outcome)
    const workspaceId = outcome.principal?.workspaceId ?? null
    this.#enter(exchange, { match, workspaceId }, handle)
  }

  #countWaiting(all: number, unknown: number): void {
    this.#waiting.all += all
    this.#waiting.unknown += unknown
  }

  #enter(
    exchange: HttpExchange,
    { match, workspaceId }: { readonly match: Match | null; readonly workspaceId: string | null },
    handle: () => void,
  ): void {
    const { admission, classifier } = this.#dependencies
    const { request } = exchange
    const requestClass = classifier.classOf(request, match, workspaceId)
    const isAnonymous = workspaceId === null
    const name = workspaceId ?? networkOf(this.#clientOf(request))
    admission.admit(exchange, { requestClass, line: { name, isAnonymous } }, handle)
  }

  #clientOf(message: IncomingMessage): RequestClient {
    const { socket, headers } = message
    return { ip: this.#proxies.addressOf(message), socket, headers }
  }

  /** A name in a credential proves nothing: only one that authenticated recently is known. */
  #isKnown(message: IncomingMessage): boolean {
    const credential = possibleCredentialIn(message)
    return credential !== null && this.#dependencies.recentCredentials.has(credentialId(credential))
  }
}

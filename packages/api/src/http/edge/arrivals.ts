import type { IncomingMessage } from 'node:http'

import { authenticate, isAuthenticated } from '#http/auth/authenticate'
import { credentialId, possibleCredentialIn } from '#http/auth/credential'
import { keepOutcome, Outcome } from '#http/auth/outcome'
import { networkOf, type RateLimiter, type RequestClient } from '#http/auth/rate-limits'
import type { RecentCredentials } from '#http/auth/recent-credentials'

import { type Admission, anonymousFraction, type HttpExchange } from './admission.ts'
import type { FastPath } from './fast-path.ts'
import { checkRequest } from './request-checks.ts'
import type { Match, RequestClassifier } from './request-classifier.ts'
import { TrustedProxies } from './trusted-proxies.ts'

interface ArrivalDependencies {
  readonly admission: Admission
  readonly classifier: RequestClassifier
  readonly recentCredentials: RecentCredentials
  readonly rateLimiter: Pick<RateLimiter, 'admit'>
  readonly fastPath: Pick<FastPath, 'answer'>
  /** Addresses and CIDRs of the proxies whose X-Forwarded headers are trusted. */
  readonly trustedProxies: readonly string[]
  /** The number of requests that may wait for authentication. */
  readonly waitingMax?: number
}

/** A request whose route was looked up. */
interface Arrived {
  readonly exchange: HttpExchange
  readonly match: Match | null
  readonly handle: () => void
}

/**
 * Decides about a request before Fastify handles it. Its route is found and checked, its caller is
 * authenticated, and then it is answered from memory or waits for a place in the line of its
 * workspace. A request that is
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

  /** Runs `handle` when the request has a place, or responds to it. */
  admit(exchange: HttpExchange, handle: () => void): void {
    const match = this.#dependencies.classifier.matchOf(exchange.request)
    const arrived = { exchange, match, handle }
    const outcome = this.#check(arrived)
    if (outcome.refusal !== null || !isAuthenticated(match?.config ?? {})) {
      this.#handOver(arrived, outcome)
      return
    }
    this.#authenticate(arrived).catch((error: unknown) => {
      outcome.refusal = error
      this.#handOver(arrived, outcome)
    })
  }

  #check({ exchange, match }: Arrived): Outcome {
    const outcome = new Outcome()
    try {
      checkRequest(exchange.request, match, this.#proxies)
    } catch (error) {
      outcome.refusal = error
    }
    return outcome
  }

  async #authenticate(arrived: Arrived): Promise<void> {
    const { exchange, match } = arrived
    const { request: message, response } = exchange
    const { admission, rateLimiter, fastPath } = this.#dependencies
    const isKnown = this.#isKnown(message)
    if (!this.#hasRoom(isKnown)) {
      admission.refuse(exchange)
      return
    }
    const config = match?.config ?? {}
    this.#countWaiting(isKnown, 1)
    const outcome = await authenticate(rateLimiter, this.#clientOf(message), {
      message,
      config,
    }).finally(() => this.#countWaiting(isKnown, -1))
    if (response.destroyed) return
    const isAnswered = await fastPath.answer(exchange, { outcome, config })
    if (!isAnswered) this.#handOver(arrived, outcome)
  }

  #hasRoom(isKnown: boolean): boolean {
    const { all, unknown } = this.#waiting
    return all < this.#max.all && (isKnown || unknown < this.#max.unknown)
  }

  #countWaiting(isKnown: boolean, change: number): void {
    this.#waiting.all += change
    if (!isKnown) this.#waiting.unknown += change
  }

  /** Lets Fastify handle the request once it has a place. */
  #handOver({ exchange, match, handle }: Arrived, outcome: Outcome): void {
    const { admission, classifier } = this.#dependencies
    const { request } = exchange
    keepOutcome(request, outcome)
    if (match?.config.isHealthCheck) {
      handle()
      return
    }
    const workspaceId = outcome.principal?.workspaceId ?? null
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

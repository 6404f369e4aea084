import type { IncomingMessage } from 'node:http'

import proxyAddress from '@fastify/proxy-addr'

import { credentialId, possibleCredentialIn } from '#http/auth/credential'
import { networkOf } from '#http/auth/rate-limits'
import type { RecentCredentials } from '#http/auth/recent-credentials'

import type { Admission, Arrival, HttpExchange } from './admission.ts'
import type { RequestClassifier, Route } from './request-classifier.ts'

interface ArrivalDependencies {
  readonly admission: Admission
  readonly classifier: RequestClassifier
  readonly recentCredentials: RecentCredentials
  /** Addresses and CIDRs of the proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[]
}

/**
 * Finds the line and the class of a request for admission control. A name in a credential proves
 * nothing: only a credential that authenticated recently leads to the line of its workspace.
 */
export class Arrivals {
  readonly #admission: Admission
  readonly #classifier: RequestClassifier
  readonly #recent: RecentCredentials
  readonly #addressOf: (request: IncomingMessage) => string

  constructor({ admission, classifier, ...options }: ArrivalDependencies) {
    this.#admission = admission
    this.#classifier = classifier
    this.#recent = options.recentCredentials
    this.#addressOf = addressReader(options.trustedProxies)
  }

  /** Runs `handle` when a place is free, or responds with 503. Health checks need no place. */
  admit(exchange: HttpExchange, handle: () => void): void {
    const { request } = exchange
    const route = this.#classifier.routeOf(request)
    if (route?.isExempt) handle()
    else {
      const workspaceId = route?.isAuthenticated ? this.#knownWorkspace(request) : null
      this.#admission.admit(exchange, this.#arrival(request, route, workspaceId), handle)
    }
  }

  /** Moves an authenticated request to the line of its workspace. */
  move(request: IncomingMessage, workspaceId: string): Promise<void> | null {
    if (!this.#admission.isAnonymous(request)) return null
    const route = this.#classifier.routeOf(request)
    return this.#admission.reacquire(request, this.#arrival(request, route, workspaceId))
  }

  #arrival(request: IncomingMessage, route: Route | null, workspaceId: string | null): Arrival {
    const requestClass = this.#classifier.classOf(request, route, workspaceId)
    const isAnonymous = workspaceId === null
    const { socket } = request
    const name = workspaceId ?? networkOf({ ip: this.#addressOf(request), socket })
    return { requestClass, line: { name, isAnonymous } }
  }

  #knownWorkspace(request: IncomingMessage): string | null {
    const credential = possibleCredentialIn(request)
    return credential && this.#recent.workspaceOf(credentialId(credential))
  }
}

/** The client address as Fastify finds it, which does so only after admission. */
function addressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  if (trustedProxies.length === 0) return ({ socket }) => socket.remoteAddress ?? ''
  const isTrusted = proxyAddress.compile([...trustedProxies])
  return (request) => proxyAddress(request, isTrusted)
}

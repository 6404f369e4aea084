/** Rate limiting: requests by key and workspace, failures by credential and IP address. */

import { randomInt } from 'node:crypto'

import { type ProblemName, problems, type Rates } from '@muster/contract'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Counter, Gauge, type Registry } from 'prom-client'

import { rateLimitPrefix } from '#domain/auth/addresses'
import type { Authenticator, Credential, Principal } from '#domain/auth/authenticate'
import { Failure } from '#domain/engine/failure'

import { credentialId } from './credential.ts'
import { FixedWindow, type WindowState, windowSeconds } from './fixed-window.ts'
import { KeyQuota } from './key-quota.ts'
import { type LimitDefinition, limitDefinitions } from './limit-definitions.ts'
import { userAgentOf } from './origin.ts'
import { Outcome } from './outcome.ts'
import type { RecentCredentials } from './recent-credentials.ts'
import type { RedisOptions, SharedCounts } from './shared-counts.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The limits after this request was counted; null before. */
    rateLimitStates: readonly WindowState[] | null
    /** A 304 for an ETag that the caller sent, decided with the data from authentication alone. */
    isRefundable: boolean
  }
}

interface RateLimiterOptions {
  readonly authenticator: Authenticator
  readonly rates: Rates
  /** Null when each process counts separately. */
  readonly redis: RedisOptions | null
  readonly shared: SharedCounts | null
  readonly registry: Registry
  readonly recentCredentials: RecentCredentials
}

/**
 * Opens the shared counts for rate limiting. The Redis client is loaded only when it is configured,
 * because it takes a tenth of the start-up time.
 */
export async function openSharedCounts(
  redis: RedisOptions | null,
  log: FastifyBaseLogger,
): Promise<SharedCounts | null> {
  if (redis === null) return null
  const { SharedCounts } = await import('./shared-counts.ts')
  return new SharedCounts(redis.url, log)
}

/** The client of a request; a FastifyRequest is one. */
export type RequestClient = Pick<FastifyRequest, 'ip' | 'socket' | 'headers'>

/** What gets headers of a response: a reply, or an outcome. */
interface WithHeaders {
  headers(given: Readonly<Record<string, string>>): unknown
}

interface AskedCredential {
  readonly read: () => Credential
  /** Whether authentication reads what `whoami` shows. */
  readonly isDetailed: boolean
  /** Whether the credential is to start a session. */
  readonly isSignIn: boolean
}

/** The limits of one network for requests without a credential that is known to be valid. */
type AnonymousLimit = 'signIn' | 'page'

/** Work on a credential that finds nothing if the credential is not valid. */
interface Attempt<T> extends Pick<Credential, 'hash'> {
  readonly limit?: AnonymousLimit
  readonly problem: 'session_ended' | 'sign_in_refused'
  readonly work: () => Promise<T | null>
}

/** Clients that are refused together should not return together. */
const jitterSeconds = windowSeconds / 10

/** How many exhausted callers are remembered. */
const exhaustedMax = 10_000

/** The problems of a credential that was never issued, or that was deleted. */
const guessProblems: ReadonlySet<ProblemName> = new Set([
  'unknown_key',
  'session_ended',
  'sign_in_refused',
])

/**
 * Rate limiting. An authenticated request counts against its key and its workspace. A refused
 * credential has a limit of its own. An unknown credential also counts once a minute against its IP
 * address, which limits guessing. An address over its limit is refused without a database query.
 * Credentials that authenticated within the last five minutes are exempt: they are no guesses, and
 * failures from the same network must not lock them out.
 *
 * A refusal must cost less than a response, or callers over their limit would still slow others
 * down. So the service does not authenticate an exhausted caller again. If its key is revoked in
 * that minute, the caller gets `rate_limited` instead of `key_revoked` until the minute ends.
 */
export class RateLimiter {
  readonly #authenticator: Authenticator
  readonly #requests: KeyQuota
  /** As many as requests: a caller causes at most twice its limit of authentications. */
  readonly #refunds: KeyQuota
  readonly #address: FixedWindow
  readonly #credential: FixedWindow
  readonly #anonymous: Readonly<Record<AnonymousLimit, FixedWindow>>
  readonly #recent: RecentCredentials
  /** Exhausted callers, by the hash of their credential. */
  readonly #exhausted = new Map<string, Principal>()
  readonly #rateLimited: Counter<'limit'>
  readonly #failures: Counter<'problem'>

  constructor(
    app: FastifyInstance,
    { authenticator, rates, redis, shared, registry, recentCredentials }: RateLimiterOptions,
  ) {
    this.#authenticator = authenticator
    this.#recent = recentCredentials
    const prefix = redis?.prefix ?? ''
    const { key, workspace, address, credential, signIn, page } = limitDefinitions(rates)
    const windowOf = (definition: LimitDefinition) =>
      new FixedWindow({ ...definition, prefix, shared })
    this.#requests = new KeyQuota(windowOf(key), windowOf(workspace))
    this.#refunds = new KeyQuota(
      windowOf({ ...key, name: 'key_refund' }),
      windowOf({ ...workspace, name: 'workspace_refund' }),
    )
    this.#address = windowOf(address)
    this.#credential = windowOf(credential)
    this.#anonymous = { signIn: windowOf(signIn), page: windowOf(page) }
    const registers = [registry]
    this.#rateLimited = new Counter({
      name: 'muster_http_requests_rate_limited_total',
      help: 'Requests refused by rate limiting, by limit.',
      labelNames: ['limit'],
      registers,
    })
    for (const { name } of [key, workspace, address, signIn, page])
      this.#rateLimited.inc({ limit: name }, 0)
    this.#failures = new Counter({
      name: 'muster_authentication_failures_total',
      help: 'Requests that failed authentication, by problem.',
      labelNames: ['problem'],
      registers,
    })
    addStoreMetric(registry, shared)
    if (shared !== null) {
      app.addHook('onReady', () => shared.open())
      app.addHook('onClose', async () => shared.close())
    }
    app.decorateRequest('rateLimitStates', null)
    app.decorateRequest('isRefundable', false)
    app.addHook('onSend', (...[request, reply, , done]) => {
      if (reply.statusCode !== 304 || !request.isRefundable) return done()
      this.refund(request, reply).then(() => done(), done)
    })
  }

  /** Authenticates a request and counts it. The outcome has the error of a refused one. */
  async admit(client: RequestClient, asked: AskedCredential): Promise<Outcome> {
    const outcome = new Outcome()
    try {
      await this.#admit(client, asked, outcome)
    } catch (error) {
      outcome.refusal = error
    }
    return outcome
  }

  async #admit(client: RequestClient, asked: AskedCredential, outcome: Outcome): Promise<void> {
    const { isDetailed, isSignIn } = asked
    const credential = this.#read(asked.read)
    const source = sourceOf(client, credential)
    this.#refuseBlocked(outcome, source)
    this.#refuseExhausted(outcome, source.id)
    try {
      outcome.principal = await this.#authenticator.authenticate(
        { ...credential, isDetailed },
        client.ip,
        { userAgent: () => userAgentOf(client), isSignIn },
      )
    } catch (error) {
      await this.#recordFailure(outcome, source, error)
      throw error
    }
    const { principal } = outcome
    this.#recent.add(source.id, principal.workspaceId)
    try {
      await this.#charge(outcome, principal)
    } catch (error) {
      this.#markExhausted(source.id, principal)
      throw error
    }
  }

  /**
   * Runs `work`, and counts a failed authentication when it finds nothing. All attempts of a
   * network are limited together, except those with a session that authenticated recently.
   */
  async attempt<T>(
    request: FastifyRequest,
    reply: FastifyReply,
    { work, problem, limit = 'signIn', ...credential }: Attempt<T>,
  ): Promise<T | null> {
    const source = sourceOf(request, credential)
    this.#refuseBlocked(reply, source)
    if (!this.#recent.has(source.id)) await this.admitAnonymous(request, reply, limit)
    const found = await work()
    if (found === null) await this.#recordFailure(reply, source, new Failure(problem))
    return found
  }

  /** Counts a request before anything is authenticated. A refusal costs no query. */
  async admitAnonymous(
    request: FastifyRequest,
    reply: FastifyReply,
    limit: AnonymousLimit,
  ): Promise<void> {
    const [window, network] = [this.#anonymous[limit], networkOf(request)]
    const state = window.exhaustedState(network) ?? (await window.consume(network))
    if (state.isExceeded) this.#refuse(reply, state)
  }

  /** A missing or malformed credential is not limited: it costs no query and is no guess. */
  #read(read: () => Credential): Credential {
    try {
      return read()
    } catch (error) {
      this.#countFailure(error)
      throw error
    }
  }

  #refuseBlocked(reply: WithHeaders, { id, network }: CredentialSource): void {
    const credentialState =
      this.#credential.exhaustedState(id) ?? this.#credential.exhaustedState(`${id} ${network}`)
    if (credentialState) this.#refuse(reply, credentialState)
    if (this.#recent.has(id)) return
    const addressState = this.#address.exhaustedState(network)
    if (addressState) this.#refuse(reply, addressState)
  }

  /** Refuses a caller that was exhausted at its last authentication and still is. */
  #refuseExhausted(outcome: Outcome, id: string): void {
    const exhausted = this.#exhausted.get(id)
    if (exhausted === undefined) return
    outcome.principal = exhausted
    const state = this.#requests.exhaustedState(exhausted)
    if (state) this.#refuse(outcome, state)
    outcome.principal = null
    this.#exhausted.delete(id)
  }

  /** A bounded cache: a caller that was dropped is only authenticated again. */
  #markExhausted(id: string, principal: Principal): void {
    if (this.#exhausted.size >= exhaustedMax) this.#exhausted.clear()
    this.#exhausted.set(id, principal)
  }

  #countFailure(error: unknown): void {
    if (!(error instanceof Failure) || problems[error.problem].status !== 401) return
    this.#failures.inc({ problem: error.problem })
  }

  /**
   * Counts a refused credential. A key used from a network outside its `allowed_cidrs` is limited
   * in that network only, so that its holder is not locked out elsewhere. The headers do not reveal
   * whether the credential ended or never existed.
   */
  async #recordFailure(
    reply: WithHeaders,
    { id, network }: CredentialSource,
    error: unknown,
  ): Promise<void> {
    if (!(error instanceof Failure)) return
    this.#countFailure(error)
    const isFromOtherNetwork = error.problem === 'address_not_allowed'
    if (!isFromOtherNetwork) this.#recent.delete(id)
    const credentialState = await this.#credential.consume(
      isFromOtherNetwork ? `${id} ${network}` : id,
    )
    if (credentialState.isExceeded) this.#refuse(reply, credentialState)
    reply.headers(rateLimitHeaders([credentialState]))
    const isFirst = credentialState.remaining === this.#credential.perMinute - 1
    if (!isFirst || !guessProblems.has(error.problem)) return
    const addressState = await this.#address.consume(network)
    if (addressState.isExceeded) this.#refuse(reply, addressState)
  }

  async #charge(outcome: Outcome, principal: Principal): Promise<void> {
    const states = await this.#requests.consume(principal)
    const exceeded = states.find(({ isExceeded }) => isExceeded)
    if (exceeded) this.#refuse(outcome, exceeded)
    outcome.rateLimitStates = states
    outcome.headers(rateLimitHeaders(states))
  }

  /** Refunds a revalidation that found no change: it costs no query besides authentication. */
  async refund(
    { principal, rateLimitStates }: Pick<Outcome, 'principal' | 'rateLimitStates'>,
    reply: WithHeaders,
  ): Promise<void> {
    if (principal === null || rateLimitStates === null) return
    const refunds = await this.#refunds.consume(principal)
    if (refunds.some(({ isExceeded }) => isExceeded)) return
    this.#requests.refund(principal)
    const refunded = rateLimitStates.map((each) => ({ ...each, remaining: each.remaining + 1 }))
    reply.headers(rateLimitHeaders(refunded))
  }

  #refuse(reply: WithHeaders, state: WindowState): never {
    const { limit } = state
    this.#rateLimited.inc({ limit: limit.name })
    reply.headers(rateLimitHeaders([state]))
    const reset = Math.max(Math.ceil(state.resetMs / 1000), 1)
    const seconds = reset + randomInt(jitterSeconds + 1)
    throw new Failure('rate_limited', `${limit.detail} Try again in ${seconds} seconds.`, {
      limit: limit.name,
      retry_after: seconds,
    })
  }
}

/**
 * The network of a client: an IPv4 address or an IPv6 /64. That of the proxy itself, when a trusted
 * proxy sends no valid client address.
 */
export const networkOf = ({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>) =>
  rateLimitPrefix(ip) ?? rateLimitPrefix(socket.remoteAddress ?? '') ?? ''

/** The hash of a credential, and the network that it was sent from. */
interface CredentialSource {
  readonly id: string
  readonly network: string
}

const sourceOf = (
  client: RequestClient,
  credential: Pick<Credential, 'hash'>,
): CredentialSource => ({
  id: credentialId(credential),
  network: networkOf(client),
})

/** The RateLimit headers of draft-ietf-httpapi-ratelimit-headers. */
const rateLimitHeaders = (states: readonly WindowState[]) => ({
  'ratelimit-policy': states
    .map(({ limit: { name, perMinute } }) => `"${name}";q=${perMinute};w=${windowSeconds}`)
    .join(', '),
  ratelimit: states
    .map(
      ({ limit, remaining, resetMs }) =>
        `"${limit.name}";r=${remaining};t=${Math.ceil(resetMs / 1000)}`,
    )
    .join(', '),
})

function addStoreMetric(registry: Registry, shared: SharedCounts | null): void {
  registry.registerMetric(
    new Gauge({
      name: 'muster_rate_limit_store_up',
      help: 'Whether requests are counted as configured; 0 while Redis is down.',
      registers: [],
      collect() {
        this.set(shared === null || shared.isReady ? 1 : 0)
      },
    }),
  )
}

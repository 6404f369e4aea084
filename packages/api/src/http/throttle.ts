import { randomInt } from 'node:crypto'

import { type ProblemName, problems, type Rates } from '@muster/contract'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Counter, Gauge, type Registry } from 'prom-client'

import { neighbourhood } from '#domain/addresses'
import type { Credential, Door } from '#domain/door'
import { Failure } from '#domain/failure'

import type { Visitor } from './door.ts'
import { Limit, type Standing, windowSeconds } from './limit.ts'
import { RecentCredentials } from './recent-credentials.ts'
import type { RedisOptions, SharedCounts } from './shared-counts.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What is left to the caller after this request; null before it was counted. */
    standings: readonly Standing[] | null
    /** The answer is 304, decided by an ETag that the caller named and by nothing but the door. */
    isRefundable: boolean
  }
}

interface ThrottleOptions {
  readonly door: Door
  readonly rates: Rates
  /** Where processes count together; null when each counts for itself. */
  readonly redis: RedisOptions | null
  readonly shared: SharedCounts | null
  readonly registry: Registry
}

/** The client of Redis is loaded where there is one: it takes a tenth of the time to start. */
export async function openCounts(
  redis: RedisOptions | null,
  log: FastifyBaseLogger,
): Promise<SharedCounts | null> {
  if (redis === null) return null
  const { SharedCounts } = await import('./shared-counts.ts')
  return new SharedCounts(redis.url, log)
}

/** The limit's name in headers and problems, its number, and what to say when it is exceeded. */
const limitsOf = ({ key, workspace, failures }: Rates) => ({
  key: {
    name: 'key',
    perMinute: key,
    detail: `This key exceeded its limit of ${key} requests a minute.`,
  },
  workspace: {
    name: 'workspace',
    perMinute: workspace,
    detail: `The keys of this workspace exceeded their limit of ${workspace} requests a minute.`,
  },
  address: {
    name: 'address',
    perMinute: failures,
    detail: `Authentication failed with ${failures} different credentials from your IP address.`,
  },
  credential: {
    name: 'key',
    perMinute: failures,
    detail: `This credential was refused ${failures} times within a minute. Replace it.`,
  },
})

/** Clients that were refused together should not come back together. */
const jitterSeconds = windowSeconds / 10

/** How many callers who have nothing left are kept in mind. */
const spentMax = 10_000

/** The problems of a credential that was never issued, or that can no longer be found. */
const guesses: ReadonlySet<ProblemName> = new Set(['unknown_key', 'session_ended'])

/**
 * Rate limiting. A request that authenticates counts for its key and its workspace. A credential
 * that is refused is limited by itself; an unknown one counts once a minute for its IP address too,
 * which limits guessing. An address over its limit is refused before the database is asked, but for
 * credentials that authenticated within the last minutes: they are no guesses, and a neighbour's
 * failures must not lock them out.
 *
 * To refuse must cost less than to answer, or those who ask too often would still be in everyone's
 * way. So the door is not asked again about a caller who has nothing left: one whose key is revoked
 * meanwhile is refused for asking too often, until the minute is over.
 */
export class Throttle {
  readonly #door: Door
  readonly #key: Limit
  readonly #workspace: Limit
  readonly #address: Limit
  readonly #credential: Limit
  readonly #recent = new RecentCredentials()
  /** Those who have nothing left, by the hash of their credential. */
  readonly #spent = new Map<string, Visitor>()
  readonly #refusals: Counter<'limit'>
  readonly #failures: Counter<'problem'>

  constructor(app: FastifyInstance, { door, rates, redis, shared, registry }: ThrottleOptions) {
    this.#door = door
    const prefix = redis?.prefix ?? ''
    const { key, workspace, address, credential } = limitsOf(rates)
    this.#key = new Limit({ ...key, prefix, shared })
    this.#workspace = new Limit({ ...workspace, prefix, shared })
    this.#address = new Limit({ ...address, prefix, shared })
    this.#credential = new Limit({ ...credential, prefix, shared })
    const registers = [registry]
    this.#refusals = new Counter({
      name: 'muster_rate_limited_total',
      help: 'Requests that were refused because there were too many, by limit.',
      labelNames: ['limit'],
      registers,
    })
    for (const { name } of [key, workspace, address]) this.#refusals.inc({ limit: name }, 0)
    this.#failures = new Counter({
      name: 'muster_failed_authentications_total',
      help: 'Requests whose credential was missing or not valid, by problem.',
      labelNames: ['problem'],
      registers,
    })
    addGauge(registry, shared)
    if (shared !== null) {
      app.addHook('onReady', () => shared.open())
      app.addHook('onClose', async () => shared.close())
    }
    app.decorateRequest('standings', null)
    app.decorateRequest('isRefundable', false)
    app.addHook('onSend', async (request, reply) => {
      if (reply.statusCode === 304 && request.isRefundable) this.#giveBack(request, reply)
    })
  }

  /** Authenticates a request and counts it, or refuses it. */
  async admit(
    request: FastifyRequest,
    reply: FastifyReply,
    read: () => Credential,
  ): Promise<Visitor> {
    const credential = this.#read(read)
    const sent = sentBy(request, credential)
    this.#refuseBlocked(reply, sent)
    this.#refuseSpent(request, reply, sent.id)
    try {
      request.visitor = await this.#door.open(credential, request.ip)
    } catch (error) {
      await this.#noteFailure(reply, sent, error)
      throw error
    }
    const { visitor } = request
    this.#recent.add(sent.id)
    try {
      await this.#charge(request, reply, visitor)
    } catch (error) {
      this.#remember(sent.id, visitor)
      throw error
    }
    return visitor
  }

  /** Does what counts as a failed authentication when it finds nothing, and answers as ever. */
  async attempt(
    request: FastifyRequest,
    reply: FastifyReply,
    { work, ...credential }: Pick<Credential, 'hash'> & { work: () => Promise<boolean> },
  ): Promise<void> {
    const sent = sentBy(request, credential)
    this.#refuseBlocked(reply, sent)
    if (!(await work())) await this.#noteFailure(reply, sent, new Failure('session_ended'))
  }

  /** A missing or malformed credential costs no database and is no guess: it is not limited. */
  #read(read: () => Credential): Credential {
    try {
      return read()
    } catch (error) {
      this.#countFailure(error)
      throw error
    }
  }

  #refuseBlocked(reply: FastifyReply, { id, network }: Sent): void {
    const own = this.#credential.refusal(id) ?? this.#credential.refusal(`${id} ${network}`)
    if (own) this.#refuse(reply, this.#credential, own)
    if (this.#recent.has(id)) return
    const ofAddress = this.#address.refusal(network)
    if (ofAddress) this.#refuse(reply, this.#address, ofAddress)
  }

  /** One who had nothing left when the door was last asked, and still has not. */
  #refuseSpent(request: FastifyRequest, reply: FastifyReply, id: string): void {
    const spent = this.#spent.get(id)
    if (spent === undefined) return
    request.visitor = spent
    this.#refuseFull(reply, spent)
    request.visitor = null
    this.#spent.delete(id)
  }

  /** Refuses, without counting, one of whom it is known that nothing is left. */
  #refuseFull(reply: FastifyReply, { keyId, workspaceId }: Visitor): void {
    const ofKey = this.#key.refusal(keyId)
    if (ofKey) this.#refuse(reply, this.#key, ofKey)
    const ofWorkspace = this.#workspace.refusal(workspaceId)
    if (ofWorkspace) this.#refuse(reply, this.#workspace, ofWorkspace)
  }

  /** Forgetting one costs no more than asking the door again. */
  #remember(id: string, visitor: Visitor): void {
    if (this.#spent.size >= spentMax) this.#spent.clear()
    this.#spent.set(id, visitor)
  }

  #countFailure(error: unknown): void {
    if (!(error instanceof Failure) || problems[error.problem].status !== 401) return
    this.#failures.inc({ problem: error.problem })
  }

  /**
   * Limits a credential that was refused by itself. A key that is used from a network it is not
   * bound to is limited there alone: its holder elsewhere must not be locked out. The headers are
   * the same whether the credential ended or never existed.
   */
  async #noteFailure(reply: FastifyReply, { id, network }: Sent, error: unknown): Promise<void> {
    if (!(error instanceof Failure)) return
    this.#countFailure(error)
    const isElsewhere = error.problem === 'address_not_allowed'
    if (!isElsewhere) this.#recent.delete(id)
    const own = await this.#credential.take(isElsewhere ? `${id} ${network}` : id)
    if (own.isOver) this.#refuse(reply, this.#credential, own)
    reply.headers(fields([this.#credential], [own]))
    const isFirst = own.left === this.#credential.perMinute - 1
    if (!isFirst || !guesses.has(error.problem)) return
    const ofAddress = await this.#address.take(network)
    if (ofAddress.isOver) this.#refuse(reply, this.#address, ofAddress)
  }

  /** What a full key asks for is not taken from the others of its workspace. */
  async #charge(request: FastifyRequest, reply: FastifyReply, visitor: Visitor): Promise<void> {
    const { keyId, workspaceId } = visitor
    const [key, workspace] = [this.#key, this.#workspace]
    this.#refuseFull(reply, visitor)
    const [ofKey, ofWorkspace] = await Promise.all([key.take(keyId), workspace.take(workspaceId)])
    if (ofKey.isOver) {
      workspace.giveBack(workspaceId)
      this.#refuse(reply, key, ofKey)
    }
    if (ofWorkspace.isOver) {
      key.giveBack(keyId)
      this.#refuse(reply, workspace, ofWorkspace)
    }
    request.standings = [ofKey, ofWorkspace]
    reply.headers(fields([key, workspace], request.standings))
  }

  /** To ask whether anything has changed, when nothing has, costs no database and is free. */
  #giveBack({ visitor, standings }: FastifyRequest, reply: FastifyReply): void {
    if (visitor === null || standings === null) return
    this.#key.giveBack(visitor.keyId)
    this.#workspace.giveBack(visitor.workspaceId)
    const returned = standings.map((each) => ({ ...each, left: each.left + 1 }))
    reply.headers(fields([this.#key, this.#workspace], returned))
  }

  #refuse(reply: FastifyReply, limit: Limit, standing: Standing): never {
    this.#refusals.inc({ limit: limit.name })
    reply.headers(fields([limit], [standing]))
    const reset = Math.max(Math.ceil(standing.resetMs / 1000), 1)
    const seconds = reset + randomInt(jitterSeconds + 1)
    throw new Failure('rate_limited', `${limit.detail} Try again in ${seconds} seconds.`, {
      limit: limit.name,
      retry_after: seconds,
    })
  }
}

/** Where a proxy that is trusted names no address, it is the proxy's own. */
const networkOf = ({ ip, socket }: FastifyRequest) =>
  neighbourhood(ip) ?? neighbourhood(socket.remoteAddress ?? '') ?? ''

/** A credential by its hash, and the network that it was sent from. */
interface Sent {
  readonly id: string
  readonly network: string
}

const sentBy = (request: FastifyRequest, { hash }: Pick<Credential, 'hash'>): Sent => ({
  id: hash.toString('base64'),
  network: networkOf(request),
})

/** The RateLimit fields of draft-ietf-httpapi-ratelimit-headers: what is allowed, what is left. */
const fields = (limits: readonly Limit[], standings: readonly Standing[]) => ({
  'ratelimit-policy': limits
    .map(({ name, perMinute }) => `"${name}";q=${perMinute};w=${windowSeconds}`)
    .join(', '),
  ratelimit: standings
    .map(({ name, left, resetMs }) => `"${name}";r=${left};t=${Math.ceil(resetMs / 1000)}`)
    .join(', '),
})

function addGauge(registry: Registry, shared: SharedCounts | null): void {
  registry.registerMetric(
    new Gauge({
      name: 'muster_limiter_up',
      help: 'Whether requests are counted as configured; 0 while Redis is away and each process counts for itself.',
      registers: [],
      collect() {
        this.set(shared === null || shared.isReady ? 1 : 0)
      },
    }),
  )
}

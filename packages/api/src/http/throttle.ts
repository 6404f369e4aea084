import { createHash, randomInt } from 'node:crypto'

import { problems, type Rates } from '@muster/contract'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Counter, Gauge, type Registry } from 'prom-client'

import { neighbourhood } from '#domain/addresses'
import type { Door } from '#domain/door'
import { Failure } from '#domain/failure'
import type { TokenKind } from '#domain/token'

import type { Visitor } from './door.ts'
import { Limit, type Standing, windowSeconds } from './limit.ts'
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

interface Credential {
  readonly token: string
  readonly kind: TokenKind
}

type LimitName = 'key' | 'workspace' | 'address'

const said: Record<LimitName, (perMinute: number) => string> = {
  key: (count) => `This key may make ${count} requests a minute, and has.`,
  workspace: (count) =>
    `All keys of this workspace together may make ${count} requests a minute, and have.`,
  address: (count) =>
    `From your address came ${count} requests within a minute whose credential is not valid.`,
}

/** Clients that were refused together should not come back together. */
const jitterSeconds = windowSeconds / 10

/** How many callers who have nothing left are kept in mind. */
const spentMax = 10_000

/**
 * How often one may ask. A request counts for its key and its workspace once the door has opened,
 * and for its address when it has not; an address that failed too often is refused before the door
 * is asked.
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
  /** Those who have nothing left, by the hash of their credential. */
  readonly #spent = new Map<string, Visitor>()
  readonly #refusals: Counter<'limit'>
  readonly #failures: Counter<'problem'>

  constructor(app: FastifyInstance, { door, rates, redis, shared, registry }: ThrottleOptions) {
    this.#door = door
    const prefix = redis?.prefix ?? ''
    const limit = (name: LimitName, perMinute: number) =>
      new Limit({ name, perMinute, prefix, shared })
    this.#key = limit('key', rates.key)
    this.#workspace = limit('workspace', rates.workspace)
    this.#address = limit('address', rates.failures)
    const registers = [registry]
    this.#refusals = new Counter({
      name: 'muster_rate_limited_total',
      help: 'Requests that were refused because there were too many, by limit.',
      labelNames: ['limit'],
      registers,
    })
    for (const name of Object.keys(said)) this.#refusals.inc({ limit: name }, 0)
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

  /** Whoever the door opens for, and who has not asked too often. */
  async admit(
    request: FastifyRequest,
    reply: FastifyReply,
    credential: () => Credential,
  ): Promise<Visitor> {
    const network = networkOf(request)
    const refusal = this.#address.refusal(network)
    if (refusal) this.#refuse(reply, this.#address, refusal)
    let sent: Credential
    try {
      sent = credential()
      this.#refuseSpent(request, reply, sent)
      request.visitor = await this.#door.open({ ...sent, address: request.ip })
    } catch (error) {
      await this.#noteFailure(reply, network, error)
      throw error
    }
    const { visitor } = request
    try {
      await this.#charge(request, reply, visitor)
    } catch (error) {
      this.#remember(sent, visitor)
      throw error
    }
    return visitor
  }

  /** Does what an address may fail at only so often, though failing is no reason to refuse it. */
  async attempt(
    request: FastifyRequest,
    reply: FastifyReply,
    work: () => Promise<boolean>,
  ): Promise<void> {
    const network = networkOf(request)
    const refusal = this.#address.refusal(network)
    if (refusal) this.#refuse(reply, this.#address, refusal)
    if (!(await work())) await this.#address.take(network)
  }

  /** One who had nothing left when the door was last asked, and still has not. */
  #refuseSpent(request: FastifyRequest, reply: FastifyReply, sent: Credential): void {
    if (this.#spent.size === 0) return
    const hash = hashOf(sent)
    const spent = this.#spent.get(hash)
    if (spent === undefined) return
    request.visitor = spent
    this.#refuseFull(reply, spent)
    request.visitor = null
    this.#spent.delete(hash)
  }

  /** Refuses, without counting, one of whom it is known that nothing is left. */
  #refuseFull(reply: FastifyReply, { keyId, workspaceId }: Visitor): void {
    const ofKey = this.#key.refusal(keyId)
    if (ofKey) this.#refuse(reply, this.#key, ofKey)
    const ofWorkspace = this.#workspace.refusal(workspaceId)
    if (ofWorkspace) this.#refuse(reply, this.#workspace, ofWorkspace)
  }

  /** Forgetting one costs no more than asking the door again. */
  #remember(sent: Credential, visitor: Visitor): void {
    if (this.#spent.size >= spentMax) this.#spent.clear()
    this.#spent.set(hashOf(sent), visitor)
  }

  /** Whoever sends no credential tries none, and is not counted. */
  async #noteFailure(reply: FastifyReply, network: string, error: unknown): Promise<void> {
    if (!(error instanceof Failure) || problems[error.problem].status !== 401) return
    this.#failures.inc({ problem: error.problem })
    if (error.problem === 'missing_credentials') return
    const standing = await this.#address.take(network)
    if (standing.isOver) this.#refuse(reply, this.#address, standing)
    reply.headers(fields([this.#address], [standing]))
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
    // The cast holds because limits are made here, and with these names.
    const what = said[limit.name as LimitName](limit.perMinute)
    throw new Failure('rate_limited', `${what} Try again in ${seconds} seconds.`, {
      limit: limit.name,
      retry_after: seconds,
    })
  }
}

/** Where a proxy that is trusted names no address, it is the proxy's own. */
const networkOf = ({ ip, socket }: FastifyRequest) =>
  neighbourhood(ip) ?? neighbourhood(socket.remoteAddress ?? '') ?? ''

const hashOf = ({ token, kind }: Credential) =>
  createHash('sha256').update(kind).update(token).digest('base64')

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

import { setTimeout as sleep } from 'node:timers/promises'

import { createClient } from '@redis/client'
import type { FastifyBaseLogger } from 'fastify'

export interface RedisOptions {
  readonly url: string
  /** The prefix of all keys, for a Redis that other programs use too. */
  readonly prefix: string
}

/** The requests counted in a window, and the time until it resets. */
export interface WindowCount {
  readonly count: number
  readonly resetMs: number
}

/** How long a request waits for Redis at most. */
const commandTimeoutMs = 50
/** After this time without a successful command, none are sent until a probe succeeds. */
const failureMsMax = 250
const probeIntervalMs = 1000
/** Consecutive failed probes after which the client reconnects. */
const failedProbesMax = 5

/**
 * Adds to a count and returns it with the time until it expires. The first addition starts the
 * window. A refund after the window ended is dropped.
 */
const addScript = `
if tonumber(ARGV[1]) < 0 and redis.call('EXISTS', KEYS[1]) == 0 then return {0, 0} end
local count = redis.call('INCRBY', KEYS[1], ARGV[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[2])
  redis.call('PEXPIRE', KEYS[1], left)
end
return {count, left}`

/**
 * Request counts in Redis, shared by all processes. No response depends on Redis: while it is down,
 * slow or frozen, `isReady` is false, no command is sent, and each process counts separately. A
 * probe detects when it is back.
 */
export class SharedCounts {
  readonly #url: string
  readonly #log: FastifyBaseLogger
  #client: ReturnType<typeof newClient>
  #probeTimer: NodeJS.Timeout | null = null
  #isReady = false
  #failingSince: number | null = null
  #failedProbes = 0

  constructor(url: string, log: FastifyBaseLogger) {
    this.#url = url
    this.#log = log
    this.#client = newClient(url)
  }

  get isReady(): boolean {
    return this.#isReady
  }

  /** Waits up to a second for Redis, then continues without it. */
  async open(): Promise<void> {
    this.#connect()
    for (let tries = 0; tries < 10 && !this.#isReady; tries++) {
      await this.#probe()
      if (!this.#isReady) await sleep(50)
    }
    if (!this.#isReady) this.#log.warn(unreachableMessage)
    this.#probeTimer = setInterval(() => void this.#probe(), probeIntervalMs).unref()
  }

  close(): void {
    if (this.#probeTimer) clearInterval(this.#probeTimer)
    this.#probeTimer = null
    this.#isReady = false
    this.#client.destroy()
  }

  async add(name: string, points: number, windowMs: number): Promise<WindowCount> {
    const options = { keys: [name], arguments: [String(points), String(windowMs)] }
    try {
      const counted = await withTimeout(this.#client.eval(addScript, options))
      this.#failingSince = null
      // The cast holds because the script returns these two numbers.
      const [count, resetMs] = counted as unknown as [number, number]
      return { count, resetMs }
    } catch (error) {
      this.#failingSince ??= performance.now()
      if (performance.now() - this.#failingSince > failureMsMax) this.#fail(error)
      throw error
    }
  }

  #connect(): void {
    const client = this.#client
    client.on('error', (error) => {
      if (client === this.#client) this.#fail(error)
    })
    // The client reconnects until it is closed, and reports errors through the listener above.
    client.connect().catch(() => {})
  }

  #fail(error: unknown): void {
    if (!this.#isReady) return
    this.#isReady = false
    const reason = error instanceof Error ? error.message : 'unknown'
    this.#log.warn({ reason }, unreachableMessage)
  }

  /** The probe has a time-out too, so that a slow Redis is not used either. */
  async #probe(): Promise<void> {
    if (this.#isReady) return
    const client = this.#client
    const isAnswering = client.isReady && (await withTimeout(client.ping()).then(succeeded, failed))
    if (client !== this.#client) return
    if (isAnswering) {
      this.#isReady = true
      this.#failingSince = null
      this.#failedProbes = 0
      this.#log.info('Redis answers. All processes count requests together.')
      return
    }
    this.#failedProbes += 1
    if (this.#failedProbes < failedProbesMax || this.#probeTimer === null) return
    // A connection can be dead without an error, for example behind a firewall.
    this.#failedProbes = 0
    client.destroy()
    this.#client = newClient(this.#url)
    this.#connect()
  }
}

const unreachableMessage =
  'Redis cannot be reached. Each process counts requests separately until it can.'
const succeeded = () => true
const failed = () => false

const newClient = (url: string) =>
  createClient({
    url,
    disableOfflineQueue: true,
    commandsQueueMaxLength: 10_000,
    socket: { connectTimeout: 2000, reconnectStrategy: (tries) => Math.min(tries * 100, 1000) },
  })

function withTimeout<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // A response that arrived while this process was busy is read first, and is in time.
      setImmediate(() => reject(new Error(`no response within ${commandTimeoutMs} ms`)))
    }, commandTimeoutMs)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

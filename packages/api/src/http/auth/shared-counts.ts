import { setTimeout as sleep } from 'node:timers/promises'

import { createClient } from '@redis/client'
import type { FastifyBaseLogger } from 'fastify'

export interface RedisOptions {
  readonly url: string
  /** What the names of our counters begin with, where a Redis has other users too. */
  readonly prefix: string
}

/** What a caller has used of its window, and in how long the window ends. */
export interface Count {
  readonly count: number
  readonly resetMs: number
}

/** How long a request waits for Redis at most. */
const patienceMs = 50
/** For how long commands may fail, without one that does not, before none are sent any more. */
const failingMsMax = 250
const probeEveryMs = 1000
/** After so many probes without an answer the connection is given up for a new one. */
const silencesMax = 5

/**
 * Adds to a count and returns it with the time until it expires. The first addition starts the
 * window. What is given back after the window ended is dropped.
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
 * The Redis in which several processes count together. No answer depends on it: while it is away,
 * slow or frozen, `isReady` is false, nothing is sent or waited for, and each process counts for
 * itself. A probe finds out when it is back.
 */
export class SharedCounts {
  readonly #url: string
  readonly #log: FastifyBaseLogger
  #client: ReturnType<typeof newClient>
  #probing: NodeJS.Timeout | null = null
  #isReady = false
  #failingSince: number | null = null
  #silences = 0

  constructor(url: string, log: FastifyBaseLogger) {
    this.#url = url
    this.#log = log
    this.#client = newClient(url)
  }

  get isReady(): boolean {
    return this.#isReady
  }

  /** Waits for Redis a little, and goes on without it then. */
  async open(): Promise<void> {
    this.#connect()
    for (let tries = 0; tries < 10 && !this.#isReady; tries++) {
      await this.#probe()
      if (!this.#isReady) await sleep(50)
    }
    if (!this.#isReady) this.#log.warn(away)
    this.#probing = setInterval(() => void this.#probe(), probeEveryMs).unref()
  }

  close(): void {
    if (this.#probing) clearInterval(this.#probing)
    this.#probing = null
    this.#isReady = false
    this.#client.destroy()
  }

  async add(name: string, points: number, windowMs: number): Promise<Count> {
    const options = { keys: [name], arguments: [String(points), String(windowMs)] }
    try {
      const counted = await inTime(this.#client.eval(addScript, options))
      this.#failingSince = null
      // The cast holds because the script returns these two numbers.
      const [count, resetMs] = counted as unknown as [number, number]
      return { count, resetMs }
    } catch (error) {
      this.#failingSince ??= performance.now()
      if (performance.now() - this.#failingSince > failingMsMax) this.#fail(error)
      throw error
    }
  }

  #connect(): void {
    const client = this.#client
    client.on('error', (error) => {
      if (client === this.#client) this.#fail(error)
    })
    // It tries for as long as it is open; what goes wrong is told as an error, above.
    client.connect().catch(() => {})
  }

  #fail(error: unknown): void {
    if (!this.#isReady) return
    this.#isReady = false
    const reason = error instanceof Error ? error.message : 'unknown'
    this.#log.warn({ reason }, away)
  }

  /** A Redis that is there but slow is not used either: the probe must be answered in time too. */
  async #probe(): Promise<void> {
    if (this.#isReady) return
    const client = this.#client
    const isBack = client.isReady && (await inTime(client.ping()).then(isPong, isSilent))
    if (client !== this.#client) return
    if (isBack) {
      this.#isReady = true
      this.#failingSince = null
      this.#silences = 0
      this.#log.info('Redis answers: requests are counted by all processes together.')
      return
    }
    this.#silences += 1
    if (this.#silences < silencesMax || this.#probing === null) return
    // A connection can be dead without anyone having said so.
    this.#silences = 0
    client.destroy()
    this.#client = newClient(this.#url)
    this.#connect()
  }
}

const away =
  'Redis cannot be reached in time. Each process counts requests for itself until it can.'
const isPong = () => true
const isSilent = () => false

const newClient = (url: string) =>
  createClient({
    url,
    disableOfflineQueue: true,
    commandsQueueMaxLength: 10_000,
    socket: { connectTimeout: 2000, reconnectStrategy: (tries) => Math.min(tries * 100, 1000) },
  })

function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // What came while we were busy ourselves is read first, and counts as in time.
      setImmediate(() => reject(new Error(`no answer within ${patienceMs} ms`)))
    }, patienceMs)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

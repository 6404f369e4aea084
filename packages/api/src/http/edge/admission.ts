/** Load shedding: a bounded number of requests is in progress, and the rest get 503 quickly. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import { Failure } from '#domain/engine/failure'

import {
  type Line,
  type LineName,
  AdmissionLines,
  type QueuedRequest,
  type QueueName,
  type RequestClass,
  type Slot,
  type Startable,
} from './admission-lines.ts'
import { refuse } from './overloaded-response.ts'

/** Why a request was shed; the label `reason` of the metric. */
export type ShedReason = 'waited' | 'crowded' | 'streams' | 'bodies'

/** A request and its response. */
export interface HttpExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Retry-After grows by one second for each 250 queued requests. */
const queuedPerRetrySecond = 250
const retryAfterSecondsMax = 10
const expiryCheckMs = 25
/** Of all places, those that large requests may have. */
const largeFraction = 1 / 20
/** Of all places, and of those to wait, what requests without a known workspace may have. */
export const anonymousFraction = 1 / 4
/** A large request waits longer by this factor, because those before it take longer. */
const largeQueueFactor = 5
/** The shortest time between two log lines about refusals. */
const logIntervalMs = 1000

/** Time limits of requests, in milliseconds. Tests raise the ones they do not test. */
export interface RequestTimeouts {
  /** Long enough to absorb a burst, and short enough for a person who waits for a page. */
  readonly queueMs: number
  /**
   * The handler time-out of each class. It also bounds how long a request whose client disconnected
   * holds its place. A large request has more time: its size alone is no reason to refuse it.
   */
  readonly handlerMs: Readonly<Record<RequestClass, number>>
}

export const requestTimeouts: RequestTimeouts = {
  queueMs: 1000,
  handlerMs: { read: 8000, write: 8000, large: 30_000 },
}

/** Refusals since the last report, and the reason of the last one. */
interface Shed {
  readonly count: number
  readonly reason: ShedReason
}

interface AdmissionOptions {
  /** The number of requests that run at once. */
  readonly concurrencyMax: number
  readonly timeouts?: RequestTimeouts
  /** The number of requests that may wait. */
  readonly waitingMax?: number
  /** Called at most once a second, with the number of refusals since the last call. */
  readonly onShed?: (shed: Shed) => void
}

/** What admission control knows about a request. */
export interface Arrival {
  readonly requestClass: RequestClass
  readonly line: LineName
}

/**
 * Admission control with load shedding. A concurrency limit bounds the requests that run at once,
 * because more would only slow one another down. A request waits in the line of its workspace, and
 * without a principal in the line of its network. The lines of all networks together have a quarter
 * of the places.
 *
 * One workspace may have all places. When others wait, the next place goes to the line that has
 * used the least time. Of one line, reads come before writes, and writes before large requests:
 * complete lists, batches and long pages. Only a few of those run at once, because each of them
 * occupies the process for a while.
 *
 * A request waits for at most a second, and gets 503 before any work is done for it. A large one
 * waits longer. The oldest request is served first. Once it has waited half of that time the queue
 * is too long for all, and the newest is served first: its client is most likely still there.
 *
 * A client that ignores Retry-After would make refusals expensive. So a request that comes earlier
 * on the same connection stays queued until that time, and is not refused again before it. Without
 * this, 2000 such clients cause four times as many refusals.
 *
 * A request holds no place while its body arrives, while the service waits for another server, or
 * while the client reads the response. Otherwise a few slow clients or servers could hold all.
 */
export class Admission {
  readonly #max: { readonly all: number; readonly large: number; readonly anonymous: number }
  readonly #waitingMax: { readonly all: number; readonly anonymous: number }
  readonly #timeouts: RequestTimeouts
  readonly #onShed: (shed: Shed) => void
  readonly #slots = new WeakMap<IncomingMessage, Slot>()
  readonly #lines = new AdmissionLines()
  readonly #shed: Record<ShedReason, number> = { waited: 0, crowded: 0, streams: 0, bodies: 0 }
  readonly #retryAt = new WeakMap<Socket, number>()
  readonly #running = { all: 0, large: 0, anonymous: 0 }
  readonly #waiting = { all: 0, anonymous: 0 }
  #isExpiryScheduled = false
  #unloggedShed = 0
  #loggedAt = -Infinity

  constructor({ concurrencyMax, waitingMax = 4096, ...options }: AdmissionOptions) {
    const { timeouts = requestTimeouts, onShed = () => {} } = options
    const shareOf = (fraction: number) => Math.max(1, Math.floor(concurrencyMax * fraction))
    this.#max = {
      all: concurrencyMax,
      large: shareOf(largeFraction),
      anonymous: shareOf(anonymousFraction),
    }
    this.#waitingMax = { all: waitingMax, anonymous: Math.ceil(waitingMax * anonymousFraction) }
    this.#timeouts = timeouts
    this.#onShed = onShed
  }

  get requests() {
    return { working: this.#running.all, waiting: this.#waiting.all }
  }

  get shed(): Readonly<Record<ShedReason, number>> {
    return this.#shed
  }

  /** Runs `handle` when a place is free, or responds with 503. */
  admit(exchange: HttpExchange, arrival: Arrival, handle: () => void): void {
    const { request, response } = exchange
    const { requestClass } = arrival
    const line = this.#lines.get(arrival.line)
    const slot: Slot = { requestClass, line, isHeld: false, startedAt: 0, isClosed: false }
    this.#slots.set(request, slot)
    response.once('close', () => {
      slot.isClosed = true
      if (response.writableEnded) this.release(request)
      // The client has disconnected, but the handler still runs.
      else this.#releaseLater(request, slot)
    })
    this.#acquire({
      slot,
      ...this.#waitFrom(requestClass, this.#retryAt.get(request.socket)),
      start: handle,
      refuse: () => this.#answer(exchange),
      isAborted: () => response.destroyed,
    })
  }

  /** Whether the request runs: it has a place, or needs none. */
  isHeldBy(request: IncomingMessage): boolean {
    return this.#slots.get(request)?.isHeld ?? true
  }

  /** Responds with 503 to a request for which there is no room to wait. */
  refuse(exchange: HttpExchange): void {
    this.countShed('crowded')
    this.#answer(exchange)
  }

  /**
   * Waits for a place after `release`, or for one in another class instead of its place. Rejects
   * with `overloaded` when none is free in time.
   */
  reacquire(
    request: IncomingMessage,
    change: Partial<Pick<Arrival, 'requestClass'>> = {},
  ): Promise<void> {
    const slot = this.#slots.get(request)
    if (!slot) return Promise.resolve()
    if (slot.isHeld) this.#giveBack({ ...slot })
    // The line may have been removed meanwhile.
    Object.assign(slot, { ...change, line: this.#lines.get(slot.line), isHeld: false })
    return new Promise((resolve, reject) => {
      this.#enqueue({
        slot,
        ...this.#waitFrom(slot.requestClass),
        start: resolve,
        refuse: () => reject(new Failure('overloaded')),
        isAborted: () => false,
      })
      this.#startNext()
    })
  }

  /**
   * Runs work that waits for another server, while the request holds no place. Afterwards the
   * request waits for a place without a deadline and is never refused, because it is partly done.
   * Rejects if the response has been closed meanwhile: nothing would release the place.
   */
  async releaseDuring<T>(request: IncomingMessage, work: () => Promise<T>): Promise<T> {
    const slot = this.#slots.get(request)
    if (!slot?.isHeld) return work()
    this.release(request)
    try {
      return await work()
    } finally {
      await this.#resume(request, slot)
    }
  }

  release(request: IncomingMessage): void {
    const slot = this.#slots.get(request)
    if (!slot?.isHeld) return
    slot.isHeld = false
    const held = { ...slot }
    const end = () => {
      this.#giveBack(held)
      if (this.#waiting.all > 0) this.#startNext()
    }
    // A response from memory takes no turn of the event loop. Without a pause, anonymous requests
    // could be answered one after another while all others wait.
    if (held.line.isAnonymous) setImmediate(end)
    else end()
  }

  /** Counts a refusal, and reports refusals at most once a second. */
  countShed(reason: ShedReason): void {
    this.#shed[reason] += 1
    this.#unloggedShed += 1
    const now = performance.now()
    if (now - this.#loggedAt < logIntervalMs) return
    this.#onShed({ count: this.#unloggedShed, reason })
    this.#unloggedShed = 0
    this.#loggedAt = now
  }

  #releaseLater(request: IncomingMessage, { requestClass }: Slot): void {
    setTimeout(() => this.release(request), this.#timeouts.handlerMs[requestClass]).unref()
  }

  #resume(request: IncomingMessage, slot: Slot): Promise<void> {
    // The line may have been removed meanwhile.
    slot.line = this.#lines.get(slot.line)
    return new Promise((resolve, reject) => {
      const start = () => {
        if (!slot.isClosed) return resolve()
        this.release(request)
        return reject(new Failure('request_timeout', 'The response was closed.'))
      }
      const since = performance.now()
      const neverRefused = { deadline: Infinity, refuse: reject, isAborted: () => false }
      this.#acquire({ slot, since, start, ...neverRefused }, 'returning')
    })
  }

  #waitFrom(requestClass: RequestClass, retryAt = 0) {
    const since = performance.now()
    return { since, deadline: Math.max(since + this.#queueMs(requestClass), retryAt) }
  }

  #queueMs(queueName: QueueName): number {
    if (queueName === 'returning') return Infinity
    return this.#timeouts.queueMs * (queueName === 'large' ? largeQueueFactor : 1)
  }

  #acquire(queued: QueuedRequest, queueName: QueueName = queued.slot.requestClass): void {
    if (this.#hasCapacityFor(queued.slot.line, queueName)) this.#start(queued)
    else this.#enqueue(queued, queueName)
  }

  #enqueue(queued: QueuedRequest, queueName: QueueName = queued.slot.requestClass): void {
    const { line } = queued.slot
    line.add(queued, queueName)
    this.#countWaiting(line, 1)
    if (queueName === 'returning') return
    this.#refuseCrowded(line)
    if (!this.#isExpiryScheduled) this.#scheduleExpiry()
  }

  #countWaiting({ isAnonymous }: Line, change: number): void {
    this.#waiting.all += change
    if (isAnonymous) this.#waiting.anonymous += change
  }

  #countRunning({ line, requestClass }: Slot, change: number): void {
    this.#running.all += change
    if (requestClass === 'large') this.#running.large += change
    if (line.isAnonymous) this.#running.anonymous += change
  }

  #start({ slot, start }: QueuedRequest): void {
    slot.isHeld = true
    slot.startedAt = performance.now()
    slot.line.start(slot.startedAt)
    this.#countRunning(slot, 1)
    start()
  }

  #giveBack(held: Slot): void {
    held.line.end(held.startedAt, performance.now())
    this.#countRunning(held, -1)
  }

  #hasCapacityFor({ isAnonymous }: Line, queueName: QueueName): boolean {
    const { all, large, anonymous } = this.#running
    if (all >= this.#max.all) return false
    if (isAnonymous && anonymous >= this.#max.anonymous) return false
    return queueName !== 'large' || large < this.#max.large
  }

  #startNext(): void {
    while (this.#running.all < this.#max.all && this.#waiting.all > 0) {
      const next = this.#lines.next((line, each) => this.#hasCapacityFor(line, each))
      if (next === null) return
      const queued = this.#takeFrom(next)
      if (queued && !queued.isAborted()) this.#start(queued)
    }
  }

  #takeFrom({ line, queueName }: Startable): QueuedRequest | null {
    const next = line.take(queueName, this.#queueMs(queueName) / 2)
    if (next !== null) this.#countWaiting(line, -1)
    return next
  }

  /** When too many wait, refuses the oldest request of the line with the most. */
  #refuseCrowded({ isAnonymous }: Line): void {
    const isAnonymousFull = this.#waiting.anonymous > this.#waitingMax.anonymous
    if (isAnonymous && isAnonymousFull) this.#refuseOneOf((line) => line.isAnonymous)
    else if (this.#waiting.all > this.#waitingMax.all) this.#refuseOneOf(() => true)
  }

  #refuseOneOf(lines: (line: Line) => boolean): void {
    const longest = this.#lines.longest(lines)
    const refused = longest?.takeLeastUrgent()
    if (!longest || !refused) return
    this.#countWaiting(longest, -1)
    this.countShed('crowded')
    refused.refuse()
  }

  #scheduleExpiry(): void {
    this.#isExpiryScheduled = true
    setTimeout(() => this.#refuseExpired(), expiryCheckMs)
  }

  #refuseExpired(): void {
    const now = performance.now()
    for (const line of this.#lines.values()) {
      if (line.waiting === 0) continue
      const expired = line.takeExpired(now)
      this.#countWaiting(line, -expired.length)
      for (const each of expired) this.#refuse(each)
    }
    this.#isExpiryScheduled = false
    if (this.#waiting.all > 0) this.#scheduleExpiry()
  }

  #refuse(queued: QueuedRequest): void {
    if (queued.isAborted()) return
    this.countShed('waited')
    queued.refuse()
  }

  #answer({ request, response }: HttpExchange): void {
    const seconds = this.#retryAfterSeconds()
    this.#retryAt.set(request.socket, performance.now() + seconds * 1000)
    refuse(response, seconds)
  }

  /** Jitter: clients that are refused together must not all return together. */
  #retryAfterSeconds(): number {
    const spread = 2 + this.#waiting.all / queuedPerRetrySecond
    return 1 + Math.floor(Math.random() * Math.min(spread, retryAfterSecondsMax))
  }
}

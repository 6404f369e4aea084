/** Load shedding: a bounded number of requests is in progress, and the rest get 503 quickly. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import { problems } from '@muster/contract'

import { Failure } from '#domain/engine/failure'
import { newRequestId } from '#domain/rules/id'
import { problemBody } from '#http/response/problem'

import { securityHeaders } from './headers.ts'

/** Request classes by priority. Load shedding refuses the last class first. */
const requestClasses = ['read', 'write', 'complete'] as const
export type RequestClass = (typeof requestClasses)[number]

/** Why a request was shed; the label `reason` of the metric. */
export type ShedReason = 'waited' | 'crowded' | 'streams'

/** A request and its response. */
export interface HttpExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

interface QueuedRequest {
  /** When the service refuses it, on the clock of `performance.now()`. */
  readonly deadline: number
  readonly start: () => void
  readonly refuse: () => void
  readonly isAborted: () => boolean
}

interface Slot {
  readonly requestClass: RequestClass
  isHeld: boolean
}

/** Retry-After grows by one second for each 250 queued requests. */
const queuedPerRetrySecond = 250
const retryAfterSecondsMax = 10
const expiryCheckMs = 25
const queueLengthMax = 4096

/** Time limits of requests, in milliseconds. Tests raise the ones they do not test. */
export interface RequestTimeouts {
  /** Long enough to absorb a burst, and short enough for a person who waits for a page. */
  readonly queueMs: number
  /**
   * The handler time-out of each class. It also bounds how long a request whose client disconnected
   * holds its slot. A complete list has more time: its length alone is no reason to refuse it.
   */
  readonly handlerMs: Readonly<Record<RequestClass, number>>
}

export const requestTimeouts: RequestTimeouts = {
  queueMs: 1000,
  handlerMs: { read: 8000, write: 8000, complete: 30_000 },
}

/**
 * Admission control with load shedding. A concurrency limit bounds the requests that run at once,
 * because more would only slow one another down. The others wait in a queue for at most a second.
 * The queue is last in, first out: the clients of the newest requests are most likely still there.
 * A request that waits longer gets 503 before any work is done for it. Reads have priority over
 * writes, and writes over complete lists.
 *
 * A client that ignores Retry-After would make refusals expensive. So a request that comes earlier
 * on the same connection stays queued until that time, and is not refused again before it.
 *
 * A request holds no slot while its body arrives or while the client reads the response. Otherwise
 * a few slow clients could hold all slots.
 */
export class Admission {
  readonly #concurrencyMax: number
  readonly #timeouts: RequestTimeouts
  readonly #completeConcurrencyMax: number
  readonly #slots = new WeakMap<IncomingMessage, Slot>()
  readonly #queues: Record<RequestClass, QueuedRequest[]> = { read: [], write: [], complete: [] }
  readonly #shed: Record<ShedReason, number> = { waited: 0, crowded: 0, streams: 0 }
  readonly #retryAt = new WeakMap<Socket, number>()
  #running = 0
  #completeRunning = 0
  #isExpiryScheduled = false

  constructor(concurrencyMax: number, timeouts = requestTimeouts) {
    this.#concurrencyMax = concurrencyMax
    this.#timeouts = timeouts
    this.#completeConcurrencyMax = Math.max(1, Math.floor(concurrencyMax / 4))
  }

  get requests() {
    const waiting = requestClasses.reduce(
      (sum, requestClass) => sum + this.#queues[requestClass].length,
      0,
    )
    return { working: this.#running, waiting }
  }

  get shed(): Readonly<Record<ShedReason, number>> {
    return this.#shed
  }

  /** Runs `handle` when a slot is free, or responds with 503. */
  admit({ request, response }: HttpExchange, requestClass: RequestClass, handle: () => void): void {
    const slot = { requestClass, isHeld: false }
    this.#slots.set(request, slot)
    response.once('close', () => {
      if (response.writableEnded) this.release(request)
      // The client has disconnected, but the handler still runs.
      else setTimeout(() => this.release(request), this.#timeouts.handlerMs[requestClass]).unref()
    })
    const { socket } = request
    const queueDeadline = performance.now() + this.#timeouts.queueMs
    this.#acquire(slot, {
      deadline: Math.max(queueDeadline, this.#retryAt.get(socket) ?? 0),
      start: handle,
      refuse: () => {
        const seconds = this.#retryAfterSeconds()
        this.#retryAt.set(socket, performance.now() + seconds * 1000)
        refuse(response, seconds)
      },
      isAborted: () => response.destroyed,
    })
  }

  /** Acquires a slot again after `release`. Rejects with `overloaded` when none is free in time. */
  reacquire(request: IncomingMessage): Promise<void> {
    const slot = this.#slots.get(request)
    if (!slot || slot.isHeld) return Promise.resolve()
    return new Promise((resolve, reject) => {
      this.#acquire(slot, {
        deadline: performance.now() + this.#timeouts.queueMs,
        start: resolve,
        refuse: () => reject(new Failure('overloaded')),
        isAborted: () => false,
      })
    })
  }

  release(request: IncomingMessage): void {
    const slot = this.#slots.get(request)
    if (!slot?.isHeld) return
    slot.isHeld = false
    this.#running -= 1
    if (slot.requestClass === 'complete') this.#completeRunning -= 1
    this.#startNext()
  }

  /** Counts a refusal decided outside this class. */
  countShed(reason: ShedReason): void {
    this.#shed[reason] += 1
  }

  #acquire(slot: Slot, { start, ...queued }: QueuedRequest): void {
    const startInSlot = () => {
      slot.isHeld = true
      this.#running += 1
      if (slot.requestClass === 'complete') this.#completeRunning += 1
      start()
    }
    if (this.#hasCapacityFor(slot.requestClass)) {
      startInSlot()
      return
    }
    if (this.requests.waiting >= queueLengthMax) {
      this.countShed('crowded')
      queued.refuse()
      return
    }
    this.#queues[slot.requestClass].push({ ...queued, start: startInSlot })
    if (!this.#isExpiryScheduled) this.#scheduleExpiry()
  }

  #hasCapacityFor(requestClass: RequestClass): boolean {
    if (this.#running >= this.#concurrencyMax) return false
    return requestClass !== 'complete' || this.#completeRunning < this.#completeConcurrencyMax
  }

  #startNext(): void {
    for (const requestClass of requestClasses) {
      while (this.#hasCapacityFor(requestClass)) {
        const next = this.#queues[requestClass].pop()
        if (!next) break
        if (!next.isAborted()) next.start()
      }
    }
  }

  #scheduleExpiry(): void {
    this.#isExpiryScheduled = true
    setTimeout(() => this.#refuseExpired(), expiryCheckMs)
  }

  #refuseExpired(): void {
    const now = performance.now()
    for (const requestClass of requestClasses) {
      const expired = this.#queues[requestClass].filter(({ deadline }) => deadline <= now)
      if (expired.length === 0) continue
      this.#queues[requestClass] = this.#queues[requestClass].filter(
        ({ deadline }) => deadline > now,
      )
      for (const request of expired) {
        if (request.isAborted()) continue
        this.countShed('waited')
        request.refuse()
      }
    }
    this.#isExpiryScheduled = false
    if (this.requests.waiting > 0) this.#scheduleExpiry()
  }

  /** Jitter: clients that are refused together must not all return together. */
  #retryAfterSeconds(): number {
    const spread = 2 + this.requests.waiting / queuedPerRetrySecond
    return 1 + Math.floor(Math.random() * Math.min(spread, retryAfterSecondsMax))
  }
}

/** The body of a refusal is serialized once, because only the request id differs. */
const requestIdPlaceholder = newRequestId()
const template = JSON.stringify(problemBody(new Failure('overloaded'), requestIdPlaceholder))
const [beforeId = '', afterId = ''] = template.split(requestIdPlaceholder)
const headers = Object.entries({
  ...securityHeaders,
  'content-type': 'application/problem+json',
  'content-length': String(Buffer.byteLength(template)),
  'cache-control': 'no-store',
}).flat()

function refuse(response: ServerResponse, seconds: number): void {
  const requestId = newRequestId()
  const perRequest = ['retry-after', String(seconds), 'request-id', requestId]
  response
    .writeHead(problems.overloaded.status, [...headers, ...perRequest])
    .end(beforeId + requestId + afterId, 'latin1')
}

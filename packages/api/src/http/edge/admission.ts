/** Load shedding: a bounded number of requests is in progress, and the rest get 503 quickly. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import { problems } from '@muster/contract'

import { Failure } from '#domain/engine/failure'
import { newRequestId } from '#domain/rules/id'
import { problemBody } from '#http/response/problem'

import { securityHeaders } from './headers.ts'
import { traceparentFor } from './trace-context.ts'

/** Request classes by priority. Of one workspace, the first class is served first. */
const requestClasses = ['read', 'write', 'large'] as const
export type RequestClass = (typeof requestClasses)[number]

/** Why a request was shed; the label `reason` of the metric. */
export type ShedReason = 'waited' | 'crowded' | 'streams'

/** A request and its response. */
export interface HttpExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

interface QueuedRequest {
  readonly slot: Slot
  readonly since: number
  /** When the service refuses it, on the clock of `performance.now()`. */
  readonly deadline: number
  readonly start: () => void
  readonly refuse: () => void
  readonly isAborted: () => boolean
}

interface Slot extends Arrival {
  /** The line in which it waits or runs. */
  line: Line | null
  isHeld: boolean
}

/** The requests of one workspace: how many run, and those that wait, the oldest first. */
interface Line {
  readonly workspaceId: string
  held: number
  waiting: number
  readonly queues: Record<RequestClass, QueuedRequest[]>
}

/** Retry-After grows by one second for each 250 queued requests. */
const queuedPerRetrySecond = 250
const retryAfterSecondsMax = 10
const expiryCheckMs = 25
/** Of all slots, those that large requests may have. */
const largeFraction = 1 / 20
/** A large request waits longer by this factor, because those before it take longer. */
const largePatience = 5
/** The shortest time between two log lines about refusals. */
const logIntervalMs = 1000

/** Time limits of requests, in milliseconds. Tests raise the ones they do not test. */
export interface RequestTimeouts {
  /** Long enough to absorb a burst, and short enough for a person who waits for a page. */
  readonly queueMs: number
  /**
   * The handler time-out of each class. It also bounds how long a request whose client disconnected
   * holds its slot. A large request has more time: its size alone is no reason to refuse it.
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

/** What admission control knows about a request before it is parsed. */
export interface Arrival {
  readonly requestClass: RequestClass
  /** The workspace that its credential names; empty without one. */
  readonly workspaceId: string
}

/**
 * Admission control with load shedding. A concurrency limit bounds the requests that run at once,
 * because more would only slow one another down. One workspace may have all slots. When others
 * wait, the next slot goes to the workspace that holds the fewest. Of one workspace, reads come
 * before writes, and writes before large requests: complete lists, batches and long pages. Only a
 * few of those run at once, because each of them occupies the process for a while.
 *
 * A request waits for at most a second, and gets 503 before any work is done for it. A large one
 * waits longer. The oldest request is served first. Once it has waited half of that time the queue
 * is too long for all, and the newest is served first: its client is most likely still there.
 *
 * A client that ignores Retry-After would make refusals expensive. So a request that comes earlier
 * on the same connection stays queued until that time, and is not refused again before it.
 *
 * A request holds no slot while its body arrives or while the client reads the response. Otherwise
 * a few slow clients could hold all slots.
 */
export class Admission {
  readonly #concurrencyMax: number
  readonly #waitingMax: number
  readonly #timeouts: RequestTimeouts
  readonly #largeConcurrencyMax: number
  readonly #onShed: (shed: Shed) => void
  readonly #slots = new WeakMap<IncomingMessage, Slot>()
  /** The workspaces with requests, in the order in which they were served last. */
  readonly #lines = new Map<string, Line>()
  readonly #shed: Record<ShedReason, number> = { waited: 0, crowded: 0, streams: 0 }
  readonly #retryAt = new WeakMap<Socket, number>()
  #running = 0
  #waiting = 0
  #largeRunning = 0
  #isExpiryScheduled = false
  #unloggedShed = 0
  #loggedAt = -Infinity

  constructor({ concurrencyMax, waitingMax = 4096, ...options }: AdmissionOptions) {
    const { timeouts = requestTimeouts, onShed = () => {} } = options
    this.#concurrencyMax = concurrencyMax
    this.#waitingMax = waitingMax
    this.#timeouts = timeouts
    this.#onShed = onShed
    this.#largeConcurrencyMax = Math.max(1, Math.floor(concurrencyMax * largeFraction))
  }

  get requests() {
    return { working: this.#running, waiting: this.#waiting }
  }

  get shed(): Readonly<Record<ShedReason, number>> {
    return this.#shed
  }

  /** Runs `handle` when a slot is free, or responds with 503. */
  admit({ request, response }: HttpExchange, arrival: Arrival, handle: () => void): void {
    const { requestClass } = arrival
    const slot = { ...arrival, line: null, isHeld: false }
    this.#slots.set(request, slot)
    response.once('close', () => {
      if (response.writableEnded) this.release(request)
      // The client has disconnected, but the handler still runs.
      else setTimeout(() => this.release(request), this.#timeouts.handlerMs[requestClass]).unref()
    })
    const { socket } = request
    this.#acquire({
      slot,
      ...this.#waitFrom(requestClass, this.#retryAt.get(socket)),
      start: handle,
      refuse: () => {
        const seconds = this.#retryAfterSeconds()
        this.#retryAt.set(socket, performance.now() + seconds * 1000)
        refuse(response, seconds)
      },
      isAborted: () => response.destroyed,
    })
  }

  /** Whether the request runs: it has a slot, or needs none. */
  isHeldBy(request: IncomingMessage): boolean {
    return this.#slots.get(request)?.isHeld ?? true
  }

  /** Acquires a slot again after `release`. Rejects with `overloaded` when none is free in time. */
  reacquire(request: IncomingMessage): Promise<void> {
    const slot = this.#slots.get(request)
    if (!slot || slot.isHeld) return Promise.resolve()
    return new Promise((resolve, reject) => {
      this.#acquire({
        slot,
        ...this.#waitFrom(slot.requestClass),
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
    if (slot.requestClass === 'large') this.#largeRunning -= 1
    const { line } = slot
    if (line) line.held -= 1
    if (this.#waiting > 0) this.#startNext()
    if (line) this.#dropUnused(line)
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

  #lineOf(workspaceId: string): Line {
    const known = this.#lines.get(workspaceId)
    if (known) return known
    const queues = { read: [], write: [], large: [] }
    const line = { workspaceId, held: 0, waiting: 0, queues }
    this.#lines.set(workspaceId, line)
    return line
  }

  #dropUnused({ workspaceId, held, waiting }: Line): void {
    if (held === 0 && waiting === 0) this.#lines.delete(workspaceId)
  }

  #waitFrom(requestClass: RequestClass, retryAt = 0) {
    const since = performance.now()
    return { since, deadline: Math.max(since + this.#queueMs(requestClass), retryAt) }
  }

  #queueMs(requestClass: RequestClass): number {
    return this.#timeouts.queueMs * (requestClass === 'large' ? largePatience : 1)
  }

  #acquire(queued: QueuedRequest): void {
    const { requestClass, workspaceId } = queued.slot
    const line = this.#lineOf(workspaceId)
    queued.slot.line = line
    if (this.#hasCapacityFor(requestClass)) {
      this.#start(queued, line)
      return
    }
    line.queues[requestClass].push(queued)
    line.waiting += 1
    this.#waiting += 1
    if (this.#waiting > this.#waitingMax) this.#refuseCrowded()
    if (!this.#isExpiryScheduled) this.#scheduleExpiry()
  }

  #start({ slot, start }: QueuedRequest, line: Line): void {
    slot.isHeld = true
    line.held += 1
    this.#running += 1
    if (slot.requestClass === 'large') this.#largeRunning += 1
    start()
  }

  #hasCapacityFor(requestClass: RequestClass): boolean {
    if (this.#running >= this.#concurrencyMax) return false
    return requestClass !== 'large' || this.#largeRunning < this.#largeConcurrencyMax
  }

  #startNext(): void {
    for (;;) {
      const line = this.#nextLine()
      if (line === null) return
      // The last in order, so that workspaces that hold equally many take turns.
      this.#lines.delete(line.workspaceId)
      this.#lines.set(line.workspaceId, line)
      const next = this.#takeFrom(line)
      if (next && !next.isAborted()) this.#start(next, line)
    }
  }

  /** The workspace that holds the fewest slots, of those with a request that can start. */
  #nextLine(): Line | null {
    let fewest: Line | null = null
    if (this.#running >= this.#concurrencyMax || this.#waiting === 0) return null
    for (const line of this.#lines.values()) {
      if (line.waiting === 0 || (fewest !== null && line.held >= fewest.held)) continue
      if (this.#startableClass(line) !== null) fewest = line
    }
    return fewest
  }

  #startableClass({ queues }: Line): RequestClass | null {
    const isStartable = (each: RequestClass) =>
      queues[each].length > 0 && this.#hasCapacityFor(each)
    return requestClasses.find(isStartable) ?? null
  }

  #takeFrom(line: Line): QueuedRequest | null {
    const requestClass = this.#startableClass(line)
    if (requestClass === null) return null
    const queue = line.queues[requestClass]
    const waitedMs = performance.now() - (queue[0]?.since ?? 0)
    const next = waitedMs > this.#queueMs(requestClass) / 2 ? queue.pop() : queue.shift()
    line.waiting -= 1
    this.#waiting -= 1
    return next ?? null
  }

  /** Refuses the oldest request of the workspace with the most waiting requests. */
  #refuseCrowded(): void {
    const [longest] = [...this.#lines.values()].toSorted((a, b) => b.waiting - a.waiting)
    const queue = longest && requestClasses.map((each) => longest.queues[each]).findLast(hasAny)
    const oldest = queue?.shift()
    if (!longest || !oldest) return
    longest.waiting -= 1
    this.#waiting -= 1
    this.countShed('crowded')
    oldest.refuse()
  }

  #scheduleExpiry(): void {
    this.#isExpiryScheduled = true
    setTimeout(() => this.#refuseExpired(), expiryCheckMs)
  }

  #refuseExpired(): void {
    const now = performance.now()
    for (const line of this.#lines.values()) {
      if (line.waiting > 0) for (const each of this.#takeExpired(line, now)) this.#refuse(each)
      this.#dropUnused(line)
    }
    this.#isExpiryScheduled = false
    if (this.#waiting > 0) this.#scheduleExpiry()
  }

  #takeExpired(line: Line, now: number): QueuedRequest[] {
    const expired: QueuedRequest[] = []
    for (const requestClass of requestClasses) {
      const queue = line.queues[requestClass]
      expired.push(...queue.filter(({ deadline }) => deadline <= now))
      line.queues[requestClass] = queue.filter(({ deadline }) => deadline > now)
    }
    line.waiting -= expired.length
    this.#waiting -= expired.length
    return expired
  }

  #refuse(queued: QueuedRequest): void {
    if (queued.isAborted()) return
    this.countShed('waited')
    queued.refuse()
  }

  /** Jitter: clients that are refused together must not all return together. */
  #retryAfterSeconds(): number {
    const spread = 2 + this.#waiting / queuedPerRetrySecond
    return 1 + Math.floor(Math.random() * Math.min(spread, retryAfterSecondsMax))
  }
}

const hasAny = (queue: readonly QueuedRequest[]) => queue.length > 0

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
  const traceparent = traceparentFor(response.req.headers['traceparent'])
  const ids = ['request-id', requestId, 'traceparent', traceparent]
  const perRequest = ['retry-after', String(seconds), ...ids]
  response
    .writeHead(problems.overloaded.status, [...headers, ...perRequest])
    .end(beforeId + requestId + afterId, 'latin1')
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import { problems } from '@muster/contract'

import { Failure } from '#domain/failure'
import { newRequestId } from '#domain/id'

import { alwaysSent } from './headers.ts'
import { problemBody } from './problem.ts'

/** What a request is to us when there is more to do than we can: the first is given up last. */
const kinds = ['read', 'write', 'complete'] as const
export type Kind = (typeof kinds)[number]

/** Why a request was refused. */
export type Shed = 'waited' | 'crowded' | 'streams'

/** A request and its response. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

interface Waiting {
  /** When it will be refused. */
  readonly until: number
  readonly begin: () => void
  readonly refuse: () => void
  readonly isGone: () => boolean
}

interface Place {
  readonly kind: Kind
  isHeld: boolean
}

/** No longer than someone who looks at a page would mind, and long enough to take up a burst. */
const waitMsMax = 1000
/** The more wait, the later they are told to come back: one second more for so many. */
const waitingPerSecond = 250
const retryAfterSecondsMax = 10
/** So often those who waited too long are told. */
const lookMs = 25
const waitingMax = 4096
/**
 * At the latest then a request has been answered, also one that was given up by its client. However
 * slow the machine, a complete list is not refused for being long.
 */
export const handlerMsMax: Readonly<Record<Kind, number>> = {
  read: 8000,
  write: 8000,
  complete: 30_000,
}

/**
 * Only so many requests are worked on at once; more would only make one another slow. The others
 * wait a moment, and whoever came last goes first: their clients are the most likely to be there
 * still. Whoever waited too long is refused before anything was done for them, which costs next to
 * nothing. Reads go before writes, and those before complete lists.
 *
 * Next to nothing times thousands of clients that do not wait is much all the same. Whoever comes
 * back on the same connection sooner than they were told is not refused again before that time.
 *
 * Nobody holds a place while we wait for them: not while their body arrives, and not while they
 * take the answer. Else a few slow clients could hold all of them.
 */
export class Admission {
  readonly #placesMax: number
  readonly #completesMax: number
  readonly #places = new WeakMap<IncomingMessage, Place>()
  readonly #waiting: Record<Kind, Waiting[]> = { read: [], write: [], complete: [] }
  readonly #shed: Record<Shed, number> = { waited: 0, crowded: 0, streams: 0 }
  readonly #toldUntil = new WeakMap<Socket, number>()
  #working = 0
  #completes = 0
  #isLooking = false

  constructor(placesMax: number) {
    this.#placesMax = placesMax
    this.#completesMax = Math.max(1, Math.floor(placesMax / 4))
  }

  get requests() {
    const waiting = kinds.reduce((sum, kind) => sum + this.#waiting[kind].length, 0)
    return { working: this.#working, waiting }
  }

  get shed(): Readonly<Record<Shed, number>> {
    return this.#shed
  }

  /** Handles a request when there is a place for it, or refuses it. */
  admit({ request, response }: Exchange, kind: Kind, handle: () => void): void {
    const place = { kind, isHeld: false }
    this.#places.set(request, place)
    response.once('close', () => {
      if (response.writableEnded) this.leave(request)
      // Its client has gone, and the work goes on.
      else setTimeout(() => this.leave(request), handlerMsMax[place.kind]).unref()
    })
    const { socket } = request
    const soon = performance.now() + waitMsMax
    this.#enter(place, {
      until: Math.max(soon, this.#toldUntil.get(socket) ?? 0),
      begin: handle,
      refuse: () => {
        const seconds = this.#retryAfterSeconds()
        this.#toldUntil.set(socket, performance.now() + seconds * 1000)
        refuse(response, seconds)
      },
      isGone: () => response.destroyed,
    })
  }

  /** A place again, for whoever gave theirs up while we waited for them. */
  return(request: IncomingMessage): Promise<void> {
    const place = this.#places.get(request)
    if (!place || place.isHeld) return Promise.resolve()
    return new Promise((resolve, reject) => {
      this.#enter(place, {
        until: performance.now() + waitMsMax,
        begin: resolve,
        refuse: () => reject(new Failure('overloaded')),
        isGone: () => false,
      })
    })
  }

  leave(request: IncomingMessage): void {
    const place = this.#places.get(request)
    if (!place?.isHeld) return
    place.isHeld = false
    this.#working -= 1
    if (place.kind === 'complete') this.#completes -= 1
    this.#callNext()
  }

  /** Someone was refused elsewhere, for what only that place could know. */
  count(why: Shed): void {
    this.#shed[why] += 1
  }

  #enter(place: Place, { begin, ...waiting }: Waiting): void {
    const start = () => {
      place.isHeld = true
      this.#working += 1
      if (place.kind === 'complete') this.#completes += 1
      begin()
    }
    if (this.#hasPlaceFor(place.kind)) {
      start()
      return
    }
    if (this.requests.waiting >= waitingMax) {
      this.count('crowded')
      waiting.refuse()
      return
    }
    this.#waiting[place.kind].push({ ...waiting, begin: start })
    if (!this.#isLooking) this.#lookLater()
  }

  #hasPlaceFor(kind: Kind): boolean {
    if (this.#working >= this.#placesMax) return false
    return kind !== 'complete' || this.#completes < this.#completesMax
  }

  #callNext(): void {
    for (const kind of kinds) {
      while (this.#hasPlaceFor(kind)) {
        const next = this.#waiting[kind].pop()
        if (!next) break
        if (!next.isGone()) next.begin()
      }
    }
  }

  #lookLater(): void {
    this.#isLooking = true
    setTimeout(() => this.#look(), lookMs)
  }

  #look(): void {
    const now = performance.now()
    for (const kind of kinds) {
      const late = this.#waiting[kind].filter(({ until }) => until <= now)
      if (late.length === 0) continue
      this.#waiting[kind] = this.#waiting[kind].filter(({ until }) => until > now)
      for (const each of late) {
        if (each.isGone()) continue
        this.count('waited')
        each.refuse()
      }
    }
    this.#isLooking = false
    if (this.requests.waiting > 0) this.#lookLater()
  }

  /** Those who are refused together must not all come back together. */
  #retryAfterSeconds(): number {
    const spread = 2 + this.requests.waiting / waitingPerSecond
    return 1 + Math.floor(Math.random() * Math.min(spread, retryAfterSecondsMax))
  }
}

/** What a refusal says never differs but for the request id, so it is written once. */
const marker = newRequestId()
const bytes = JSON.stringify(problemBody(new Failure('overloaded'), marker))
const [beforeId = '', afterId = ''] = bytes.split(marker)
const headers = Object.entries({
  ...alwaysSent,
  'content-type': 'application/problem+json',
  'content-length': String(Buffer.byteLength(bytes)),
  'cache-control': 'no-store',
}).flat()

function refuse(response: ServerResponse, seconds: number): void {
  const requestId = newRequestId()
  const told = ['retry-after', String(seconds), 'request-id', requestId]
  response
    .writeHead(problems.overloaded.status, [...headers, ...told])
    .end(beforeId + requestId + afterId, 'latin1')
}

/** Request classes by priority. Of one line, the first class is served first. */
const requestClasses = ['read', 'write', 'large'] as const
export type RequestClass = (typeof requestClasses)[number]

/** The queues of a line, in order. Requests that return from other work come first. */
const queueNames = ['returning', ...requestClasses] as const
export type QueueName = (typeof queueNames)[number]

/** The line of a request: its workspace, or its network as long as it is not authenticated. */
export interface LineName {
  readonly name: string
  readonly isAnonymous: boolean
}

/** The place of a request, which it waits for or holds. */
export interface Slot {
  requestClass: RequestClass
  line: Line
  isHeld: boolean
  startedAt: number
  /** Whether the response has been sent, or the client has disconnected. */
  isClosed: boolean
}

/** A request that waits for a place. */
export interface QueuedRequest {
  readonly slot: Slot
  readonly since: number
  /** When the service refuses it, on the clock of `performance.now()`. */
  readonly deadline: number
  readonly start: () => void
  readonly refuse: () => void
  readonly isAborted: () => boolean
}

/** Used time is forgotten exponentially: after this time a third of it is left. */
const memoryMs = 10_000

/** A line without requests that used less than this is removed. */
const forgottenMs = 1

/**
 * The requests of one workspace or network: those that wait, the oldest first, and the time that
 * all its requests held places for. The time counts, not the number of requests: one request can
 * take as long as a hundred others.
 */
export class Line implements LineName {
  readonly name: string
  readonly isAnonymous: boolean
  waiting = 0
  readonly #queues: Record<QueueName, QueuedRequest[]> = {
    returning: [],
    read: [],
    write: [],
    large: [],
  }
  #held = 0
  /** The sum of the times at which the held places were taken. */
  #startedSum = 0
  #usedMs = 0
  #usedAt = 0

  constructor({ name, isAnonymous }: LineName) {
    this.name = name
    this.isAnonymous = isAnonymous
  }

  start(now: number): void {
    this.#held += 1
    this.#startedSum += now
  }

  end(startedAt: number, now: number): void {
    this.#usedMs = this.#rememberedMs(now) + now - startedAt
    this.#usedAt = now
    this.#held -= 1
    this.#startedSum -= startedAt
  }

  /** The time of ended requests, as far as it is remembered, and of those that run. */
  usedMs(now: number): number {
    return this.#rememberedMs(now) + this.#held * now - this.#startedSum
  }

  isForgotten(now: number): boolean {
    return this.#held === 0 && this.waiting === 0 && this.#rememberedMs(now) < forgottenMs
  }

  /** The queue to serve next, of those that `canStart` allows; null if there is none. */
  startableQueue(canStart: (queueName: QueueName) => boolean): QueueName | null {
    if (this.waiting === 0) return null
    return queueNames.find((each) => this.#queues[each].length > 0 && canStart(each)) ?? null
  }

  add(queued: QueuedRequest, queueName: QueueName): void {
    this.#queues[queueName].push(queued)
    this.waiting += 1
  }

  /** Takes the oldest request, or the newest if the oldest has waited for longer than this. */
  take(queueName: QueueName, waitedMsMax: number): QueuedRequest | null {
    const queue = this.#queues[queueName]
    const waitedMs = performance.now() - (queue[0]?.since ?? 0)
    const next = waitedMs > waitedMsMax ? queue.pop() : queue.shift()
    if (next === undefined) return null
    this.waiting -= 1
    return next
  }

  /** Removes the requests whose time to wait is over, and returns them. */
  takeExpired(now: number): QueuedRequest[] {
    const expired: QueuedRequest[] = []
    for (const requestClass of requestClasses) {
      const queue = this.#queues[requestClass]
      if (queue.every(({ deadline }) => deadline > now)) continue
      expired.push(...queue.filter(({ deadline }) => deadline <= now))
      this.#queues[requestClass] = queue.filter(({ deadline }) => deadline > now)
    }
    this.waiting -= expired.length
    return expired
  }

  /** Removes the oldest request of the last class, and returns it. */
  takeLeastUrgent(): QueuedRequest | null {
    const queue = requestClasses.map((each) => this.#queues[each]).findLast(hasAny)
    const oldest = queue?.shift()
    if (oldest === undefined) return null
    this.waiting -= 1
    return oldest
  }

  #rememberedMs(now: number): number {
    if (this.#usedMs === 0) return 0
    return this.#usedMs * Math.exp((this.#usedAt - now) / memoryMs)
  }
}

const hasAny = (queue: readonly QueuedRequest[]) => queue.length > 0

/** Lines without requests are removed when there are more, and once a second. */
const linesMax = 10_000
const cleanUpMs = 1000

/** A line, and its queue with a request that can start. */
export interface Startable {
  readonly line: Line
  readonly queueName: QueueName
}

/** The lines that have requests, or whose used time is remembered. */
export class AdmissionLines {
  /** In the order in which they were served last. */
  readonly #lines = new Map<string, Line>()
  #isCleanUpScheduled = false

  get(lineName: LineName): Line {
    const known = this.#lines.get(lineName.name)
    if (known) return known
    if (this.#lines.size >= linesMax) this.#dropForgotten()
    const line = new Line(lineName)
    this.#lines.set(line.name, line)
    if (!this.#isCleanUpScheduled) this.#scheduleCleanUp()
    return line
  }

  values(): Iterable<Line> {
    return this.#lines.values()
  }

  /** The line that has used the least time, of those with a request that can start. */
  next(canStart: (line: Line, queueName: QueueName) => boolean): Startable | null {
    const now = performance.now()
    let next: Startable | null = null
    let leastMs = Infinity
    for (const line of this.#lines.values()) {
      const queueName = line.startableQueue((each) => canStart(line, each))
      if (queueName === null || line.usedMs(now) >= leastMs) continue
      next = { line, queueName }
      leastMs = line.usedMs(now)
    }
    if (next !== null) this.#moveToEnd(next.line)
    return next
  }

  /** The line with the most requests that wait. */
  longest(ofLines: (line: Line) => boolean): Line | null {
    let longest: Line | null = null
    for (const line of this.#lines.values()) {
      if (ofLines(line) && line.waiting > (longest?.waiting ?? 0)) longest = line
    }
    return longest
  }

  /** Lines that used equally much take turns. */
  #moveToEnd(line: Line): void {
    this.#lines.delete(line.name)
    this.#lines.set(line.name, line)
  }

  #scheduleCleanUp(): void {
    this.#isCleanUpScheduled = true
    const cleanUp = () => {
      this.#dropForgotten()
      this.#isCleanUpScheduled = false
      if (this.#lines.size > 0) this.#scheduleCleanUp()
    }
    setTimeout(cleanUp, cleanUpMs).unref()
  }

  #dropForgotten(): void {
    const now = performance.now()
    for (const line of this.#lines.values()) {
      if (line.isForgotten(now)) this.#lines.delete(line.name)
    }
  }
}

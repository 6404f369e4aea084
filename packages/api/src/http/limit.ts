import type { Count, SharedCounts } from './shared-counts.ts'

/** The length of the window, and how many ids that have used up theirs are remembered. */
export const windowSeconds = 60
const windowMs = windowSeconds * 1000
const fullMax = 10_000

/** How much of a limit is left, and when it is whole again. */
export interface Standing {
  readonly name: string
  readonly left: number
  readonly resetMs: number
  /** This one was too many. */
  readonly isOver: boolean
}

interface LimitOptions {
  readonly name: string
  readonly perMinute: number
  /** What the answer says when the limit is exceeded. */
  readonly detail: string
  readonly prefix: string
  /** Where processes count together; null when each counts for itself. */
  readonly shared: SharedCounts | null
}

/**
 * A fixed-window rate limit per id. The window begins with the first request and ends a minute
 * later, so a caller that times it well gets twice the limit within one minute. In return a request
 * costs one command. When the shared count is lost, each process counts for itself until it is
 * back.
 */
export class Limit {
  readonly name: string
  readonly perMinute: number
  readonly detail: string
  readonly #prefix: string
  readonly #shared: SharedCounts | null
  readonly #own = new Windows()
  /** Until when an id has nothing left: refusing it again needs no count. */
  readonly #full = new Map<string, number>()

  constructor({ name, perMinute, detail, prefix, shared }: LimitOptions) {
    this.name = name
    this.perMinute = perMinute
    this.detail = detail
    this.#prefix = `${prefix}:${name}:`
    this.#shared = shared
  }

  /** Refuses an id that is known to have nothing left, without counting; null when it may go on. */
  refusal(id: string): Standing | null {
    const until = this.#full.get(id)
    if (until === undefined) return null
    const resetMs = until - performance.now()
    if (resetMs > 0) return { name: this.name, left: 0, resetMs, isOver: true }
    this.#full.delete(id)
    return null
  }

  async take(id: string): Promise<Standing> {
    const { count, resetMs } = await this.#add(id, 1)
    const left = Math.max(this.perMinute - count, 0)
    if (left === 0) this.#remember(id, performance.now() + resetMs)
    return { name: this.name, left, resetMs, isOver: count > this.perMinute }
  }

  /** Takes a count back. The caller does not wait for this. */
  giveBack(id: string): void {
    this.#full.delete(id)
    void this.#add(id, -1)
  }

  async #add(id: string, points: 1 | -1): Promise<Count> {
    if (this.#shared?.isReady) {
      try {
        return await this.#shared.add(this.#prefix + id, points, windowMs)
      } catch {
        // Redis did not answer in time: this request is counted here.
      }
    }
    return this.#own.add(id, points)
  }

  /** Forgetting an id costs no more than counting it again. */
  #remember(id: string, until: number): void {
    if (this.#full.size >= fullMax) this.#full.clear()
    this.#full.set(id, until)
  }
}

/**
 * The windows of one process, on a monotonic clock: setting the system clock neither prolongs nor
 * ends one. All have the same length, so they end in the order in which they were inserted.
 */
class Windows {
  readonly #windows = new Map<string, { count: number; readonly end: number }>()

  add(id: string, points: number): Count {
    const now = performance.now()
    this.#dropEnded(now)
    let window = this.#windows.get(id)
    if (window === undefined) {
      // What is given back after its window ended was never taken from this one.
      if (points < 0) return { count: 0, resetMs: 0 }
      window = { count: 0, end: now + windowMs }
      this.#windows.set(id, window)
    }
    window.count += points
    return { count: window.count, resetMs: Math.min(window.end - now, windowMs) }
  }

  #dropEnded(now: number): void {
    for (const [id, { end }] of this.#windows) {
      if (end > now) return
      this.#windows.delete(id)
    }
  }
}

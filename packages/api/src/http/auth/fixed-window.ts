import type { LimitDefinition } from './limit-definitions.ts'
import type { WindowCount, SharedCounts } from './shared-counts.ts'

export const windowSeconds = 60
const windowMs = windowSeconds * 1000
/** How many exhausted ids are remembered. */
const exhaustedMax = 10_000

/** The remaining requests of a window, and the time until it resets. */
export interface WindowState {
  readonly limit: FixedWindow
  readonly remaining: number
  readonly resetMs: number
  /** Whether this request exceeded the limit. */
  readonly isExceeded: boolean
}

interface FixedWindowOptions extends LimitDefinition {
  readonly prefix: string
  /** The counts in Redis; null when each process counts separately. */
  readonly shared: SharedCounts | null
}

/**
 * A fixed-window rate limiter: `perMinute` requests per id. The window starts with the first
 * request and ends a minute later, so a well-timed burst can reach twice the limit within a minute.
 * In return a request costs one Redis command. While Redis is down, each process counts separately.
 */
export class FixedWindow {
  readonly name: string
  readonly perMinute: number
  readonly detail: string
  readonly #prefix: string
  readonly #shared: SharedCounts | null
  readonly #local = new LocalWindows()
  /** Exhausted ids and when their window ends: refusing one again needs no count. */
  readonly #exhausted = new Map<string, number>()

  constructor({ name, perMinute, detail, prefix, shared }: FixedWindowOptions) {
    this.name = name
    this.perMinute = perMinute
    this.detail = detail
    this.#prefix = `${prefix}:${name}:`
    this.#shared = shared
  }

  /** The state of an id that is known to be exhausted, without counting; null for any other. */
  exhaustedState(id: string): WindowState | null {
    const until = this.#exhausted.get(id)
    if (until === undefined) return null
    const resetMs = until - performance.now()
    if (resetMs > 0) return { limit: this, remaining: 0, resetMs, isExceeded: true }
    this.#exhausted.delete(id)
    return null
  }

  async consume(id: string): Promise<WindowState> {
    const { count, resetMs } = await this.#add(id, 1)
    const remaining = Math.max(this.perMinute - count, 0)
    if (remaining === 0) this.#markExhausted(id, performance.now() + resetMs)
    return { limit: this, remaining, resetMs, isExceeded: count > this.perMinute }
  }

  /** Subtracts one from the count, without waiting for the result. */
  refund(id: string): void {
    this.#exhausted.delete(id)
    void this.#add(id, -1)
  }

  async #add(id: string, points: 1 | -1): Promise<WindowCount> {
    if (this.#shared?.isReady) {
      try {
        return await this.#shared.add(this.#prefix + id, points, windowMs)
      } catch {
        // Redis did not respond in time: this process counts the request.
      }
    }
    return this.#local.add(id, points)
  }

  /** A bounded cache: an id that was dropped is only counted again. */
  #markExhausted(id: string, until: number): void {
    if (this.#exhausted.size >= exhaustedMax) this.#exhausted.clear()
    this.#exhausted.set(id, until)
  }
}

/**
 * The windows of one process, on a monotonic clock: changes of the system clock have no effect. All
 * windows have the same length, so they end in insertion order.
 */
class LocalWindows {
  readonly #windows = new Map<string, { count: number; readonly end: number }>()

  add(id: string, points: number): WindowCount {
    const now = performance.now()
    this.#dropExpired(now)
    let window = this.#windows.get(id)
    if (window === undefined) {
      // A refund after its window ended must not reduce the next window.
      if (points < 0) return { count: 0, resetMs: 0 }
      window = { count: 0, end: now + windowMs }
      this.#windows.set(id, window)
    }
    window.count += points
    return { count: window.count, resetMs: Math.min(window.end - now, windowMs) }
  }

  #dropExpired(now: number): void {
    for (const [id, { end }] of this.#windows) {
      if (end > now) return
      this.#windows.delete(id)
    }
  }
}

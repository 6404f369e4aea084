import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'

import type { SharedCounts } from './shared-counts.ts'

/** The length of the window, and how many that are known to be used up are kept in mind. */
export const windowSeconds = 60
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
  readonly prefix: string
  /** Where processes count together; null when each counts for itself. */
  readonly shared: SharedCounts | null
}

/**
 * So many a minute, for each id. The window is fixed: it begins with the first that is counted and
 * ends a minute later, so whoever times it well can have twice as many in any one minute. That is
 * what the simplest count can promise, and it costs one command. When the shared count is lost,
 * each process begins its own, and shares again when it can.
 */
export class Limit {
  readonly name: string
  readonly perMinute: number
  readonly #counts: RateLimiterMemory | RateLimiterRedis
  /** Until when an id has nothing left: to refuse it again costs nothing. */
  readonly #full = new Map<string, number>()

  constructor({ name, perMinute, prefix, shared }: LimitOptions) {
    this.name = name
    this.perMinute = perMinute
    const window = { points: perMinute, duration: windowSeconds, keyPrefix: `${prefix}:${name}` }
    const own = new RateLimiterMemory(window)
    this.#counts = shared
      ? new RateLimiterRedis({
          ...window,
          storeClient: shared,
          insuranceLimiter: own,
          rejectIfRedisNotReady: true,
          useRedisPackage: true,
        })
      : own
  }

  /** Refuses what is known to have nothing left, without counting it; null when it may go on. */
  refusal(id: string): Standing | null {
    const until = this.#full.get(id)
    if (until === undefined) return null
    const resetMs = until - Date.now()
    if (resetMs > 0) return { name: this.name, left: 0, resetMs, isOver: true }
    this.#full.delete(id)
    return null
  }

  async take(id: string): Promise<Standing> {
    const counted = await this.#counts.consume(id).catch(countedToo)
    const { consumedPoints, remainingPoints } = counted
    const resetMs = Math.max(counted.msBeforeNext, 0)
    const left = Math.min(remainingPoints, this.perMinute)
    if (left === 0) this.#remember(id, Date.now() + resetMs)
    return { name: this.name, left, resetMs, isOver: consumedPoints > this.perMinute }
  }

  /** As if it had not been taken. Nobody waits for this. */
  giveBack(id: string): void {
    this.#full.delete(id)
    this.#counts.reward(id).catch(() => {})
  }

  /** Forgetting one costs no more than counting it again. */
  #remember(id: string, until: number): void {
    if (this.#full.size >= fullMax) this.#full.clear()
    this.#full.set(id, until)
  }
}

/** The library throws the count when it is too high. */
function countedToo(thrown: unknown): RateLimiterRes {
  if (thrown instanceof RateLimiterRes) return thrown
  throw thrown
}

import { randomInt } from 'node:crypto'

import { size } from '#test/support/size'

/**
 * Duration and random seed of a soak: `npm run soak -- NAME --minutes N`, and `--seed S` to repeat
 * the same requests. The default is 3 s, or 2 minutes with `--long`.
 */
const minutes = Number(process.env['SOAK_MINUTES'] ?? size(0.05, 2))
const seed = Number(process.env['SOAK_SEED'] ?? randomInt(2 ** 31))

export const soakMs = minutes * 60_000
export const soak = { minutes, seed, name: `(seed ${seed}, ${minutes} minutes)` }

/**
 * Returns a check whether a soak is over: the time has passed and enough has happened
 * for its checks to mean something. A busy machine takes longer, up to ten times, or a minute.
 */
export function untilEnough(ms: number, hasEnough: () => boolean): () => boolean {
  const start = performance.now()
  const most = Math.max(10 * ms, 60_000)
  return () => {
    const elapsed = performance.now() - start
    return elapsed > ms && (elapsed > most || hasEnough())
  }
}

/** Seeded random numbers: the same seed and purpose give the same sequence. */
export function chance(purpose: number, from = seed): () => number {
  let state = (from ^ Math.imul(purpose + 1, 0x9e_37_79_b9)) >>> 0
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns a random element. */
export function pick<T>(from: readonly T[], next: () => number): T {
  const found = from[Math.floor(next() * from.length)]
  if (found === undefined) throw new RangeError('The list is empty.')
  return found
}

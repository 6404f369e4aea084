import { randomInt } from 'node:crypto'

/**
 * How long a soak lasts, and what its chances are made of: `npm run soak -- NAME --minutes N`, and
 * `--seed S` to see the same wishes once more. Without a number of minutes it is as short as can be
 * to tell anything.
 */
const minutes = Number(process.env['SOAK_MINUTES'] ?? 0.2)
const seed = Number(process.env['SOAK_SEED'] ?? randomInt(2 ** 31))

export const soakMs = minutes * 60_000
export const soak = { minutes, seed, name: `(seed ${seed}, ${minutes} minutes)` }

/** Chances that come out the same for the same seed and the same purpose. */
export function chance(purpose: number): () => number {
  let state = (seed ^ Math.imul(purpose + 1, 0x9e_37_79_b9)) >>> 0
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** One of them, by chance. */
export function pick<T>(from: readonly T[], next: () => number): T {
  const found = from[Math.floor(next() * from.length)]
  if (found === undefined) throw new RangeError('There is nothing to pick from.')
  return found
}

/** `--long`, for `npm test`, `npm run soak`, `npm run bench` and `npm run e2e`. */
export const isLong = process.env['MUSTER_LONG'] === '1'

/** How many rows or rounds: the fewest that can still fail, or many with `--long`. */
export const size = (short: number, long: number): number => (isLong ? long : short)

/** Seed of random tests: fixed by default, new with `--long`. SEED repeats a run. */
export const seed = Number(process.env['SEED'] ?? (isLong ? Date.now() % 1_000_000 : 15))

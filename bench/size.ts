/** `npm run bench -- --long`. */
const isLong = process.env['MUSTER_LONG'] === '1'

/** How many rounds or seconds: the fewest that can still fail, or many with `--long`. */
export const size = (short: number, long: number): number => (isLong ? long : short)

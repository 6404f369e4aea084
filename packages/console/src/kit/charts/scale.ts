export const dayMs = 86_400_000

/** The time of a day, such as `2026-11-18`, in milliseconds. */
export const timeOf = (day: string) => Date.parse(`${day}T00:00:00Z`)

/** The day of a time. */
export const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)

/** Coordinates with one decimal keep the document small. */
export const round = (value: number) => Math.round(value * 10) / 10

/** Maps a value of the domain to the range. A domain without length maps to the end of the range. */
export const linear =
  ([from, to]: readonly [number, number], [start, end]: readonly [number, number]) =>
  (value: number) =>
    round(to === from ? end : start + ((end - start) * (value - from)) / (to - from))

/** The values of an axis from 0 with a round step, at most `count` of them above 0. */
export function axisValues(max: number, count: number): readonly number[] {
  const rough = Math.max(max, 1) / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const factor = [1, 2, 2.5, 5, 10].find((each) => each * power >= rough) ?? 10
  const step = Math.max(1, Math.ceil(factor * power))
  return Array.from({ length: Math.floor(max / step) + 1 }, (_, at) => at * step)
}

/** The least distances between ticks, in months. */
const monthSteps = [1, 2, 3, 6, 12, 24, 60, 120]

export interface Tick {
  readonly time: number
  /** What the label shows: a day, a month, or a month with its year. */
  readonly form: 'day' | 'month' | 'year'
}

interface TickRange {
  readonly start: number
  readonly end: number
  /** The most ticks that have room. */
  readonly max: number
}

/** The starts of months, or days of a short range, as many as have room. */
export function timeTicks({ start, end, max }: TickRange): readonly Tick[] {
  const days = Math.round((end - start) / dayMs)
  if (days < 60) return dayTicks({ start, end, max })
  const step = monthSteps.find((each) => days / 30.44 / each <= max) ?? 120
  const form = days > 400 ? 'year' : 'month'
  const first = new Date(start)
  const ticks: Tick[] = []
  let month = Math.ceil(first.getUTCMonth() / step) * step
  for (;;) {
    const time = Date.UTC(first.getUTCFullYear(), month, 1)
    if (time > end) return ticks
    if (time >= start) ticks.push({ time, form })
    month += step
  }
}

function dayTicks({ start, end, max }: TickRange): readonly Tick[] {
  const days = Math.max(1, Math.round((end - start) / dayMs))
  const step = [1, 2, 7, 14, 28].find((each) => days / each <= max) ?? 28
  const count = Math.floor(days / step) + 1
  // The last day is the one that people look for, so the ticks are counted from it.
  return Array.from({ length: count }, (_, at): Tick => ({
    time: end - (count - 1 - at) * step * dayMs,
    form: 'day',
  }))
}

interface SpreadRange {
  readonly gap: number
  readonly min: number
  readonly max: number
}

/** Moves positions apart, so that labels do not overlap. They stay in the order from top to bottom. */
export function spread(positions: readonly number[], { gap, min, max }: SpreadRange): number[] {
  const placed: number[] = []
  for (const position of positions) {
    placed.push(Math.max(position, min, (placed.at(-1) ?? -Infinity) + gap))
  }
  let limit = max
  for (let at = placed.length - 1; at >= 0; at--) {
    placed[at] = round(Math.min(placed[at] ?? limit, limit))
    limit = (placed[at] ?? limit) - gap
  }
  return placed
}

import type { Level } from '@muster/contract'

import { axisValues, dayMs, linear, round, spread, type Tick, timeOf, timeTicks } from './scale.ts'

/** The figures at the end of a day. */
export interface ExposurePoint {
  readonly day: string
  /** The sum of the scores of the live risks. */
  readonly exposure: number
  readonly byLevel: Readonly<Record<Level, number>>
  /** Live risks above the appetite that no one has accepted. */
  readonly above: number
  /** Risks that occurred since the point before. */
  readonly occurred: number
}

export interface ExposureSize {
  readonly width: number
  /** The last point is compared with the beginning of this day. */
  readonly since?: string | undefined
}

/** From the bottom of the chart to its top: the edge of the worst level is flat, so it can be read. */
const stack: readonly Level[] = ['critical', 'high', 'medium', 'low']

interface LevelArea {
  readonly level: Level
  readonly value: number
  /** The closed outline. */
  readonly d: string
  /** The upper edge. */
  readonly edge: string
  /** The height of the label at the right. */
  readonly labelY: number
}

/** Everything that the chart draws, in pixels. */
export interface ExposureLayout {
  readonly width: number
  readonly height: number
  readonly left: number
  readonly right: number
  readonly bottom: number
  readonly rowY: number
  readonly foot: number
  readonly values: readonly { readonly value: number; readonly y: number }[]
  /** The worst level first, without levels that never had a risk. */
  readonly areas: readonly LevelArea[]
  readonly end: { readonly x: number; readonly y: number }
  readonly since: { readonly x: number; readonly y: number; readonly isLate: boolean } | null
  readonly occurred: readonly { readonly day: string; readonly count: number; readonly x: number }[]
  readonly above: { readonly d: string; readonly y: number }
  readonly ticks: readonly (Tick & { readonly x: number })[]
}

const top = 12
const labelGap = 14
const monthWidth = 44

const path = (points: readonly (readonly [number, number])[]) =>
  points.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${x} ${y}`).join('')

/** The chart of the exposure by level for a width, with rows for what occurred and the appetite. */
export function layoutExposure(
  points: readonly ExposurePoint[],
  { width, since }: ExposureSize,
): ExposureLayout {
  const isNarrow = width < 560
  const [left, right] = [30, Math.max(80, width - 106)]
  const bottom = isNarrow ? 142 : 118
  const rowY = bottom + 13
  const foot = rowY + 31
  const times = points.map(({ day }) => timeOf(day))
  const [start = 0, end = 0] = [times[0], times.at(-1)]
  const x = linear([start, end], [left, right])
  const most = Math.max(1, ...points.map(({ exposure }) => exposure))
  const y = linear([0, most], [bottom, top + 6])
  const last = points.at(-1)
  return {
    width,
    height: foot + 22,
    left,
    right,
    bottom,
    rowY,
    foot,
    values: axisValues(most, 3).map((value) => ({ value, y: y(value) })),
    areas: areasOf(points, { xs: times.map(x), y, bottom }),
    end: { x: x(end), y: y(last?.exposure ?? 0) },
    since: comparedAt(points, { since, x, y }),
    occurred: points
      .map(({ day, occurred: count }) => ({ day, count, x: x(timeOf(day)) }))
      .filter(({ count }) => count > 0),
    above: stepLine(points, { x, foot, height: 24 }),
    ticks: timeTicks({ start, end, max: Math.max(2, Math.floor((right - left) / monthWidth)) }).map(
      (tick) => ({ ...tick, x: x(tick.time) }),
    ),
  }
}

interface AreaSpace {
  readonly xs: readonly number[]
  readonly y: (value: number) => number
  readonly bottom: number
}

function areasOf(points: readonly ExposurePoint[], { xs, y, bottom }: AreaSpace) {
  let below = points.map(() => 0)
  const areas = stack
    .filter((level) => points.some(({ byLevel }) => byLevel[level] > 0))
    .map((level) => {
      const sums = points.map(({ byLevel }, at) => (below[at] ?? 0) + byLevel[level])
      const edgeOf = (values: readonly number[]) =>
        xs.map((each, at) => [each, y(values[at] ?? 0)] as const)
      const [edge, base] = [edgeOf(sums), edgeOf(below)]
      const middle = ((sums.at(-1) ?? 0) + (below.at(-1) ?? 0)) / 2
      below = sums
      return {
        level,
        value: points.at(-1)?.byLevel[level] ?? 0,
        d: `${path([...edge, ...base.toReversed()])}Z`,
        edge: path(edge),
        labelY: y(middle),
      }
    })
  const shown = areas.filter(({ value }) => value > 0).toReversed()
  const ys = spread(
    shown.map(({ labelY }) => labelY),
    { gap: labelGap, min: top, max: bottom - 3 },
  )
  const labels = new Map(shown.map(({ level }, at) => [level, ys[at] ?? bottom]))
  return areas.map((area) => ({ ...area, labelY: labels.get(area.level) ?? area.labelY }))
}

interface Compared {
  readonly since: string | undefined
  readonly x: (time: number) => number
  readonly y: (value: number) => number
}

/** The figures with which a day began: those of the last point before it. */
export const pointBefore = (points: readonly ExposurePoint[], since: string | undefined) =>
  points.findLast(({ day }) => since !== undefined && day < since)

/** The place where the compared day began; null if the chart does not reach back to it. */
function comparedAt(points: readonly ExposurePoint[], { since, x, y }: Compared) {
  const point = pointBefore(points, since)
  if (since === undefined || point === undefined || point === points.at(-1)) return null
  const place = x(timeOf(since) - dayMs)
  return { x: place, y: y(point.exposure), isLate: place < 120 }
}

interface StepSpace {
  readonly x: (time: number) => number
  readonly foot: number
  readonly height: number
}

/** A count is what it is until it changes, so its line has steps. */
function stepLine(points: readonly ExposurePoint[], { x, foot, height }: StepSpace) {
  const most = Math.max(1, ...points.map(({ above }) => above))
  const y = linear([0, most], [foot, foot - height])
  const steps = points.map(({ day, above }, at) =>
    at === 0 ? `M${x(timeOf(day))} ${y(above)}` : `H${x(timeOf(day))}V${y(above)}`,
  )
  return { d: steps.join(''), y: round(y(points.at(-1)?.above ?? 0)) }
}

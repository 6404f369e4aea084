import { linear } from './scale.ts'

/** A score of a risk since a time, in milliseconds. */
export interface SparkScore {
  readonly score: number
  readonly time: number
}

export interface SparkSpace {
  readonly width: number
  readonly height: number
  readonly start: number
  readonly end: number
}

const inset = 4
const scoreMax = 25

export interface Spark {
  readonly d: string
  readonly end: { readonly x: number; readonly y: number }
}

/** The scores of a risk as steps on a fixed scale from 0 to 25, so that all of them compare. */
export function layoutScores(scores: readonly SparkScore[], space: SparkSpace): Spark | null {
  const x = linear([space.start, space.end], [inset, space.width - inset])
  const y = linear([0, scoreMax], [space.height - 2, 2])
  const within = clip(scores, space.start)
  const [first] = within
  const last = within.at(-1)
  if (first === undefined || last === undefined) return null
  const clamp = (time: number) => x(Math.min(Math.max(time, space.start), space.end))
  const steps = within.slice(1).map(({ score, time }) => `H${clamp(time)}V${y(score)}`)
  const end = { x: x(space.end), y: y(last.score) }
  return { d: `M${clamp(first.time)} ${y(first.score)}${steps.join('')}H${end.x}`, end }
}

/** The scores of the time from `start` on: the one before it begins there. */
function clip(scores: readonly SparkScore[], start: number): readonly SparkScore[] {
  const before = scores.findLastIndex(({ time }) => time <= start)
  return before < 1 ? scores : scores.slice(before)
}

interface ValueSpace {
  readonly width: number
  readonly height: number
  /** The highest value of all lines beside each other: they have one scale. */
  readonly most: number
}

/** Values at equal distances as a straight line. */
export function layoutValues(values: readonly number[], space: ValueSpace): Spark | null {
  if (values.length === 0) return null
  const x = linear([0, Math.max(1, values.length - 1)], [inset, space.width - inset])
  const y = linear([0, Math.max(1, space.most)], [space.height - 3, 3])
  const at = (value: number, index: number) => `${x(index)} ${y(value)}`
  const d = values.map((value, index) => `${index === 0 ? 'M' : 'L'}${at(value, index)}`).join('')
  const last = values.length - 1
  return { d, end: { x: x(values.length === 1 ? 1 : last), y: y(values[last] ?? 0) } }
}

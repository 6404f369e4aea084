import { linear, round } from './scale.ts'

export interface BridgeStep {
  readonly name: string
  /** The points that were added; negative if they were taken away. */
  readonly points: number
}

interface BridgeBar extends BridgeStep {
  readonly x: number
  readonly width: number
}

export interface BridgeLayout {
  readonly bars: readonly BridgeBar[]
  readonly beforeX: number
  readonly afterX: number
}

/** Where points went: each bar begins where the one before ended. */
export function layoutBridge(
  before: number,
  steps: readonly BridgeStep[],
  [left, right]: readonly [number, number],
): BridgeLayout {
  let sum = before
  const spans = steps.map(({ points }) => {
    const from = sum
    sum += points
    return [from, sum] as const
  })
  const ends = [before, ...spans.flat()]
  const [least, most] = [Math.min(...ends), Math.max(...ends)]
  const x = linear([least, Math.max(most, least + 1)], [left, right])
  return {
    bars: steps.map((step, at) => {
      const [from = before, to = before] = spans[at] ?? []
      const start = x(Math.min(from, to))
      return { ...step, x: start, width: round(Math.max(1, x(Math.max(from, to)) - start)) }
    }),
    beforeX: x(before),
    afterX: x(sum),
  }
}

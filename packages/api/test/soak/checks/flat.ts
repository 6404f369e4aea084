import type { Verdict } from '#test/soak/verdict'

/** A measured value and its time in minutes. */
export interface Sample {
  readonly minute: number
  readonly value: number
}

/**
 * Checks that a fluctuating value does not grow: its linear trend over the whole time stays within
 * twice the noise, or within `slack`.
 */
export function checkFlat(samples: readonly Sample[], slack: number): Verdict {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || samples.length < 10) {
    return { because: 'There are too few samples.', example: samples }
  }
  const { slope, noise } = trendOf(samples)
  const grown = slope * (last.minute - first.minute)
  if (grown <= Math.max(slack, 2 * noise)) return null
  const because = `It grew by ${grown.toFixed(1)}, with a noise of ${noise.toFixed(1)}.`
  return { because, example: [first, last] }
}

/** Linear regression: the slope, and the standard deviation of the residuals. */
function trendOf(samples: readonly Sample[]): { slope: number; noise: number } {
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [
    mean(samples.map(({ minute }) => minute)),
    mean(samples.map(({ value }) => value)),
  ]
  const spread = mean(samples.map(({ minute }) => (minute - x) ** 2))
  const slope = mean(samples.map(({ minute, value }) => (minute - x) * (value - y))) / spread
  const rest = samples.map(({ minute, value }) => (value - y - slope * (minute - x)) ** 2)
  return { slope, noise: Math.sqrt(mean(rest)) }
}

import assert from 'node:assert/strict'

/** A busy machine can take this many times as long. Beyond that, the code is the cause. */
const slack = 3

interface Measurement {
  readonly value: number
  readonly unit?: string
}

/** Where the measurement is printed: a test, or the output of a benchmark. */
interface Output {
  diagnostic(text: string): void
}

/** The upper or lower bound of `value`. */
type Bound = { readonly atMost: number } | { readonly atLeast: number }

/**
 * Prints a time, a cost or a ratio with its bound. Fails only beyond three times the bound: CPU,
 * latency and throughput are measurements, and no measurement on a shared machine is exact.
 */
export function measure(output: Output, name: string, measured: Measurement & Bound): void {
  const { value, unit = 'ms' } = measured
  const isUpper = 'atMost' in measured
  const bound = isUpper ? measured.atMost : measured.atLeast
  const text = `${name}: ${round(value)} ${unit} (at ${isUpper ? 'most' : 'least'} ${round(bound)})`
  output.diagnostic(text)
  const isWithin = isUpper ? value <= bound * slack : value >= bound / slack
  assert.ok(isWithin, `${text}, missed by more than ${slack} times`)
}

const round = (value: number) => Number(value.toPrecision(3))

import assert from 'node:assert/strict'

/** The smallest part of a history that violates the property, and the reason. */
interface Counterexample {
  readonly because: string
  readonly example: readonly unknown[]
}

/** The result of a checker: null when the property holds. */
export type Verdict = Counterexample | null

export function assertHolds(verdict: Verdict): void {
  assert.equal(verdict, null, verdict ? describe(verdict) : '')
}

const describe = ({ because, example }: Counterexample) =>
  [because, ...example.map((each) => JSON.stringify(each))].join('\n  ')

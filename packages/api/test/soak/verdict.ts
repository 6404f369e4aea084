import assert from 'node:assert/strict'

/** The smallest part of a history that cannot be, and why. */
interface Counterexample {
  readonly because: string
  readonly example: readonly unknown[]
}

/** What a checker says of a history: null when it holds. */
export type Verdict = Counterexample | null

export function assertHolds(verdict: Verdict): void {
  assert.equal(verdict, null, verdict ? told(verdict) : '')
}

const told = ({ because, example }: Counterexample) =>
  [because, ...example.map((each) => JSON.stringify(each))].join('\n  ')

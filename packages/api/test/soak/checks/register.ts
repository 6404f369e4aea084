import type { Verdict } from './verdict.ts'

/** What a risk was, from one number until before the next; null when it still is. */
export interface State {
  readonly id: string
  readonly from: number
  readonly to: number | null
  readonly isLive: boolean
  readonly score: number
  readonly impact: number
}

/** A complete answer: what it says it is as of, and the risks in their order with their versions. */
export interface Reading {
  readonly asOf: number
  readonly rows: readonly (readonly [id: string, version: number])[]
}

/** Every complete answer is exactly the register at its number: each risk once, in the rank's order. */
export function checkRegister(states: readonly State[], readings: readonly Reading[]): Verdict {
  for (const { asOf, rows } of readings) {
    const wanted = registerAt(states, asOf)
    const length = Math.max(wanted.length, rows.length)
    for (let index = 0; index < length; index++) {
      const [is, should] = [rows[index], wanted[index]]
      if (is?.[0] === should?.id && is?.[1] === should?.from) continue
      const because = `As of ${asOf}, place ${index + 1} has another risk than the register had.`
      return { because, example: [is ?? null, should ?? null] }
    }
  }
  return null
}

/** Score down, impact down, oldest first. */
function registerAt(states: readonly State[], asOf: number): State[] {
  return states
    .filter(({ isLive, from, to }) => isLive && from <= asOf && (to === null || to > asOf))
    .toSorted(
      (a, b) =>
        b.score - a.score ||
        b.impact - a.impact ||
        // Ids begin with the time.
        compare(a.id, b.id),
    )
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b))

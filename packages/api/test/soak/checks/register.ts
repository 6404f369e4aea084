import type { Verdict } from '#test/soak/verdict'

/** The state of a risk from one sequence number until before another; null for the current one. */
export interface State {
  readonly id: string
  readonly from: number
  readonly to: number | null
  readonly isLive: boolean
  readonly score: number
  readonly impact: number
}

/** A complete response: its `as_of`, and the risks in order with their versions. */
export interface Reading {
  readonly asOf: number
  readonly rows: readonly (readonly [id: string, version: number])[]
}

/** Every complete response equals the register at its `as_of`: each risk once, in rank order. */
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
        // Ids begin with the creation time.
        compare(a.id, b.id),
    )
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b))

import type { Control, Costed } from './judge.ts'
import { isQuiet } from './judge.ts'
import type { Round } from './round.ts'

/** Measures one round. */
export type Measure = () => Promise<Round>

export interface Length {
  readonly rounds: number
  /** How often a round is measured at most, while others use the machine. */
  readonly tries: number
}

/** Measures the control after every round, and keeps what it measured. */
export interface Controlled {
  readonly controls: Control[]
  readonly measureControl: () => Promise<Control>
}

/**
 * Measures in turns, so that other load on the machine affects all of them. Returns the rounds of
 * each.
 */
export async function interleave(
  measures: readonly Measure[],
  { rounds, tries }: Length,
  { controls, measureControl }: Controlled,
): Promise<Costed[][]> {
  const all = measures.map((): Costed[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, measure] of measures.entries()) {
      const measured = await quietRound(measure, tries)
      const control = await measureControl()
      controls.push(control)
      all[index]?.push({
        ...measured,
        nodeCost: measured.nodeUs / control.bare.nodeUs,
        postgresCost: measured.postgresUs / control.select.postgresUs,
      })
    }
  }
  return all
}

/** The last try is kept, quiet or not: the judge of the run sees it. */
export async function quietRound(measure: Measure, tries: number): Promise<Round> {
  for (let tried = 1; ; tried++) {
    const round = await measure()
    if (tried >= tries || isQuiet(round)) return round
  }
}

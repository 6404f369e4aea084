import type { Measured } from './round.ts'
import type { Scenario } from './scenarios.ts'

export interface Figures {
  readonly subject: Measured
  readonly reference: Measured
}

/** A scenario with its figures and their ratio. */
export interface Judged {
  readonly name: string
  readonly ratio: number
  /** The goal as text. */
  readonly bound: string
  readonly isReached: boolean
  /** Whether the ratio is three times worse than what the service reaches, as `measure` in tests. */
  readonly isFarOff: boolean
  readonly figures: Figures
}

const slack = 3

export function judge({ name, figure, goal, reached }: Scenario, figures: Figures): Judged {
  const ratio = figures.subject[figure] / figures.reference[figure]
  const [isReached, isFarOff] =
    'atLeast' in goal
      ? [ratio >= goal.atLeast, ratio < (reached ?? goal.atLeast) / slack]
      : [ratio <= goal.atMost, ratio > (reached ?? goal.atMost) * slack]
  return {
    name,
    ratio,
    bound: 'atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`,
    isReached,
    isFarOff,
    figures,
  }
}

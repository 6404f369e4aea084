import { foreignCoresMax, type Measured, medians, type Round } from './round.ts'
import type { Goal, Scenario } from './scenarios.ts'

/** The rounds of both, in the order in which they were measured in turns. */
export interface Figures {
  readonly subject: readonly Round[]
  readonly reference: readonly Round[]
}

/** A scenario with its figures and their ratio. */
export interface Judged {
  readonly name: string
  /** The ratio of the medians. */
  readonly ratio: number
  /** The lowest and the highest ratio of a round. */
  readonly lowest: number
  readonly highest: number
  /** Whether the ratio can be published: others used little CPU, and the rounds agree. */
  readonly isSteady: boolean
  readonly isReached: boolean
  /** Whether the ratio is three times worse than what the service reaches, as `measure` in tests. */
  readonly isFarOff: boolean
  readonly subject: Measured
  readonly reference: Measured
}

const slack = 3

/** The highest ratio of a steady run is at most this many times the lowest. */
export const spreadMax = 1.3

export const boundOf = (goal: Goal) =>
  'atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`

/** Whether a ratio is within its goal. */
export const isWithin = (goal: Goal, ratio: number) =>
  'atLeast' in goal ? ratio >= goal.atLeast : ratio <= goal.atMost

export function judge({ name, figure, goal, reached }: Scenario, figures: Figures): Judged {
  const [subject, reference] = [medians(figures.subject), medians(figures.reference)]
  const ratio = subject[figure] / reference[figure]
  const ratios = figures.subject.map(
    (round, index) => round[figure] / (figures.reference[index]?.[figure] ?? NaN),
  )
  const [lowest, highest] = [Math.min(...ratios), Math.max(...ratios)]
  const rounds = [...figures.subject, ...figures.reference]
  const isQuiet = rounds.every(({ foreignCores }) => foreignCores <= foreignCoresMax)
  const isFarOff =
    'atLeast' in goal
      ? ratio < (reached ?? goal.atLeast) / slack
      : ratio > (reached ?? goal.atMost) * slack
  return {
    name,
    ratio,
    lowest,
    highest,
    isSteady: isQuiet && highest <= lowest * spreadMax,
    isReached: isWithin(goal, ratio),
    isFarOff,
    subject,
    reference,
  }
}

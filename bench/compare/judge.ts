import type { Round } from './round.ts'
import type { Goal, Scenario } from './scenarios.ts'

/** A fixed work that has nothing to do with the service, to see what the machine does meanwhile. */
export interface Control {
  /** 304 of a bare server. */
  readonly bare: Round
  /** The statement of the page in pgbench. */
  readonly select: Round
}

/** A round, and its CPU time as a multiple of that of the control after it. */
export interface Costed extends Round {
  /** Of the process, in requests of the bare server. */
  readonly nodeCost: number
  /** Of PostgreSQL, in statements of the page. */
  readonly postgresCost: number
}

/** The rounds of both, in the order in which they were measured in turns. */
export interface Figures {
  readonly subject: readonly Costed[]
  readonly reference: readonly Costed[]
}

type State = 'reached' | 'missed' | 'unclear'

/** A scenario with its figures and their ratio. */
export interface Judged {
  readonly scenario: Scenario
  /** The median, the lowest and the highest ratio of the rounds. */
  readonly ratio: number
  readonly lowest: number
  readonly highest: number
  readonly state: State
  readonly figures: Figures
}

/** Fewer rounds show no spread. */
const roundsMin = 5

/** What others may do in a round. */
const foreignCoresMax = 0.15
const stolenPartMax = 0.02
/** The 90th percentile of the control, divided by the 10th. */
const controlSpreadMax = 1.15

/** Interpolated, so that few values have a median and percentiles too. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * part
  const [low, high] = [sorted[Math.floor(at)] ?? NaN, sorted[Math.ceil(at)] ?? NaN]
  return low + (high - low) * (at - Math.floor(at))
}

export const median = (values: readonly number[]) => percentile(values, 0.5)

export const spreadOf = (values: readonly number[]) =>
  percentile(values, 0.9) / percentile(values, 0.1)

export const boundOf = (goal: Goal) =>
  'atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`

const isWithin = (goal: Goal, ratio: number) =>
  'atLeast' in goal ? ratio >= goal.atLeast : ratio <= goal.atMost

/** A state holds only if enough rounds agree on it. */
export function stateOf(goal: Goal, ratios: readonly number[]): State {
  const within = ratios.filter((ratio) => isWithin(goal, ratio)).length
  if (ratios.length < roundsMin || (within > 0 && within < ratios.length)) return 'unclear'
  return within > 0 ? 'reached' : 'missed'
}

export function judge(scenario: Scenario, figures: Figures): Judged {
  const { figure, goal } = scenario
  const rounds = [...figures.subject, ...figures.reference]
  const ratios = figures.subject.map(
    (round, index) => round[figure] / (figures.reference[index]?.[figure] ?? NaN),
  )
  return {
    scenario,
    ratio: median(ratios),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
    // What others did to a round says nothing about the service.
    state: rounds.every(isQuiet) ? stateOf(goal, ratios) : 'unclear',
    figures,
  }
}

export const isQuiet = ({ foreignCores, stolenPart }: Round) =>
  foreignCores <= foreignCoresMax && stolenPart <= stolenPartMax

/** Requests that the service refused. */
export interface Refusal {
  readonly text: string
  /** Whether others left the machine alone meanwhile, so that the service is the reason. */
  readonly isQuiet: boolean
}

/** The worst round of a scenario of which responses were refused. */
export function refusalsOf(name: string, { subject, reference }: Figures): Refusal[] {
  const refused = [...subject, ...reference].filter(({ failedPart }) => failedPart > 0)
  if (refused.length === 0) return []
  const percent = Math.max(...refused.map(({ failedPart }) => failedPart)) * 100
  const text = `${name}: ${percent.toFixed(1)} % of the requests of a round were refused`
  return [{ text, isQuiet: refused.some(isQuiet) }]
}

/** Spreads of the control over a run. */
export function controlSpreads(controls: readonly Control[]) {
  const of = (name: keyof Control) => spreadOf(controls.map((each) => each[name].perSecond))
  return { bare: of('bare'), select: of('select') }
}

/** Why the figures of a run say more about other work of the machine; empty for a quiet one. */
export function noiseOf(rounds: readonly Round[], controls: readonly Control[]): string[] {
  const reasons: string[] = []
  for (const [name, spread] of Object.entries(controlSpreads(controls))) {
    if (spread <= controlSpreadMax) continue
    reasons.push(
      `the control "${name}" spread by ${spread.toFixed(2)} (at most ${controlSpreadMax})`,
    )
  }
  const all = [...rounds, ...controls.flatMap(({ bare, select }) => [bare, select])]
  const [foreign, stolen] = [
    Math.max(...all.map(({ foreignCores }) => foreignCores)),
    Math.max(...all.map(({ stolenPart }) => stolenPart)),
  ]
  if (foreign > foreignCoresMax)
    reasons.push(`others used ${foreign.toFixed(2)} cores (at most ${foreignCoresMax})`)
  if (stolen > stolenPartMax)
    reasons.push(`the host took ${(stolen * 100).toFixed(1)} % (at most ${stolenPartMax * 100} %)`)
  return reasons
}

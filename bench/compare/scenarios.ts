import type { Measured } from './round.ts'

/** What the connections ask for. */
export type Traffic =
  | 'page'
  | 'uncached-page'
  | 'complete'
  | 'summary'
  | 'unchanged'
  | 'whoami'
  | 'risk'
  | 'person'
  | 'person-spread'
  | 'review'

/** What it is compared with: other traffic, a bare server, pgbench, a peer, or the base commit. */
type Reference = Traffic | 'bare' | 'pgbench' | 'postgraphile' | 'base'

/** The bound of a ratio. */
export type Goal = { readonly atLeast: number } | { readonly atMost: number }

export interface Scenario {
  readonly name: string
  readonly traffic: Traffic
  readonly reference: Reference
  readonly connections: number
  /** The figure whose ratio is printed. */
  readonly figure: keyof Measured
  readonly goal: Goal
  /** What the service reaches as long as it misses the goal. */
  readonly reached?: number
  /** The least length of a round. */
  readonly secondsMin: number
  /** Whether the short form measures it too. */
  readonly isMain: boolean
}

/** Throughput over 32 connections, unless something else is given. */
function scenario(
  name: string,
  measured: Pick<Scenario, 'traffic' | 'reference' | 'goal'> & Partial<Scenario>,
): Scenario {
  return { name, connections: 32, figure: 'perSecond', isMain: false, secondsMin: 0, ...measured }
}

const atLeast = (value: number): Goal => ({ atLeast: value })
const atMost = (value: number): Goal => ({ atMost: value })
const isMain = true

/**
 * Reads come first: writes leave dead rows, which slow down what follows. Of the writes, those that
 * are compared with the base commit come first, so that both services have as many rows.
 */
export const scenarios: readonly Scenario[] = [
  scenario('304 / bare', {
    traffic: 'unchanged',
    reference: 'bare',
    goal: atLeast(0.4),
    reached: 0.15,
    isMain,
  }),
  scenario('repeated page / bare', {
    traffic: 'page',
    reference: 'bare',
    goal: atLeast(0.35),
    reached: 0.25,
    isMain,
  }),
  scenario('uncached page / pgbench', {
    traffic: 'uncached-page',
    reference: 'pgbench',
    goal: atLeast(0.2),
    reached: 0.02,
    isMain,
  }),
  scenario('uncached page / PostGraphile', {
    traffic: 'uncached-page',
    reference: 'postgraphile',
    goal: atLeast(3),
    reached: 0.6,
  }),
  scenario('repeated page / PostGraphile', {
    traffic: 'page',
    reference: 'postgraphile',
    goal: atLeast(20),
    reached: 3,
  }),
  scenario('whoami / 304', {
    traffic: 'whoami',
    reference: 'unchanged',
    goal: atLeast(0.9),
    reached: 0.6,
    isMain,
  }),
  scenario('one risk / bare', {
    traffic: 'risk',
    reference: 'bare',
    goal: atLeast(0.1),
    reached: 0.045,
    isMain,
  }),
  scenario('summary / bare', {
    traffic: 'summary',
    reference: 'bare',
    goal: atLeast(0.1),
    reached: 0.035,
  }),
  scenario('page, one connection, p50 / base', {
    traffic: 'page',
    reference: 'base',
    connections: 1,
    figure: 'p50',
    goal: atMost(0.5),
  }),
  scenario('repeated complete list of 10 000 risks, CPU per row / base', {
    traffic: 'complete',
    reference: 'base',
    connections: 2,
    figure: 'cpuUs',
    secondsMin: 4,
    goal: atMost(0.5),
  }),
  scenario('uncached page / base', {
    traffic: 'uncached-page',
    reference: 'base',
    goal: atLeast(1),
  }),
  scenario('304 / base', { traffic: 'unchanged', reference: 'base', goal: atLeast(1) }),
  scenario('one risk / base', { traffic: 'risk', reference: 'base', goal: atLeast(1) }),
  scenario('summary / base', { traffic: 'summary', reference: 'base', goal: atLeast(1) }),
  scenario('POST person / base', {
    traffic: 'person',
    reference: 'base',
    goal: atLeast(2),
    reached: 1.2,
  }),
  scenario('POST review / base', {
    traffic: 'review',
    reference: 'base',
    goal: atLeast(2),
    reached: 1.1,
  }),
  scenario('POST person, one workspace / spread over 100', {
    traffic: 'person',
    reference: 'person-spread',
    goal: atLeast(1),
    isMain,
  }),
]

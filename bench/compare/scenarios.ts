/** What the connections ask for. */
export type Traffic =
  | 'unchanged'
  | 'page'
  /** Pages that are in no cache, of rows that the process has read before. */
  | 'known-rows'
  /** The same pages, of a process that keeps nothing. */
  | 'cold-rows'
  | 'mix'
  | 'person'
  | 'person-spread'
  | 'review'
  | 'review-spread'

export type Peer = 'postgraphile' | 'directus'

/** What it is compared with: other traffic, a bare server, pgbench, a peer, or the base commit. */
export type Reference = Traffic | Peer | 'bare' | 'pgbench' | 'base'

/** The bound of a ratio. */
export type Goal = { readonly atLeast: number } | { readonly atMost: number }

export interface Scenario {
  readonly name: string
  readonly traffic: Traffic
  readonly reference: Reference
  readonly connections: number
  /** The figure whose ratio is printed. */
  readonly figure: 'perSecond' | 'cpuUs'
  readonly goal: Goal
  /** CPU time of a request in the process, as a multiple of a bare one: the bound of the gate. */
  readonly nodeCostMax?: number
  /** Whether the short form measures it too. */
  readonly isMain: boolean
}

/** Throughput over 32 connections, unless something else is given. */
function scenario(
  name: string,
  measured: Pick<Scenario, 'traffic' | 'reference' | 'goal'> & Partial<Scenario>,
): Scenario {
  return { name, connections: 32, figure: 'perSecond', isMain: false, ...measured }
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
    goal: atLeast(0.5),
    nodeCostMax: 7,
    isMain,
  }),
  scenario('304 / bare, 256 connections', {
    traffic: 'unchanged',
    reference: 'bare',
    connections: 256,
    goal: atLeast(0.5),
  }),
  scenario('repeated page / bare', {
    traffic: 'page',
    reference: 'bare',
    goal: atLeast(0.5),
    nodeCostMax: 8,
    isMain,
  }),
  scenario('repeated page / bare, 256 connections', {
    traffic: 'page',
    reference: 'bare',
    connections: 256,
    goal: atLeast(0.6),
  }),
  scenario('uncached page, known rows / pgbench', {
    traffic: 'known-rows',
    reference: 'pgbench',
    goal: atLeast(0.35),
    nodeCostMax: 70,
    isMain,
  }),
  scenario('uncached page, cold rows / pgbench', {
    traffic: 'cold-rows',
    reference: 'pgbench',
    goal: atLeast(0.2),
  }),
  scenario('uncached page, known rows / PostGraphile', {
    traffic: 'known-rows',
    reference: 'postgraphile',
    goal: atLeast(5),
  }),
  scenario('uncached page, cold rows / PostGraphile', {
    traffic: 'cold-rows',
    reference: 'postgraphile',
    goal: atLeast(2),
  }),
  scenario('repeated page / PostGraphile', {
    traffic: 'page',
    reference: 'postgraphile',
    goal: atLeast(20),
  }),
  scenario('uncached page, cold rows / Directus', {
    traffic: 'cold-rows',
    reference: 'directus',
    goal: atLeast(10),
  }),
  scenario('304 / base', { traffic: 'unchanged', reference: 'base', goal: atLeast(1) }),
  scenario('repeated page / base', { traffic: 'page', reference: 'base', goal: atLeast(1) }),
  scenario('uncached page, known rows / base', {
    traffic: 'known-rows',
    reference: 'base',
    goal: atLeast(1),
  }),
  scenario('uncached page, cold rows / base', {
    traffic: 'cold-rows',
    reference: 'base',
    goal: atLeast(1),
  }),
  scenario('POST person, CPU / base', {
    traffic: 'person-spread',
    reference: 'base',
    figure: 'cpuUs',
    goal: atMost(0.5),
  }),
  scenario('POST review, CPU / base', {
    traffic: 'review-spread',
    reference: 'base',
    figure: 'cpuUs',
    goal: atMost(0.5),
  }),
  scenario('mix / base', { traffic: 'mix', reference: 'base', goal: atLeast(1) }),
  scenario('POST person, one workspace / spread over 100', {
    traffic: 'person',
    reference: 'person-spread',
    goal: atLeast(1),
    isMain,
  }),
  scenario('POST review, one risk / spread over 200', {
    traffic: 'review',
    reference: 'review-spread',
    goal: atLeast(0.5),
  }),
]

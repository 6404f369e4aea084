import { measure } from '@muster/testing/measure'

import { cores } from './compare/cpu.ts'
import { type Controlled, interleave, type Length, type Measure } from './compare/interleave.ts'
import {
  isQuiet,
  controlSpreads,
  type Figures,
  judge,
  type Judged,
  median,
  noiseOf,
  type Refusal,
  refusalsOf,
} from './compare/judge.ts'
import { type Peers, startPeers } from './compare/peers.ts'
import { collapses, impossibilities, type Seen } from './compare/plausible.ts'
import { describe, headOf, lineOf, sizingOf } from './compare/report.ts'
import { oneRound, type Target, warmUp } from './compare/round.ts'
import { type Reference, type Scenario, scenarios, type Traffic } from './compare/scenarios.ts'
import { prepareStage, type Stage, startBare, targetOf } from './compare/stage.ts'
import { startBase, startCurrent } from './compare/subject.ts'
import { pageTwin } from './compare/twin.ts'
import { options } from './options.ts'
import { writePage } from './page/write.ts'
import { size } from './size.ts'

/**
 * `npm run bench -- compare`: throughput and CPU time of the service as ratios to a bare server
 * with the same bytes, to pgbench with the same statement, with `--peers` to other products, and
 * with `--base REF` to another commit. All figures of a line are measured in turns, with a control
 * after each round. Without options only the main scenarios are measured, once each.
 * `--only NAME` chooses scenarios whose name contains NAME. `--write` writes docs/performance.md if
 * the run was quiet; otherwise it ends with 2. What is impossible or implausible ends with 1.
 */
const { base: baseRef, only, peers: hasPeers, write } = options
const given = process.env['BENCH_SECONDS']
const isShort = size(0, 1) === 0 && given === undefined && !write && (baseRef ?? only) === undefined
const seconds = Number(given ?? size(1, 3))
const length: Length = isShort ? { rounds: 1, tries: 1 } : { rounds: 5, tries: write ? 5 : 2 }
const controlConnections = 32

const print = (line: string) => process.stdout.write(`${line}\n`)

interface Stages {
  readonly current: Stage
  readonly base: Stage | null
  readonly peers: Peers
  /** Runs the statement of the page. */
  readonly twin: (seconds: number) => ReturnType<Measure>
  readonly controlled: Controlled
}

async function measureScenario(scenario: Scenario, stages: Stages): Promise<Figures | null> {
  const { traffic, reference, connections } = scenario
  const subject = await targetOf(traffic, stages.current)
  await using bare = reference === 'bare' ? await startBare(subject) : null
  const other = bare ?? (await otherOf(reference, traffic, stages))
  if (other === null) return null
  const measureOf = async (each: Target): Promise<Measure> => {
    await warmUp(each, connections)
    return () => oneRound(each, { connections, seconds })
  }
  const measures = [
    await measureOf(subject),
    other === 'pgbench' ? () => stages.twin(seconds) : await measureOf(other),
  ]
  const [ours = [], theirs = []] = await interleave(measures, length, stages.controlled)
  return { subject: ours, reference: theirs }
}

/** Null without a base commit or a peer. */
async function otherOf(
  reference: Reference,
  traffic: Traffic,
  { base, current, peers }: Stages,
): Promise<Target | 'pgbench' | null> {
  if (reference === 'pgbench') return reference
  if (reference === 'base') return base && targetOf(traffic, base)
  if (reference === 'postgraphile' || reference === 'directus') return peers[reference] ?? null
  return reference === 'bare' ? null : targetOf(reference, current)
}

interface Measured {
  readonly results: readonly Judged[]
  /** Why scenarios have no result. */
  readonly refusals: readonly Refusal[]
}

async function measureAll(stages: Stages): Promise<Measured> {
  const results: Judged[] = []
  const refusals: Refusal[] = []
  print(headOf)
  const chosen = scenarios.filter(
    ({ name, isMain }) => name.includes(only ?? '') && (isMain || !isShort),
  )
  for (const scenario of chosen) {
    const figures = await measureScenario(scenario, stages)
    if (figures === null) continue
    const refused = refusalsOf(scenario.name, figures)
    for (const { text } of refused) print(text)
    refusals.push(...refused)
    if (refused.length > 0) continue
    const judged = judge(scenario, figures)
    print(lineOf(judged))
    results.push(judged)
    // Nothing that follows could be written.
    if (write && !roundsOf(judged).every(isQuiet)) break
  }
  return { results, refusals }
}

const roundsOf = ({ figures }: Judged) => [...figures.subject, ...figures.reference]

/** The medians of every traffic and of its reference, except pgbench, which is no server. */
const seenOf = (results: readonly Judged[]): Seen[] =>
  results.flatMap(({ scenario, figures }) => {
    const { traffic, reference, connections } = scenario
    const of = (name: string, rounds: Figures['subject']): Seen => ({
      name,
      connections,
      perSecond: median(rounds.map((round) => round.perSecond)),
      p50: median(rounds.map((round) => round.p50)),
      p99: median(rounds.map((round) => round.p99)),
      cpuUs: median(rounds.map((round) => round.cpuUs)),
    })
    return [of(traffic, figures.subject), of(`${traffic} / ${reference}`, figures.reference)]
  })

/** Fails when a request costs three times what it may, in CPU time of the bare server. */
function checkCosts(results: readonly Judged[]): void {
  for (const { scenario, figures } of results) {
    const { name, nodeCostMax: atMost } = scenario
    if (atMost === undefined) continue
    const value = median(figures.subject.map(({ nodeCost }) => nodeCost))
    measure({ diagnostic: print }, `${name}, CPU`, { value, atMost, unit: '× a bare 304' })
  }
}

async function run() {
  await using current = await startCurrent()
  await using base = baseRef === undefined ? null : await startBase(baseRef)
  const stage = await prepareStage(current)
  await using peers = hasPeers ? await startPeers(stage) : null
  await using bare = await startBare(await targetOf('unchanged', stage))
  const twin = await pageTwin(stage)
  await warmUp(bare, controlConnections)
  const controlled: Controlled = {
    controls: [],
    measureControl: async () => ({
      bare: await oneRound(bare, { connections: controlConnections, seconds: 1 }),
      select: await twin(1),
    }),
  }
  const baseStage = base && (await prepareStage(base))
  const stages = { current: stage, base: baseStage, peers: peers ?? {}, twin, controlled }
  return { ...(await measureAll(stages)), controls: controlled.controls }
}

if (write && only !== undefined)
  throw new Error('--write needs all scenarios, so --only is refused.')
for (const line of describe()) print(line)
const { results, refusals, controls } = await run()
const spreads = controlSpreads(controls)
print(
  `Control: ${controls.length} times, p90 / p10 of a bare 304 ${spreads.bare.toFixed(2)}, ` +
    `of the select in pgbench ${spreads.select.toFixed(2)}`,
)
for (const line of sizingOf(results)) print(line)
const seen = seenOf(results)
const wrong = [
  ...impossibilities(seen, cores),
  ...collapses(seen),
  ...refusals.filter((each) => each.isQuiet).map(({ text }) => text),
]
for (const line of wrong) print(`Implausible: ${line}.`)
const noise = [
  ...noiseOf(results.flatMap(roundsOf), controls),
  ...refusals.filter((each) => !each.isQuiet).map(({ text }) => text),
]
if (noise.length > 0) print(`Not written: noisy. ${noise.join('; ')}.`)
else if (wrong.length === 0 && write) writePage(results, { spreads, base: baseRef ?? null })
if (noise.length > 0 && write) process.exitCode = 2
if (wrong.length > 0) process.exitCode = 1
checkCosts(results)

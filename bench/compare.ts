import { boundOf, type Figures, judge, type Judged } from './compare/judge.ts'
import { startPostGraphile } from './compare/peer.ts'
import { interleave, type Length, type Round, type Target } from './compare/round.ts'
import { type Scenario, scenarios, type Traffic } from './compare/scenarios.ts'
import { pageTwin, prepareStage, type Stage, startBare, targetOf } from './compare/stage.ts'
import { startBase, startCurrent } from './compare/subject.ts'
import { options } from './options.ts'
import { writePage } from './page/write.ts'
import { size } from './size.ts'

/**
 * `npm run bench -- compare`: throughput, latency and CPU time of the service as ratios to a bare
 * server with the same bytes, to pgbench with the same statement, and with `--base REF` to another
 * commit. All figures of a line are measured in turns. Without options only the main scenarios are
 * measured, once each. `--write` writes docs/performance.md, with the steady ratios only.
 * `--only NAME` chooses scenarios whose name contains NAME. `--peers` also installs PostGraphile in
 * a temporary folder and compares with it.
 */
const { base: baseRef, only, peers, write } = options
const given = process.env['BENCH_SECONDS']
const isShort = size(0, 1) === 0 && given === undefined && !write && (baseRef ?? only) === undefined
const seconds = Number(given ?? size(1, 3))
const length = isShort
  ? { seconds, rounds: 1, tries: 1 }
  : { seconds, rounds: size(3, 5), tries: size(2, 3) }

const print = (line: string) => process.stdout.write(`${line}\n`)

interface Stages {
  readonly current: Stage
  readonly peer: Target | null
  readonly base: Stage | null
}

/** The figures of the traffic and of its reference; null without a base commit or a peer. */
async function measure(scenario: Scenario, stages: Stages): Promise<Figures | null> {
  const { traffic, reference, connections, secondsMin } = scenario
  const each = { ...length, connections, seconds: Math.max(seconds, secondsMin) }
  const subject = await targetOf(traffic, stages.current)
  if (reference === 'pgbench') return measureTwin(subject, stages.current, each)
  if (reference === 'bare') {
    await using bare = await startBare(subject)
    return pair(await interleave([subject, bare], each))
  }
  const other = await otherTarget(traffic, reference, stages)
  return other && pair(await interleave([subject, other], each))
}

async function otherTarget(
  traffic: Traffic,
  reference: Exclude<Scenario['reference'], 'bare' | 'pgbench'>,
  { current, base, peer }: Stages,
): Promise<Target | null> {
  if (reference === 'postgraphile') return peer
  if (reference === 'base') return base && targetOf(traffic, base)
  return targetOf(reference, current)
}

function pair([subject, reference]: Round[][]): Figures {
  if (!subject || !reference) throw new Error('both are measured')
  return { subject, reference }
}

/** pgbench states its throughput alone. What others used is unknown, so no round is quiet. */
const unmeasured = { p50: 0, p99: 0, nodeUs: 0, postgresUs: 0, cpuUs: 0, foreignCores: Infinity }

async function measureTwin(subject: Target, stage: Stage, each: Length): Promise<Figures> {
  const twin = await pageTwin(stage)
  const ours: Round[] = []
  const theirs: Round[] = []
  for (let round = 0; round < each.rounds; round++) {
    ours.push(...(await interleave([subject], { ...each, rounds: 1 })).flat())
    const perSecond = await twin(each.seconds)
    theirs.push({ ...unmeasured, perSecond })
  }
  return pair([ours, theirs])
}

const columns = (texts: readonly string[]) => texts.map((text) => text.padStart(9)).join('')

function report({ goal }: Scenario, judged: Judged): void {
  const { name, ratio, lowest, highest, isSteady, isReached, subject, reference } = judged
  const numbers = [
    ratio.toFixed(3),
    lowest.toFixed(3),
    highest.toFixed(3),
    boundOf(goal),
    subject.perSecond.toFixed(0),
    reference.perSecond.toFixed(0),
    subject.nodeUs.toFixed(0),
    subject.postgresUs.toFixed(0),
    subject.p50.toFixed(1),
    subject.p99.toFixed(1),
  ]
  const remarks = [...(isReached ? [] : ['goal missed']), ...(isSteady ? [] : ['not steady'])]
  print(`${columns(numbers)}  ${name}${remarks.length > 0 ? `  (${remarks.join(', ')})` : ''}`)
}

async function compareAll(): Promise<Judged[]> {
  await using current = await startCurrent()
  await using base = baseRef === undefined ? null : await startBase(baseRef)
  const amount = { workspaces: isShort ? 10 : 100, longRows: base === null ? null : 10_000 }
  const stage = await prepareStage(current, amount)
  await using peer = peers ? await startPostGraphile(stage) : null
  const stages = {
    current: stage,
    peer,
    base: base && (await prepareStage(base, amount)),
  }
  const head = ['ratio', 'lowest', 'highest', 'goal', 'ours/s', 'ref/s']
  print(columns([...head, 'node µs', 'pg µs', 'p50 ms', 'p99 ms']))
  const all: Judged[] = []
  const chosen = scenarios.filter(
    ({ name, isMain }) => name.includes(only ?? '') && (isMain || !isShort),
  )
  for (const scenario of chosen) {
    const figures = await measure(scenario, stages)
    if (figures === null) continue
    const judged = judge(scenario, figures)
    report(scenario, judged)
    all.push(judged)
  }
  return all
}

if (write && only !== undefined)
  throw new Error('--write needs all scenarios, so --only is refused.')
const results = await compareAll()
const far = results.filter(({ isFarOff }) => isFarOff)
if (far.length > 0) {
  print(`Missed by more than three times: ${far.map(({ name }) => name).join('; ')}.`)
  process.exitCode = 1
}
if (write) writePage(results, baseRef ?? null)

import { measure } from '@muster/testing/measure'

import { fill } from './compare/api.ts'
import { cores } from './compare/cpu.ts'
import { quietRound } from './compare/interleave.ts'
import { isQuiet, median } from './compare/judge.ts'
import { collapses, impossibilities, type Seen, speedUps } from './compare/plausible.ts'
import { describe, short } from './compare/report.ts'
import { oneRound, type Round, type Target, warmUp } from './compare/round.ts'
import { startCurrent, type Subject } from './compare/subject.ts'
import { growTo } from './growth/rows.ts'
import { options } from './options.ts'
import { size } from './size.ts'
import { copyWorkspace } from './workspaces.ts'

/**
 * `npm run bench -- growth`: throughput and CPU time of a request as the work grows: connections,
 * workspaces and rows. A workspace has at most 100 000 risks. With more rows in the table, the
 * others belong to copies of it. BENCH_ROWS is the most rows. `--only NAME` chooses series by a
 * part of their name. What is impossible fails; what is implausible fails in quiet rounds.
 */
const seconds = Number(process.env['BENCH_SECONDS'] ?? size(1, 3))
const rowsMax = Number(process.env['BENCH_ROWS'] ?? size(1_000_000, 10_000_000))
const rounds = size(1, 5)
const tries = size(1, 5)

const print = (line: string) => process.stdout.write(`${line}\n`)

/** One figure for an amount of something. */
interface Point extends Seen {
  readonly amount: number
  readonly isQuiet: boolean
}

interface Asked {
  readonly tokens: readonly string[]
  readonly path?: string
  readonly connections?: number
  readonly isUncached?: boolean
}

async function point(subject: Subject, amount: number, asked: Asked): Promise<Point> {
  const { tokens, path = '/v1/risks?limit=50', connections = 32, isUncached = false } = asked
  const { base, child } = isUncached ? subject.uncached : subject
  const requests = tokens.map((token) => ({ token, path }))
  const load = { base, requests }
  const target: Target = { name: path, child, database: subject.database, load, statuses: [200] }
  await warmUp(target, connections)
  const all: Round[] = []
  for (let round = 0; round < rounds; round++)
    all.push(await quietRound(() => oneRound(target, { connections, seconds }), tries))
  const of = (name: 'perSecond' | 'p50' | 'p99' | 'cpuUs') => median(all.map((each) => each[name]))
  const figures = { perSecond: of('perSecond'), p50: of('p50'), p99: of('p99'), cpuUs: of('cpuUs') }
  return { name: path, amount, connections, ...figures, isQuiet: all.every(isQuiet) }
}

const powersUpTo = (max: number) =>
  [1000, 10_000, 100_000, 1_000_000, 10_000_000].filter((amount) => amount <= max)

async function* byConnections(subject: Subject): AsyncGenerator<Point> {
  const token = await subject.newWorkspace('Connections')
  await fill(subject.base, token, 100)
  for (const connections of [1, 4, 16, 64, 256, 1024])
    yield point(subject, connections, { tokens: [token], connections })
}

async function* byWorkspaces(subject: Subject): AsyncGenerator<Point> {
  const empty = await subject.newWorkspace('Empty')
  const tokens = [empty]
  for (const amount of [1, 10, 100, 1000, 10_000, 100_000]) {
    tokens.push(...(await copyWorkspace(subject.url, empty, amount - tokens.length)))
    yield point(subject, amount, { tokens, path: '/v1/whoami' })
  }
}

async function* byRows(subject: Subject): AsyncGenerator<Point> {
  const token = await subject.newWorkspace('Rows')
  await fill(subject.base, token, 1000)
  let filled = { url: subject.url, token, rows: 1000 }
  for (const rows of powersUpTo(rowsMax)) {
    filled = await growTo(filled, rows)
    yield point(subject, rows, { tokens: [token], isUncached: true })
  }
}

type Grow = (subject: Subject) => AsyncIterable<Point>

const everySeries: readonly (readonly [name: string, of: string, grow: Grow])[] = [
  ['Repeated page by connections', 'connections', byConnections],
  ['Caller by workspaces', 'workspaces', byWorkspaces],
  ['Uncached page by rows in the table', 'rows', byRows],
]

const barLength = 30

/** The CPU time of a request as a bar, relative to the highest. */
function plot(name: string, of: string, points: readonly Point[]): void {
  const highest = Math.max(...points.map(({ cpuUs }) => cpuUs))
  const cells = (texts: readonly string[]) => texts.map((text) => text.padStart(13)).join('')
  print(`${name}\n${cells([of, 'a second', 'CPU µs'])}`)
  for (const each of points) {
    const bar = '█'.repeat(Math.round((each.cpuUs / highest) * barLength))
    const numbers = [String(each.amount), short(each.perSecond), short(each.cpuUs)]
    print(`${cells(numbers)}  ${bar}${each.isQuiet ? '' : ' (noisy)'}`)
  }
}

function implausible(of: string, points: readonly Point[]): string[] {
  const relative = of === 'connections' ? collapses(points) : speedUps(of, points)
  if (!points.every((each) => each.isQuiet)) {
    for (const line of relative) print(`Not judged, because others used the machine: ${line}.`)
    return impossibilities(points, cores)
  }
  return [...impossibilities(points, cores), ...relative]
}

/** The page of a large table must keep at least half of its throughput. */
function checkRows(points: readonly Point[]): void {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return
  measure({ diagnostic: print }, `uncached page at ${last.amount} rows relative to 1000`, {
    value: last.perSecond / first.perSecond,
    atLeast: 0.5,
    unit: '×',
  })
}

for (const line of describe()) print(line)
await using subject = await startCurrent()
for (const [name, of, grow] of everySeries) {
  if (!name.includes(options.only ?? '')) continue
  const points = await Array.fromAsync(grow(subject))
  plot(name, of, points)
  const wrong = implausible(of, points)
  for (const line of wrong) print(`Implausible: ${line}.`)
  if (wrong.length > 0) process.exitCode = 1
  if (of === 'rows') checkRows(points)
}

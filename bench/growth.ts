import { measure } from '@muster/testing/measure'

import { fill } from './compare/api.ts'
import { interleave, medians, oneRound, type Target } from './compare/round.ts'
import { benchSettings, startCurrent, type Subject } from './compare/subject.ts'
import { growTo } from './growth/rows.ts'
import { options } from './options.ts'
import { startService, stop } from './process.ts'
import { size } from './size.ts'
import { addKeys, copyWorkspace } from './workspaces.ts'

/**
 * `npm run bench -- growth`: throughput and CPU time of a request as the work grows: rows,
 * workspaces, keys, connections and processes. A workspace has at most 100 000 risks. With more
 * rows in the table, the others belong to copies of it. BENCH_ROWS is the most rows. `--only NAME`
 * chooses series by a part of their name.
 */
const seconds = Number(process.env['BENCH_SECONDS'] ?? 1)
const rowsMax = Number(process.env['BENCH_ROWS'] ?? size(1_000_000, 10_000_000))
const rounds = size(1, 3)
/** A command line has room for this many keys. */
const tokensMax = 1000
const page = '/v1/risks?limit=50'

const print = (line: string) => process.stdout.write(`${line}\n`)

interface Point {
  readonly amount: number
  readonly perSecond: number
  readonly cpuUs: number
}

/** One figure for several amounts of something. */
interface Series {
  /** What the amounts count. */
  readonly of: string
  readonly points: readonly Point[]
}

interface Asked {
  readonly tokens: readonly string[]
  readonly path?: string
  readonly connections?: number
  readonly isUncached?: boolean
}

/** Tokens spread evenly over all of them. */
function sample(tokens: readonly string[]): string[] {
  const step = Math.max(1, tokens.length / tokensMax)
  return Array.from(
    { length: Math.min(tokens.length, tokensMax) },
    (_, index) => tokens[Math.floor(index * step)] ?? '',
  )
}

function targetOf(subject: Subject, { tokens, path = page, isUncached = false }: Asked): Target {
  const { base, child } = isUncached ? subject.uncached : subject
  const { database } = subject
  // Every key is used, however few the connections are.
  const load = { base, path, tokens: sample(tokens), ...(tokens.length > 1 && { zipf: 0 }) }
  return { name: path, child, database, load, status: 200 }
}

async function point(subject: Subject, amount: number, asked: Asked): Promise<Point> {
  const { connections = 32 } = asked
  const length = { connections, seconds, rounds, tries: 1 }
  const [measured = []] = await interleave([targetOf(subject, asked)], length)
  const { perSecond, cpuUs } = medians(measured)
  return shown({ amount, perSecond, cpuUs })
}

function shown(each: Point): Point {
  const numbers = [each.amount, each.perSecond.toFixed(0), each.cpuUs.toFixed(0)]
  print(numbers.map((text) => String(text).padStart(12)).join(''))
  return each
}

const powersUpTo = (max: number) =>
  [1000, 10_000, 100_000, 1_000_000, 10_000_000].filter((amount) => amount <= max)

async function* byRows(subject: Subject): AsyncGenerator<Point> {
  const token = await subject.newWorkspace('Rows')
  await fill(subject.base, token, 1000)
  let filled = { url: subject.url, token, rows: 1000 }
  for (const rows of powersUpTo(rowsMax)) {
    filled = await growTo(filled, rows)
    yield point(subject, rows, { tokens: [token], isUncached: true })
  }
}

async function* byWorkspaces(subject: Subject): AsyncGenerator<Point> {
  const empty = await subject.newWorkspace('Empty')
  const tokens = [empty]
  for (const amount of [1, 10, 100, 1000, 10_000, 100_000]) {
    tokens.push(...(await copyWorkspace(subject.url, empty, amount - tokens.length)))
    yield point(subject, amount, { tokens, path: '/v1/whoami' })
  }
}

async function* byKeys(subject: Subject): AsyncGenerator<Point> {
  const token = await subject.newWorkspace('Keys')
  await fill(subject.base, token, 100)
  const tokens = [token]
  for (const amount of [1, 10, 100, 1000, 10_000]) {
    tokens.push(...(await addKeys(subject.url, token, amount - tokens.length)))
    yield point(subject, amount, { tokens })
  }
}

async function* byConnections(subject: Subject): AsyncGenerator<Point> {
  const token = await subject.newWorkspace('Connections')
  await fill(subject.base, token, 100)
  for (const connections of [1, 4, 16, 64, 256, 1024]) {
    yield point(subject, connections, { tokens: [token], connections })
  }
}

/** All processes are asked at once. */
async function* byProcesses(subject: Subject): AsyncGenerator<Point> {
  const token = await subject.newWorkspace('Processes')
  await fill(subject.base, token, 100)
  const first = targetOf(subject, { tokens: [token] })
  const { child, base } = await startService(subject.url, benchSettings)
  const second = { ...first, child, load: { ...first.load, base } }
  for (const targets of [[first], [first, second]]) {
    const length = { connections: 32 / targets.length, seconds: 2 * seconds }
    const all = await Promise.all(targets.map((target) => oneRound(target, length)))
    const perSecond = all.reduce((sum, each) => sum + each.perSecond, 0)
    const nodeUs = all.reduce((sum, each) => sum + each.nodeUs, 0) / all.length
    // Each round counts the CPU time of all backends, for its own requests only.
    const postgresUs = all.reduce((sum, each) => sum + each.postgresUs, 0) / all.length ** 2
    yield shown({ amount: targets.length, perSecond, cpuUs: nodeUs + postgresUs })
  }
  await stop(child)
}

type Grow = (subject: Subject) => AsyncIterable<Point>

const everySeries: readonly (readonly [name: string, of: string, grow: Grow])[] = [
  ['Repeated page by connections', 'connections', byConnections],
  ['Repeated page by processes', 'processes', byProcesses],
  ['Repeated page by keys of the workspace', 'keys', byKeys],
  ['Caller by workspaces', 'workspaces', byWorkspaces],
  ['Uncached page by rows in the table', 'rows', byRows],
]

async function measureAll(): Promise<Series[]> {
  await using subject = await startCurrent()
  const all: Series[] = []
  for (const [name, of, grow] of everySeries) {
    if (!name.includes(options.only ?? '')) continue
    print(`${name}\n${[of, 'a second', 'CPU µs'].map((text) => text.padStart(12)).join('')}`)
    all.push({ of, points: await Array.fromAsync(grow(subject)) })
  }
  return all
}

/** The page of a large table must keep at least half of its throughput. */
function checkRows({ points }: Series): void {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return
  measure({ diagnostic: print }, `uncached page at ${last.amount} rows relative to 1000`, {
    value: last.perSecond / first.perSecond,
    atLeast: 0.5,
    unit: '×',
  })
}

const results = await measureAll()
const rows = results.find(({ of }) => of === 'rows')
if (rows) checkRows(rows)

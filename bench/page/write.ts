import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'

import {
  type Bounded,
  type Compared,
  type Mix,
  type OpenLoop,
  readResults,
  type Results,
  type Series,
} from '#bench/results'

import { chartOf } from './chart.ts'
import { sizingOf } from './sizing.ts'

const docs = new URL('../../docs/', import.meta.url)

const table = (head: readonly string[], rows: readonly (readonly string[])[]) => [
  `| ${head.join(' | ')} |`,
  `|${head.map(() => '---').join('|')}|`,
  ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  '',
]

const whole = (value: number) => Math.round(value).toLocaleString('en').replaceAll(',', ' ')
const percent = (value: number) => `${(value * 100).toFixed(1)} %`

/** The machine, the versions, the commit and the date. */
function originOf(base: string | null): string[] {
  const server = execFileSync('psql', ['--version'], { encoding: 'utf8' })
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' })
  const memory = (totalmem() / 1024 ** 3).toFixed(0)
  return table(
    ['what', 'value'],
    [
      ['date', new Date().toISOString().slice(0, 10)],
      ['commit', `\`${commit.trim()}\``],
      ['base commit', base === null ? 'none' : `\`${base}\``],
      ['machine', `${availableParallelism()} cores, ${cpus()[0]?.model}, ${memory} GB, shared`],
      ['Node', process.version.slice(1)],
      ['PostgreSQL client programs', /[\d.]+/.exec(server)?.[0] ?? ''],
    ],
  )
}

function comparedOf({ rows }: Compared): string[] {
  const lines = rows.map((row) => [
    row.name,
    row.bound,
    row.ratio.toFixed(2),
    row.isReached ? 'reached' : 'missed',
    whole(row.perSecond),
    whole(row.referencePerSecond),
    whole(row.nodeUs),
    whole(row.postgresUs),
  ])
  const head = ['measured / reference', 'goal', 'ratio', 'state', 'a second', 'reference a second']
  return table([...head, 'service µs', 'PostgreSQL µs'], lines)
}

const openLoopOf = (all: readonly OpenLoop[]) =>
  table(
    ['request', 'load', 'a second', 'p50 ms', 'p99 ms', 'failed'],
    all.flatMap(({ name, points }) =>
      points.map(({ part, perSecond, p50, p99, failedPart }) => [
        name,
        `${part * 100} %`,
        whole(perSecond),
        p50.toFixed(1),
        p99.toFixed(1),
        percent(failedPart),
      ]),
    ),
  )

const mixOf = ({ points }: Mix) =>
  table(
    ['writes a second, each hot workspace', 'reads a second', 'p50 ms', 'p99 ms', 'hit rate'],
    points.map(({ writesPerSecond, perSecond, p50, p99, hitRate }) => [
      String(writesPerSecond),
      whole(perSecond),
      p50.toFixed(1),
      p99.toFixed(1),
      percent(hitRate),
    ]),
  )

const boundedOf = (all: readonly Bounded[]) =>
  table(
    ['figure', 'at most', 'measured', 'state'],
    all.map(({ name, value, atMost, unit }) => [
      name,
      `${Number(atMost.toPrecision(3))} ${unit}`,
      `${Number(value.toPrecision(3))} ${unit}`,
      value <= atMost ? 'reached' : 'missed',
    ]),
  )

/** Draws a series, and returns the text that shows the picture. */
function drawSeries(series: Series): string[] {
  const file = `images/growth-${series.of}.svg`
  writeFileSync(new URL(file, docs), chartOf(series))
  const { of, points } = series
  const rows = points.map(({ amount, perSecond, cpuUs }) => [amount, perSecond, cpuUs].map(whole))
  return [
    `### ${series.name}`,
    '',
    `![${series.name}](${file})`,
    '',
    ...table([of, 'a second', 'CPU µs of a request'], rows),
  ]
}

/** A section with the figures of one benchmark, if it has run. */
function section<Name extends keyof Results>(
  name: Name,
  title: string,
  render: (results: Results[Name]) => readonly string[],
): string[] {
  const results = readResults(name)
  const body = results === null ? ['Not measured yet.', ''] : render(results)
  return [`## ${title}`, '', ...body]
}

const goalsOf = (compared: Compared) => [
  ...comparedOf(compared),
  '"Bare" is a server of `node:http` alone that sends the same bytes. "pgbench" runs the statement that',
  'the service sent for the page. "Base" is the service of the base commit. Each figure is the median of',
  'three rounds in turns. The load generator is a process of its own, with 32 connections. CPU time is',
  'that of the process and of the connections to its database, for each request.',
  '',
]

const loadsOf = (all: readonly OpenLoop[]) => [
  'Requests arrive at a fixed rate, as a part of what 32 connections reach in a closed loop. The time of',
  'each counts from when it was due.',
  '',
  ...openLoopOf(all),
]

const manyOf = (mix: Mix) => [
  `Reads of ${whole(mix.workspaces)} workspaces by the Zipf distribution, with the default page cache. The`,
  `${mix.hotWorkspaces} workspaces that are read most are hot, and get the writes.`,
  '',
  ...mixOf(mix),
  mix.steadyAfterSeconds === null
    ? 'After a restart, the usual hit rate was not reached in the time of the measurement.'
    : `After a restart, the usual hit rate was reached in ${mix.steadyAfterSeconds.toFixed(0)} s.`,
  '',
]

const neighboursOf = (all: readonly Bounded[]) => [
  'One workspace does the worst that its limits allow. The figures are those of another workspace,',
  'relative to a calm service. The service and PostgreSQL share one core.',
  '',
  ...boundedOf(all),
]

const growthOf = (all: readonly Series[]) => [
  'A workspace has at most 100 000 risks. With more rows, the others belong to copies of it.',
  '',
  ...all.flatMap(drawSeries),
]

/** Writes docs/performance.md and its pictures from the figures of the last runs. */
export function writePage(): void {
  const compared = readResults('compare')
  const mix = readResults('mix')
  const lines = [
    '# Performance',
    '',
    'A command writes this page from what it has measured. It takes about ten minutes:',
    '',
    '```text',
    'npm run bench -- compare --base REF --write',
    '```',
    '',
    ...originOf(compared?.base ?? null),
    'Other work on the machine changes every absolute figure. Ratios of figures that are measured in',
    'turns change less.',
    '',
    ...section('compare', 'Goals', goalsOf),
    ...section('open-loop', 'Latency against load', loadsOf),
    ...section('mix', 'Many workspaces', manyOf),
    ...section('neighbours', 'Neighbours', neighboursOf),
    ...section('growth', 'Growth', growthOf),
    ...(compared && mix ? sizingOf(compared, mix) : []),
  ]
  writeFileSync(new URL('performance.md', docs), `${lines.join('\n').trimEnd()}\n`)
}

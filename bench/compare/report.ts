import { cpus } from 'node:os'

import { generatorName } from '#bench/load/generate'
import { isIsolated } from '#bench/priority'

import { cores } from './cpu.ts'
import { boundOf, type Costed, type Judged, median } from './judge.ts'

/** Two digits: no more of them are the same in the next run. */
export const short = (value: number) => String(Number(value.toPrecision(2)))

/** The machine and how it is measured. */
export const describe = (): string[] => [
  `Machine: ${cores} cores (${cpus()[0]?.model}), Node ${process.version.slice(1)}`,
  `Load generator: ${generatorName}`,
  isIsolated()
    ? 'Isolated: the service, the generator and the backends have the highest priority.'
    : 'Not isolated: other processes have the same priority. Run it as root, with autogroup.',
]

const columns = (texts: readonly string[]) => texts.map((text) => text.padStart(9)).join('')

const names = ['ratio', 'lowest', 'highest', 'goal', 'a second', 'ref/s', 'p50 ms', 'p99 ms']
export const headOf = `${columns([...names, 'node µs', 'pg µs', '× bare', '× select'])}  scenario`

export function lineOf({ scenario, ratio, lowest, highest, state, figures }: Judged): string {
  const of = (name: keyof Costed) => short(median(figures.subject.map((round) => round[name])))
  const reference = short(median(figures.reference.map(({ perSecond }) => perSecond)))
  const numbers = [short(ratio), short(lowest), short(highest), boundOf(scenario.goal)]
  const rest = [of('p50'), of('p99'), of('nodeUs'), of('postgresUs')]
  const costs = [of('nodeCost'), of('postgresCost')]
  const cells = [...numbers, of('perSecond'), reference, ...rest, ...costs]
  return `${columns(cells)}  ${scenario.name} (${state})`
}

/** What a request of the mix costs in units that anyone can measure on another machine. */
export function sizingOf(results: readonly Judged[]): string[] {
  const mix = results.find(({ scenario }) => scenario.traffic === 'mix')
  if (mix === undefined) return []
  const of = (name: 'nodeCost' | 'postgresCost') =>
    short(median(mix.figures.subject.map((round) => round[name])))
  return [
    `Sizing: a request of the mix takes the CPU time of ${of('nodeCost')} bare responses in the service,`,
    `and of ${of('postgresCost')} statements of the page in PostgreSQL.`,
  ]
}

import type { Compared, Mix } from '#bench/results'

/** The part of the CPU that is planned for. The rest absorbs bursts. */
const usable = 0.7
const databaseCores = 16

interface Cost {
  readonly name: string
  readonly nodeUs: number
  readonly postgresUs: number
}

const whole = (value: number) => Math.round(value).toLocaleString('en').replaceAll(',', ' ')

/** Two digits: a computed figure has no more than these. */
const rounded = (value: number) => whole(Number(value.toPrecision(2)))

function costsOf({ rows }: Compared, { points }: Mix): Cost[] {
  const row = (name: string, shown: string) =>
    rows.filter((each) => each.name === name).map((each) => ({ ...each, name: shown }))
  const mixed = points.filter(({ writesPerSecond }) => writesPerSecond === 1)
  return [
    ...row('repeated page / bare', 'repeated page'),
    ...row('uncached page / pgbench', 'uncached page'),
    ...row('POST person, one workspace / spread over 100', 'POST person'),
    ...mixed.map((each) => ({ ...each, name: 'mix, 1 write a second in hot workspaces' })),
  ]
}

/** What machines carry, computed from the CPU time of a request. */
export function sizingOf(compared: Compared, mix: Mix): string[] {
  const costs = costsOf(compared, mix)
  const lines = costs.map(({ name, nodeUs, postgresUs }) => {
    const box = (2e6 * usable) / (nodeUs + postgresUs)
    const database = (databaseCores * 1e6 * usable) / postgresUs
    const processes = Math.ceil((database * nodeUs) / (1e6 * usable))
    const measured = [nodeUs, postgresUs].map(whole)
    const computed = [box, database, processes].map(rounded)
    return `| ${[name, ...measured, ...computed].join(' | ')} |`
  })
  return [
    '## Sizing',
    '',
    `The arithmetic: of every core ${usable * 100} % is planned for. A 2-core box runs the service and`,
    'PostgreSQL, so it carries 2 000 000 µs a second × 0.7 / (service µs + PostgreSQL µs). A database',
    `with ${databaseCores} cores carries ${databaseCores} 000 000 µs × 0.7 / PostgreSQL µs. A process of the`,
    'service uses one core. These are computed from one machine and rounded to two digits, not measured',
    'at that size.',
    '',
    '| request | service µs | PostgreSQL µs | a second, 2-core box | a second, 16-core database | processes |',
    '|---|---|---|---|---|---|',
    ...lines,
    '',
    'A cell is one such database with its processes. [Scale](scale.md#cells-by-size-and-by-load) has the',
    'number of cells, with a range for what one machine cannot show.',
  ]
}

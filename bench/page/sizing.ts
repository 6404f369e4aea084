import type { Compared, Mix } from '#bench/results'

/** The part of the CPU that is planned for. The rest absorbs bursts. */
const usable = 0.7
const databaseCores = 16
/** An assumption, not a measurement: 100 active people who each cause a request every 10 s. */
const perWorkspace = 10

interface Cost {
  readonly name: string
  readonly nodeUs: number
  readonly postgresUs: number
}

const whole = (value: number) => Math.round(value).toLocaleString('en').replaceAll(',', ' ')

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
    const numbers = [nodeUs, postgresUs, box, database, processes].map(whole)
    return `| ${[name, ...numbers].join(' | ')} |`
  })
  const last = costs.at(-1)
  const carried = last ? (databaseCores * 1e6 * usable) / last.postgresUs : 0
  return [
    '## Sizing',
    '',
    `The arithmetic: of every core ${usable * 100} % is planned for. A 2-core box runs the service and`,
    'PostgreSQL, so it carries 2 000 000 µs a second × 0.7 / (service µs + PostgreSQL µs). A database',
    `with ${databaseCores} cores carries ${databaseCores} 000 000 µs × 0.7 / PostgreSQL µs. A process of the`,
    'service uses one core. These are computed from one machine, not measured at that size.',
    '',
    '| request | service µs | PostgreSQL µs | a second, 2-core box | a second, 16-core database | processes |',
    '|---|---|---|---|---|---|',
    ...lines,
    '',
    `A cell is one such database with its processes. With the mix it carries ${whole(carried)} requests`,
    `a second. If a workspace has 100 active people, and each causes a request every 10 s, that is`,
    `${perWorkspace} requests a second, and the cell carries ${whole(carried / perWorkspace)} such workspaces.`,
    'The assumption about people is not measured: replace it by your own.',
  ]
}

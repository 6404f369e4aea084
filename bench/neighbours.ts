import { setTimeout as sleep } from 'node:timers/promises'

import { call, fill } from './compare/api.ts'
import { generateByNode } from './load/generate.ts'
import type { LoadReport } from './load/request.ts'
import { type Attacker, attack } from './neighbours/attack.ts'
import { pin, startOnCore } from './neighbours/place.ts'
import { run } from './process.ts'
import { memory } from './service-load.ts'
import { size } from './size.ts'
import { addKeys, copyWorkspace } from './workspaces.ts'

/**
 * `npm run bench -- neighbours`: one workspace does the worst that its limits allow, all at once:
 * pages of 1000, complete lists, batches of 1000 rows, repeated 304, and slow readers, with 20
 * keys. Measured for another workspace, before and during that: its page, and `/livez`. The clients
 * run on one core, the service and its own PostgreSQL on the other. An error for the other
 * workspace, or memory of twice the budget, fails the benchmark. Times are printed.
 * BENCH_SECONDS is the length of each part.
 */
const seconds = Number(process.env['BENCH_SECONDS'] ?? size(2, 10))
const pageCacheMib = 64
/** Memory beyond the budget, as a factor. */
const memoryFactor = 1.3
/** The heap of a process grows in steps: what is above this is a leak. */
const memoryFactorMax = 2
const [clientCore, serviceCore] = [0, 1]

const print = (line: string) => process.stdout.write(`${line}\n`)

interface Neighbour {
  readonly base: string
  readonly token: string
}

interface Seen {
  readonly page: LoadReport
  readonly livez: LoadReport
}

/** Asks a few times a second, well below the limits. */
async function observe({ base, token }: Neighbour): Promise<Seen> {
  const ask = (path: string, rate: number) => {
    const requests = [{ path, token }]
    return generateByNode({ base, requests, connections: 4, seconds, warmSeconds: 1, rate })
  }
  const [page, livez] = await Promise.all([ask('/v1/risks?limit=50', 50), ask('/livez', 25)])
  return { page, livez }
}

/** Responses that a well-behaved client must not get. */
function errorsOf({ page, livez }: Seen): string[] {
  return Object.entries({ page, livez }).flatMap(([name, { byStatus, failures }]) => [
    ...(failures > 0 ? [`${name}: ${failures} broken connections`] : []),
    ...Object.entries(byStatus)
      .filter(([status]) => status !== '200')
      .map(([status, { count }]) => `${name}: ${count} × ${status}`),
  ])
}

const times = ({ byStatus }: LoadReport) => byStatus['200'] ?? { p50: Infinity, p99: Infinity }

/** A figure with its upper bound. */
interface Bounded {
  readonly name: string
  readonly value: number
  readonly atMost: number
  readonly unit: string
}

function figuresOf(calm: Seen, worst: Seen): Bounded[] {
  const ratio = (of: keyof Seen, part: 'p50' | 'p99') =>
    times(worst[of])[part] / times(calm[of])[part]
  for (const [name, seen] of Object.entries({ calm, worst })) {
    const [page, livez] = [times(seen.page), times(seen.livez)]
    print(
      `${name}: page p50 ${page.p50.toFixed(1)} ms, p99 ${page.p99.toFixed(1)} ms; ` +
        `/livez p99 ${livez.p99.toFixed(1)} ms`,
    )
  }
  return [
    { name: 'page p50 beside a busy neighbour', value: ratio('page', 'p50'), atMost: 3, unit: '×' },
    {
      name: 'page p99 beside a busy neighbour',
      value: ratio('page', 'p99'),
      atMost: 10,
      unit: '×',
    },
    { name: '/livez p99 in that time', value: ratio('livez', 'p99'), atMost: 10, unit: '×' },
  ]
}

/** Two workspaces with 1000 risks each: one with 20 keys, and its neighbour. */
async function prepare(base: string, url: string) {
  const bootstrap = ['packages/api/src/admin.ts', 'bootstrap', '--workspace', 'Busy']
  const text = await run(bootstrap, { env: { DATABASE_URL: url } })
  const token = text.trim().split('\n').at(-1) ?? ''
  const projectId = await fill(base, token, 1000)
  const [other = ''] = await copyWorkspace(url, token, 1)
  const tokens = [token, ...(await addKeys(url, token, 19))]
  const { headers } = await call({ base, token, path: '/v1/risks?limit=50' })
  const attacker: Attacker = { base, tokens, projectId, etag: headers.get('etag') ?? '' }
  return { attacker, neighbour: { base, token: other } }
}

interface Memory extends Disposable {
  readonly peak: () => number
}

function watchMemory(read: () => number): Memory {
  let peak = read()
  const timer = setInterval(() => (peak = Math.max(peak, read())), 100)
  return { peak: () => peak, [Symbol.dispose]: () => clearInterval(timer) }
}

const isPinned = pin(process.pid, clientCore)
if (!isPinned) print('The processes are not bound to cores, so that clients slow the service down.')
await using service = await startOnCore(serviceCore, {
  RESPONSE_MEMORY_MIB: String(pageCacheMib),
  SWEEP_SECONDS: '3600',
})
const { attacker, neighbour } = await prepare(service.base, service.url)
const resident = () => memory({ ...service, token: '' })
const calm = await observe(neighbour)
const calmMemory = resident()
using watched = watchMemory(resident)
const attacking = attack(attacker, seconds + 2)
await sleep(1000)
const worst = await observe(neighbour)
for (const [kind, got] of Object.entries(await attacking))
  print(`the other got for ${kind}: ${got}`)
const budget = calmMemory + pageCacheMib
const figures: Bounded[] = [
  ...figuresOf(calm, worst),
  {
    name: `memory; ${calmMemory.toFixed(0)} MB before, and ${pageCacheMib} MiB of pages`,
    value: watched.peak(),
    atMost: budget * memoryFactor,
    unit: 'MB',
  },
]
const errors = errorsOf(worst)
print(
  errors.length === 0 ? 'The neighbour got no error.' : `The neighbour got ${errors.join(', ')}.`,
)
if (errors.length > 0) process.exitCode = 1
for (const { name, value, atMost, unit } of figures) {
  print(`${name}: ${value.toPrecision(3)} ${unit} (at most ${atMost.toPrecision(3)})`)
}
if (watched.peak() > budget * memoryFactorMax) {
  print('The service took more than twice its budget of memory.')
  process.exitCode = 1
}

import { measure } from '@muster/testing/measure'

import { measureCosts, overloadConnections } from './cpu-cost.ts'
import { createDatabase, dropDatabase } from './database.ts'
import type { LoadReport } from './load/request.ts'
import { run, startService, stop } from './process.ts'
import { load, memory, type Service } from './service-load.ts'
import { size } from './size.ts'

/**
 * `npm run bench`: load shedding with 2000 closed-loop connections, compared with a few. All
 * figures are ratios within one run. The cost of a refusal and the growth of memory have bounds.
 * Throughput and latency are only printed: the service, the database and 2000 clients share the
 * same cores. BENCH_SECONDS is a quarter of the length of each load, which is at least 2 s: refused
 * clients retry in waves, 1 s apart.
 */
const seconds = Math.max(2, 4 * Number(process.env['BENCH_SECONDS'] ?? size(0.5, 2)))
const bounds = { rejectMin: 10, memoryMax: 2 }

const print = (line: string) => process.stdout.write(`${line}\n`)

/** Creates a project with 1000 risks. */
async function fill({ base, token }: Service): Promise<void> {
  const post = async (to: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const reply = await fetch(base + to, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!reply.ok) throw new Error(await reply.text())
    return reply.json()
  }
  const { id } = (await post('/v1/projects', { code: 'LOAD', name: 'Load' })) as { id: string }
  const data = Array.from({ length: 1000 }, (_, index) => ({
    title: `Risk number ${index}`,
    likelihood: 1 + (index % 5),
    impact: 1 + (Math.floor(index / 5) % 5),
  }))
  await post(`/v1/projects/${id}/risks/batch`, { data })
}

const of = ({ byStatus }: LoadReport, status: number) =>
  byStatus[status] ?? { count: 0, perSecond: 0, p50: 0, p99: 0 }

async function findPeak(service: Service) {
  let best = { connections: 0, perSecond: 0 }
  for (const connections of [16, 32]) {
    const { perSecond } = of(await load(service, { connections, seconds: seconds / 2 }), 200)
    if (perSecond > best.perSecond) best = { connections, perSecond }
  }
  return best
}

/** Compares a normal load, half of it and the overload. */
async function compare(service: Service, connections: number) {
  const normal = of(await load(service, { connections, seconds }), 200)
  const half = of(await load(service, { rate: normal.perSecond / 2, seconds }), 200)
  const many = await load(service, { connections: overloadConnections, seconds, warmSeconds: 3 })
  const accepted = of(many, 200)
  print(
    `${connections} connections: ${normal.perSecond.toFixed(0)}/s; half of that: p99 ` +
      `${half.p99.toFixed(0)} ms; ${overloadConnections}: ${accepted.perSecond.toFixed(0)}/s, p99 ` +
      `${accepted.p99.toFixed(0)} ms, refused ${of(many, 503).perSecond.toFixed(0)}/s`,
  )
  return { goodput: accepted.perSecond / normal.perSecond, p99: accepted.p99 / half.p99 }
}

/** The CPU cost of a page divided by that of a refusal. */
async function pageOverRefusal(service: Service, url: string): Promise<number> {
  const { page, refusal } = await measureCosts(service, url)
  print(`CPU per page ${page.toFixed(2)} ms, per refusal ${refusal.toFixed(3)} ms`)
  return page / refusal
}

async function compareAll(service: Service, url: string): Promise<void> {
  await fill(service)
  // The baseline of memory is a warm process: a new one has not loaded all modules.
  await load(service, { connections: 16, seconds: size(1, 4) })
  const idle = memory(service)
  const { connections } = await findPeak(service)
  const cost = await pageOverRefusal(service, url)
  const seen = await compare(service, connections)
  const grown = memory(service) / idle
  print(`${seen.goodput.toFixed(2).padStart(6)}  goodput relative to the normal load (target 0.95)`)
  print(`${seen.p99.toFixed(2).padStart(6)}  p99 relative to half load (target 10)`)
  const output = { diagnostic: print }
  const { rejectMin: atLeast, memoryMax: atMost } = bounds
  measure(output, 'CPU of a page relative to a refusal', { value: cost, atLeast, unit: '×' })
  measure(output, 'memory relative to idle', { value: grown, atMost, unit: '×' })
}

const url = await createDatabase()
try {
  const env = { DATABASE_URL: url }
  await run(['packages/api/src/migrate.ts'], { env })
  const bootstrap = ['packages/api/src/admin.ts', 'bootstrap', '--workspace', 'Load']
  const output = await run(bootstrap, { env })
  const token = output.trim().split('\n').at(-1) ?? ''
  const settings = {
    DRAIN_SECONDS: '0',
    RATE_LIMIT_KEY: '1000000000',
    RATE_LIMIT_WORKSPACE: '1000000000',
    // Every page is read from the database.
    RESPONSE_MEMORY_MIB: '0',
  }
  const service = { token, ...(await startService(url, settings)) }
  try {
    await compareAll(service, url)
  } finally {
    await stop(service.child)
  }
} finally {
  await dropDatabase(url)
}

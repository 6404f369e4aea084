import { costs, crowd } from './costs.ts'
import { createDatabase, dropDatabase } from './database.ts'
import { fairly } from './fairly.ts'
import type { LoadReport } from './load.ts'
import { load, memory, type Service } from './loaded.ts'
import { run, startService, stop } from './program.ts'

/**
 * `npm run bench`: what becomes of the service when two thousand connections ask at once, each of
 * them again as soon as it was answered, against what it does with a few. All figures are ratios
 * within one run. What a refusal costs and how memory grows are held against it. How much is
 * answered and how fast is shown: where the service, its database and two thousand clients share
 * two cores, that says as much of the clients. BENCH_SECONDS is a quarter of the time that each
 * load is counted, which is two seconds at least: refusals come in waves, a second apart.
 */
const seconds = Math.max(2, 4 * Number(process.env['BENCH_SECONDS'] ?? 2))
const gates = { rejectMin: 10, memoryMax: 2 }

const say = (line: string) => process.stdout.write(`${line}\n`)

/** A project with a thousand risks. */
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

/** One turn of few, half and many, and what came of it. */
async function compare(service: Service, connections: number) {
  const usual = of(await load(service, { connections, seconds }), 200)
  const half = of(await load(service, { rate: usual.perSecond / 2, seconds }), 200)
  const many = await load(service, { connections: crowd, seconds, warmSeconds: 3 })
  const accepted = of(many, 200)
  say(
    `${connections} connections: ${usual.perSecond.toFixed(0)}/s; half of that: p99 ` +
      `${half.p99.toFixed(0)} ms; ${crowd}: ${accepted.perSecond.toFixed(0)}/s, p99 ` +
      `${accepted.p99.toFixed(0)} ms, refused ${of(many, 503).perSecond.toFixed(0)}/s`,
  )
  return { goodput: accepted.perSecond / usual.perSecond, p99: accepted.p99 / half.p99 }
}

/** How many times the cost of a refusal a page costs. */
async function pageOverRefusal(service: Service, url: string): Promise<number> {
  const { page, refusal } = await costs(service, url)
  say(`a page takes ${page.toFixed(2)} ms of the processor, a refusal ${refusal.toFixed(3)} ms`)
  return page / refusal
}

async function measure(service: Service, url: string): Promise<string[]> {
  await fill(service)
  // At rest is a process that has worked: before, it has not even loaded all that it needs.
  await load(service, { connections: 16, seconds: 4 })
  const idle = memory(service)
  const { connections } = await findPeak(service)
  const isCheap = (ratio: number) => ratio >= gates.rejectMin
  const cost = await fairly(() => pageOverRefusal(service, url), isCheap)
  const seen = await compare(service, connections)
  const grown = memory(service) / idle
  say(`${seen.goodput.toFixed(2).padStart(6)}  answered, of the peak (to be 0.95)`)
  say(`${seen.p99.toFixed(2).padStart(6)}  p99, of that at half load (to be 10)`)
  const figures: [string, number, boolean][] = [
    ['a page, of a refusal', cost, isCheap(cost)],
    ['memory, of that at rest', grown, grown <= gates.memoryMax],
  ]
  for (const [what, ratio, isGood] of figures) {
    say(`${ratio.toFixed(2).padStart(6)}  ${what}${isGood ? '' : '   NOT GOOD ENOUGH'}`)
  }
  return figures.filter(([, , isGood]) => !isGood).map(([what]) => what)
}

const url = await createDatabase()
try {
  await run(['packages/api/src/migrate.ts'], { DATABASE_URL: url })
  const bootstrap = ['packages/api/src/admin.ts', 'bootstrap', '--workspace', 'Load']
  const said = await run(bootstrap, { DATABASE_URL: url })
  const token = said.trim().split('\n').at(-1) ?? ''
  const service = { token, ...(await startService(url, { DRAIN_SECONDS: '0' })) }
  try {
    const wrong = await measure(service, url)
    process.exitCode = wrong.length === 0 ? 0 : 1
  } finally {
    await stop(service.child)
  }
} finally {
  await dropDatabase(url)
}

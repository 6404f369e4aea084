import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { measure } from '@muster/api/measure'
import { createWorkspace, makeDemoKeys, migrate, openOwner } from '@muster/api/seed'
import { limits } from '@muster/contract'

import { createDatabase, dropDatabase } from './database.ts'
import { median } from './median.ts'
import { stop } from './process.ts'
import { size } from './size.ts'

/**
 * `npm run bench`: isolation from a noisy neighbour. One key has used up its rate limit and keeps
 * sending at ten times that rate, while clients of other workspaces read pages of the register.
 * Measures their p99 latency with and without the noise in turns. The median ratio of several
 * rounds must be at most 1.5. BENCH_SECONDS is the length of each turn, at most 1 s.
 */
const seconds = Math.min(Number(process.env['BENCH_SECONDS'] ?? size(0.3, 1)), 1)
const rounds = size(5, 9)
const ratioMax = 1.5
/**
 * A tenth of the default limit of a key: the noise must stay below the capacity of a small CI
 * machine. Beyond it, the benchmark would measure overload instead of rate limiting.
 */
const perMinute = limits.perMinute.key / 10
const perSecond = (perMinute * 10) / 60

const root = fileURLToPath(new URL('../', import.meta.url))
const print = (line: string) => process.stdout.write(`${line}\n`)

/** One noisy key, and 16 keys of other workspaces: many, because each is rate limited too. */
async function makeKeys(url: string): Promise<{ noisy: string; quiet: string[] }> {
  await migrate(url)
  await using owner = openOwner(url)
  const keysOf = async (workspace: string) =>
    makeDemoKeys(owner, (await createWorkspace(owner, workspace)).id)
  const quiet: string[] = []
  for (let number = 0; number < 8; number++) {
    const { manager, reader } = await keysOf(`Quiet ${number}`)
    quiet.push(manager, reader)
  }
  return { noisy: (await keysOf('Noisy')).manager, quiet }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Starts the service without request logs, whose cost is not part of this benchmark. */
async function start(url: string) {
  const port = await freePort()
  const child = spawn(process.execPath, ['packages/api/src/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      DATABASE_URL: url,
      PORT: String(port),
      LOG_LEVEL: 'error',
      SWEEP_SECONDS: '3600',
      RATE_LIMIT_KEY: String(perMinute),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const base = `http://127.0.0.1:${port}`
  while (!(await fetch(`${base}/livez`).catch(() => null))?.ok) {
    if (child.exitCode !== null) throw new Error('The service did not start.')
    await sleep(100)
  }
  return { child, base }
}

interface BenchClient {
  readonly base: string
  readonly token: string
  readonly agent: Agent
}

/** Returns the status and the latency in milliseconds. */
function request({ base, token, agent }: BenchClient, path: string) {
  const began = performance.now()
  return new Promise<{ status: number; ms: number }>((resolve, reject) => {
    get(`${base}${path}`, { agent, headers: { authorization: `Bearer ${token}` } }, (reply) => {
      reply.resume()
      reply.on('error', reject)
      reply.on('end', () =>
        resolve({ status: reply.statusCode ?? 0, ms: performance.now() - began }),
      )
    }).on('error', reject)
  })
}

/**
 * Open-loop load at a constant rate, switched on and off by messages. It runs in its own process so
 * that it does not slow down the measurement.
 */
function makeNoise(noisy: Pick<BenchClient, 'base' | 'token'>): void {
  const client = { ...noisy, agent: new Agent({ keepAlive: true, maxSockets: 50 }) }
  const statuses: Record<number, number> = {}
  let timer: NodeJS.Timeout | null = null
  process.on('message', (isOn: boolean) => {
    if (timer) clearInterval(timer)
    if (!isOn) {
      process.send?.(statuses)
      return
    }
    const began = performance.now()
    let sent = 0
    timer = setInterval(() => {
      const due = ((performance.now() - began) / 1000) * perSecond
      for (; sent < due; sent++) {
        request(client, '/v1/whoami').then(
          ({ status }) => (statuses[status] = (statuses[status] ?? 0) + 1),
          () => {},
        )
      }
    }, 5)
  })
}

/** Sends requests until the rate limit refuses them. */
async function exhaustLimit(noisy: BenchClient): Promise<void> {
  let isExhausted = false
  const worker = async () => {
    while (!isExhausted) isExhausted = (await request(noisy, '/v1/whoami')).status === 429
  }
  await Promise.all(Array.from({ length: 16 }, worker))
}

/** The p99 latency of the quiet clients, which read pages continuously. */
async function p99Of(quiet: readonly BenchClient[]): Promise<number> {
  const end = performance.now() + seconds * 1000
  const times: number[] = []
  let turn = 0
  const worker = async () => {
    while (performance.now() < end) {
      turn += 1
      const { status, ms } = await request(
        quiet[turn % quiet.length] as BenchClient,
        '/v1/risks?limit=50',
      )
      if (status !== 200) throw new Error(`A quiet client got status ${status}.`)
      times.push(ms)
      await sleep(5)
    }
  }
  await Promise.all([worker(), worker()])
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
}

interface Clients {
  readonly quiet: readonly BenchClient[]
  readonly noisy: BenchClient
  /** The process that sends the noise. */
  readonly noise: ChildProcess
}

async function compare({ quiet, noisy: client, noise }: Clients) {
  const ratios: number[] = []
  const withNoise = async () => {
    // A new minute may have reset the limit.
    await exhaustLimit(client)
    noise.send(true)
    const p99 = await p99Of(quiet)
    noise.send(false)
    const [{ 429: refused = 0, ...others }] = await once(noise, 'message')
    const answered = Object.values<number>(others).reduce((sum, count) => sum + count, 0)
    if (answered > refused / 10)
      throw new Error(`${answered} requests of the noisy key were not refused.`)
    await sleep(50)
    return p99
  }
  for (let round = 0; round < rounds; round++) {
    // The order alternates, so that warm-up favours neither.
    const early = round % 2 === 0 ? await p99Of(quiet) : null
    const noisy = await withNoise()
    const alone = early ?? (await p99Of(quiet))
    ratios.push(noisy / alone)
    print([alone, noisy, noisy / alone].map((each) => each.toFixed(2).padStart(8)).join(''))
  }
  return median(ratios)
}

async function main(): Promise<void> {
  const url = await createDatabase()
  try {
    const keys = await makeKeys(url)
    const { child, base } = await start(url)
    const agent = new Agent({ keepAlive: true })
    const quiet = keys.quiet.map((token) => ({ base, token, agent }))
    const noisy = { base, token: keys.noisy, agent }
    const noise = fork(fileURLToPath(import.meta.url), [base, keys.noisy])
    try {
      print('p99 in ms: without noise, with noise, ratio')
      const ratio = await compare({ quiet, noisy, noise })
      const measured = { value: ratio, atMost: ratioMax, unit: '×' }
      measure({ diagnostic: print }, 'p99 with a noisy neighbour', measured)
    } finally {
      noise.kill()
      agent.destroy()
      await stop(child)
    }
  } finally {
    await dropDatabase(url)
  }
}

const [base, token] = process.argv.slice(2)
if (base !== undefined && token !== undefined) makeNoise({ base, token })
else await main()

import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { foundWorkspace, makeDemoKeys, migrate, openOwner } from '@muster/api/seed'
import { limits } from '@muster/contract'

import { createDatabase, dropDatabase } from './database.ts'
import { fairly } from './fairly.ts'
import { median } from './median.ts'
import { stop } from './program.ts'

/**
 * A noisy neighbour: one key that has used up its minute goes on asking at ten times its limit,
 * while someone of another workspace asks for pages of the register. What counts is the slowest
 * hundredth of their answers, with the noise against without it, in turns; the median of several
 * rounds must stay within 1.5. BENCH_SECONDS is how long each turn takes, a second at
 * most.
 */
const seconds = Math.min(Number(process.env['BENCH_SECONDS'] ?? 1), 1)
const rounds = 9
const ratioMax = 1.5
/**
 * A tenth of what a key has by default: the noise must be less than what the machine can answer, be
 * it as small and busy as that of a gate. Beyond that it is not the limits that are measured.
 */
const perMinute = limits.perMinute.key / 10
const perSecond = (perMinute * 10) / 60

const root = fileURLToPath(new URL('../', import.meta.url))
const say = (line: string) => process.stdout.write(`${line}\n`)

/** A key that is noisy, and those of other workspaces: many, as each of them is limited too. */
async function makeKeys(url: string): Promise<{ noisy: string; quiet: string[] }> {
  await migrate(url)
  await using owner = openOwner(url)
  const keysOf = async (workspace: string) =>
    makeDemoKeys(owner, (await foundWorkspace(owner, workspace)).id)
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

/** The service. What it would say of each request is not our subject, and nobody reads it. */
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

interface Asker {
  readonly base: string
  readonly token: string
  readonly agent: Agent
}

/** The status of an answer, and how many milliseconds it took. */
function ask({ base, token, agent }: Asker, path: string) {
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
 * Asks at a steady pace, whether the answers keep up or not, while it is told to. In a process of
 * its own: whoever measures must not be kept busy.
 */
function makeNoise(noisy: Pick<Asker, 'base' | 'token'>): void {
  const asker = { ...noisy, agent: new Agent({ keepAlive: true, maxSockets: 50 }) }
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
        ask(asker, '/v1/whoami').then(
          ({ status }) => (statuses[status] = (statuses[status] ?? 0) + 1),
          () => {},
        )
      }
    }, 5)
  })
}

async function useUp(noisy: Asker): Promise<void> {
  let isUsedUp = false
  const worker = async () => {
    while (!isUsedUp) isUsedUp = (await ask(noisy, '/v1/whoami')).status === 429
  }
  await Promise.all(Array.from({ length: 16 }, worker))
}

/** The slowest hundredth of the answers that the neighbours get, who ask again and again. */
async function slowest(quiet: readonly Asker[]): Promise<number> {
  const end = performance.now() + seconds * 1000
  const times: number[] = []
  let turn = 0
  const worker = async () => {
    while (performance.now() < end) {
      turn += 1
      const { status, ms } = await ask(quiet[turn % quiet.length] as Asker, '/v1/risks?limit=50')
      if (status !== 200) throw new Error(`A neighbour was answered ${status}.`)
      times.push(ms)
      await sleep(5)
    }
  }
  await Promise.all([worker(), worker()])
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
}

interface Street {
  readonly quiet: readonly Asker[]
  readonly noisy: Asker
  /** The process in which the noisy one asks. */
  readonly noise: ChildProcess
}

async function compare({ quiet, noisy: asker, noise }: Street) {
  const ratios: number[] = []
  const beside = async () => {
    // A new minute may have begun, which is to be used up first.
    await useUp(asker)
    noise.send(true)
    const p99 = await slowest(quiet)
    noise.send(false)
    const [{ 429: refused = 0, ...others }] = await once(noise, 'message')
    const answered = Object.values<number>(others).reduce((sum, count) => sum + count, 0)
    if (answered > refused / 10) throw new Error(`${answered} of the noise were not refused.`)
    await sleep(50)
    return p99
  }
  for (let round = 0; round < rounds; round++) {
    // Whoever comes first differs from round to round: what warms up favours neither.
    const early = round % 2 === 0 ? await slowest(quiet) : null
    const noisy = await beside()
    const alone = early ?? (await slowest(quiet))
    ratios.push(noisy / alone)
    say([alone, noisy, noisy / alone].map((each) => each.toFixed(2).padStart(8)).join(''))
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
      say('p99 in ms: alone, beside the noise, and the ratio')
      const ratio = await fairly(
        () => compare({ quiet, noisy, noise }),
        (each) => each <= ratioMax,
      )
      say(`${ratio.toFixed(2)}, and at most ${ratioMax}.`)
      process.exitCode = ratio > ratioMax ? 1 : 0
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

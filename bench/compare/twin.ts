import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { planning } from '@muster/api/planning'

import { raisePriority } from '#bench/priority'
import { run, startService, stop } from '#bench/process'
import { workspaceOf } from '#bench/workspaces'

import { call } from './api.ts'
import { backendsOf, cpuTimes, cpuUse } from './cpu.ts'
import { percentile } from './judge.ts'
import type { Round } from './round.ts'
import { type Stage, uncachedPath } from './stage.ts'

/** A statement that the service sent, and its parameters. */
interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** The statements of one request, recorded in a service of their own. */
async function statementsOf(url: string, token: string, path: string): Promise<Statement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-statements-'))
  const file = join(folder, 'statements')
  writeFileSync(file, '')
  const recorder = new URL('record-statements.ts', import.meta.url).href
  const settings = {
    NODE_OPTIONS: `--import ${recorder}`,
    STATEMENTS: file,
    SWEEP_SECONDS: '3600',
    RESPONSE_MEMORY_MIB: '0',
  }
  const { child, base } = await startService(url, settings)
  try {
    // The first request also sends statements of the start.
    await call({ base, token, path })
    const before = readFileSync(file).length
    await call({ base, token, path })
    const text = readFileSync(file).subarray(before).toString()
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const sent: Statement | string = JSON.parse(line)
        return typeof sent === 'string' ? { sql: sent, parameters: [] } : sent
      })
  } finally {
    await stop(child)
    rmSync(folder, { recursive: true })
  }
}

/** The text that the driver sends for a parameter. */
const literal = (value: unknown): string =>
  Array.isArray(value) ? `{${value.map(literal).join()}}` : String(value)

interface Bench {
  readonly url: string
  readonly statement: Statement
  /** Settings of the session, as the service sets them. */
  readonly settings: Readonly<Record<string, string>>
  readonly clients: number
  readonly seconds: number
}

/** Runs a statement in pgbench, prepared. */
export async function pgbench(bench: Bench): Promise<Round> {
  const { url, statement, settings, clients, seconds } = bench
  const database = new URL(url).pathname.slice(1)
  const folder = mkdtempSync(join(tmpdir(), 'muster-pgbench-'))
  const script = join(folder, 'script.sql')
  // pgbench has no parameter that is null.
  const text = statement.sql.replaceAll(/\$(\d+)/g, (_, number: string) =>
    statement.parameters[Number(number) - 1] === null ? 'null' : `:p${number}`,
  )
  writeFileSync(script, `${text};\n`)
  const variables = statement.parameters.flatMap((value, index) => [
    '-D',
    `p${index + 1}=${literal(value)}`,
  ])
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  const length = ['-c', String(clients), '-T', String(Math.max(1, Math.round(seconds)))]
  const log = ['-l', `--log-prefix=${join(folder, 'log')}`]
  const args = ['-n', '-M', 'prepared', ...length, ...log, ...variables, '-f', script, url]
  // Its backends begin with it.
  const raising = setInterval(() => {
    for (const pid of backendsOf(database)) raisePriority(pid)
  }, 200)
  try {
    const from = cpuTimes(null, database)
    const env = { PGOPTIONS: options.join(' ') }
    const output = await run(['pgbench', ...args], { env, isRaised: true })
    const use = cpuUse(from, cpuTimes(null, database), { isEnded: true })
    const latencies = latenciesIn(folder)
    const postgresUs = (use.postgresMs * 1000) / latencies.length
    return {
      perSecond: Number(/tps = ([\d.]+)/.exec(output)?.[1]),
      p50: percentile(latencies, 0.5),
      p99: percentile(latencies, 0.99),
      nodeUs: 0,
      postgresUs,
      cpuUs: postgresUs,
      foreignCores: use.foreignCores,
      stolenPart: use.stolenPart,
      failedPart: 0,
    }
  } finally {
    clearInterval(raising)
    rmSync(folder, { recursive: true })
  }
}

/** The milliseconds of every transaction in the log of pgbench: the third number of each line. */
const latenciesIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.startsWith('log.'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'))
    .map((line) => Number(line.split(' ')[2]) / 1000)

const clients = 8

/** Runs the statement of an uncached page in pgbench. */
export async function pageTwin({ subject, token }: Stage) {
  const { url } = subject
  const sent = await statementsOf(url, token, uncachedPath)
  const statement = sent.find(({ sql }) => sql.includes('from "risks"'))
  if (!statement) throw new Error('the page statement was not recorded')
  const settings = {
    role: 'muster_app',
    search_path: 'muster',
    'app.ws': workspaceOf(token),
    ...planning,
  }
  return (seconds: number) => pgbench({ url, statement, settings, clients, seconds })
}

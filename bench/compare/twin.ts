import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { startService, stop } from '#bench/process'

import { call } from './api.ts'

/** A statement that the service sent, and its parameters. */
interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

interface Request {
  readonly url: string
  readonly token: string
  readonly path: string
}

/** The statements of one request, recorded in a service of their own. */
export async function statementsOf({ url, token, path }: Request): Promise<Statement[]> {
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

/** Runs a statement of the service in pgbench, prepared, and returns transactions per second. */
export async function pgbench(bench: Bench): Promise<number> {
  const { statement, settings, clients, seconds } = bench
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
  const args = ['-n', '-M', 'prepared', '-c', String(clients), '-T', String(seconds)]
  try {
    const { stdout } = await promisify(execFile)(
      'pgbench',
      [...args, ...variables, '-f', script, bench.url],
      { env: { ...process.env, PGOPTIONS: options.join(' ') } },
    )
    return Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { atEnd } from '@muster/testing/at-end'

import type { Timeouts } from '#service'
import { metricsUrls } from '#test/ops/metrics-urls'

import { throughPooler } from './pooler.ts'

const script = (name: string) => fileURLToPath(new URL(`../../src/${name}.ts`, import.meta.url))
const main = script('main')
const preload = new URL('long-timeouts-process.ts', import.meta.url).href

export interface Running {
  readonly base: string
  readonly process: ChildProcess
  /** The log so far. */
  readonly log: () => string
  /** Resident memory in bytes: current and peak. */
  readonly memory: () => { now: number; peak: number }
}

const logMax = 10_000_000

/** No rate limits: tests send more requests than any client. Tests of the limits override this. */
const defaults = {
  PORT: '0',
  METRICS_PORT: '0',
  DRAIN_SECONDS: '0',
  RATE_LIMIT_KEY: '1000000000',
  RATE_LIMIT_WORKSPACE: '1000000000',
  RATE_LIMIT_FAILURES: '1000000000',
}

interface ProcessOptions {
  /** `main.ts` by default. */
  readonly program?: string
  /** The time limits: ten times those of the product by default. */
  readonly timeouts?: 'longTimeouts' | 'product' | Partial<Timeouts>
}

/** Starts the service as in production: `main.ts` in its own process, without `__proto__`. */
export async function startProcess(
  url: string,
  env: Record<string, string | undefined> = {},
  { program = main, timeouts = 'longTimeouts' }: ProcessOptions = {},
): Promise<Running> {
  const isProduct = timeouts === 'product'
  const flags = ['--disable-proto=delete', ...(isProduct ? [] : ['--import', preload])]
  const limits = typeof timeouts === 'object' && { TEST_TIMEOUTS: JSON.stringify(timeouts) }
  // The login at the pooler has the longTimeouts time limits.
  const at = timeouts === 'longTimeouts' ? throughPooler(url) : url
  const child = spawn(process.execPath, [...flags, program], {
    env: { ...process.env, DATABASE_URL: at, ...defaults, ...limits, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  atEnd(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const base = await new Promise<string>((resolve, reject) => {
    let isListening = false
    const onOutput = (data: Buffer) => {
      // Long tests log a lot: keep only the end.
      log += data.toString()
      if (log.length > logMax) log = log.slice(-logMax / 2)
      if (isListening) return
      const address = /Server listening at (http:[^"]+)/.exec(log)?.[1]
      if (!address) return
      isListening = true
      const metrics = /Metrics listening at (http:[^"]+)/.exec(log)?.[1]
      // The port may be that of a service that has ended.
      if (metrics === undefined) metricsUrls.delete(address)
      else metricsUrls.set(address, metrics)
      resolve(address)
    }
    child.stdout.on('data', onOutput)
    child.stderr.on('data', onOutput)
    child.once('close', () => reject(new Error(`The service ended: ${log}`)))
  })
  return { base, process: child, log: () => log, memory: () => memoryOf(child.pid ?? 0) }
}

type Command = 'main' | 'migrate' | 'admin'
type Settings = Readonly<Record<string, string>>

/** Runs a command that must end by itself, with these settings and no others. */
export async function runToEnd(name: Command, settings: Settings, ...args: string[]) {
  const child = spawn(process.execPath, ['--import', preload, script(name), ...args], {
    env: { PATH: process.env['PATH'], PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), 120_000)
  let [stdout, stderr] = ['', '']
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()))
  child.stdout.on('data', (data: Buffer) => {
    stdout += data.toString()
    // A service that has started would never end.
    if (stdout.includes('Server listening')) child.kill('SIGKILL')
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  clearTimeout(timer)
  return { code, stderr }
}

function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const bytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024
  return { now: bytes('VmRSS'), peak: bytes('VmHWM') }
}

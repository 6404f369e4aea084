import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { atEnd } from './at-end.ts'
import { metricsUrls } from './metrics-urls.ts'

const script = (name: string) => fileURLToPath(new URL(`../src/${name}.ts`, import.meta.url))
const main = script('main')

export interface Running {
  readonly base: string
  readonly process: ChildProcess
  /** Everything it has logged so far. */
  readonly log: () => string
  /** Resident memory in bytes: now, and the most it ever was. */
  readonly memory: () => { now: number; peak: number }
}

const logMax = 10_000_000

/** Tests ask more often than anyone, and fail more often; all but those that are about it. */
const defaults = {
  PORT: '0',
  METRICS_PORT: '0',
  DRAIN_SECONDS: '0',
  RATE_LIMIT_KEY: '1000000000',
  RATE_LIMIT_WORKSPACE: '1000000000',
  RATE_LIMIT_FAILURES: '1000000000',
}

/** The service as in production: a process of its own, by `main.ts`, without `__proto__`. */
export async function startProcess(
  url: string,
  env: Record<string, string | undefined> = {},
  program = main,
): Promise<Running> {
  const child = spawn(process.execPath, ['--disable-proto=delete', program], {
    env: { ...process.env, DATABASE_URL: url, ...defaults, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  atEnd(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const base = await new Promise<string>((resolve, reject) => {
    let isHeard = false
    const hear = (data: Buffer) => {
      // It may run for long, and say much.
      log += data.toString()
      if (log.length > logMax) log = log.slice(-logMax / 2)
      if (isHeard) return
      const address = /Server listening at (http:[^"]+)/.exec(log)?.[1]
      if (!address) return
      isHeard = true
      const metrics = /Metrics listening at (http:[^"]+)/.exec(log)?.[1]
      if (metrics !== undefined) metricsUrls.set(address, metrics)
      resolve(address)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('close', () => reject(new Error(`The service ended: ${log}`)))
  })
  return { base, process: child, log: () => log, memory: () => memoryOf(child.pid ?? 0) }
}

type Command = 'main' | 'migrate' | 'admin'
type Settings = Readonly<Record<string, string>>

/**
 * A command of ours that is expected to end by itself, with these settings and no others. On a busy
 * machine the service can mistake a slow connection for an unavailable database, and wait: then it
 * is started again.
 */
export async function runToEnd(name: Command, settings: Settings, ...args: string[]) {
  for (let tries = 1; ; tries++) {
    const { isWaiting, ...ended } = await runOnce(name, settings, args)
    if (!isWaiting || tries === 5) return ended
  }
}

async function runOnce(name: Command, settings: Settings, args: readonly string[]) {
  const child = spawn(process.execPath, [script(name), ...args], {
    env: { PATH: process.env['PATH'], PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), 120_000)
  let [stdout, stderr, isWaiting] = ['', '', false]
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()))
  child.stdout.on('data', (data: Buffer) => {
    stdout += data.toString()
    isWaiting = stdout.includes('is not available yet')
    // It is of no use to wait for its end, whether it should have ended or not.
    if (isWaiting || stdout.includes('Server listening')) child.kill('SIGKILL')
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  clearTimeout(timer)
  return { code, stderr, isWaiting }
}

function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const bytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024
  return { now: bytes('VmRSS'), peak: bytes('VmHWM') }
}

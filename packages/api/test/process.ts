import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { atEnd } from './at-end.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

export interface Running {
  readonly base: string
  readonly process: ChildProcess
  /** Everything it has logged so far. */
  readonly log: () => string
  /** Resident memory in bytes: now, and the most it ever was. */
  readonly memory: () => { now: number; peak: number }
}

/** The service as it is run in production: a process of its own, by `main.ts`. */
export async function startProcess(
  url: string,
  env: Record<string, string> = {},
): Promise<Running> {
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, DATABASE_URL: url, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  atEnd(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const base = await new Promise<string>((resolve, reject) => {
    const hear = (data: Buffer) => {
      log += data.toString()
      const address = /Server listening at (http:[^"]+)/.exec(log)?.[1]
      if (address) resolve(address)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('exit', () => reject(new Error(`The service ended: ${log}`)))
  })
  return { base, process: child, log: () => log, memory: () => memoryOf(child.pid ?? 0) }
}

function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const bytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024
  return { now: bytes('VmRSS'), peak: bytes('VmHWM') }
}

import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import { raisePriority } from './priority.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill()
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

/**
 * Starts a program in a session of its own, which has its own priority. A file with TypeScript or
 * JavaScript runs in Node. A terminal does not end it, so it ends with this process at the latest.
 */
export function startChild(program: readonly string[], options: SpawnOptions): ChildProcess {
  const [file = ''] = program
  const command = /\.[cm]?[jt]s$/.test(file) ? [process.execPath, ...program] : program
  const [name = '', ...args] = command
  const child = spawn(name, args, { cwd: root, detached: true, ...options })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  /** Whether it must not wait for other processes of the machine. */
  readonly isRaised?: boolean
}

/** Runs a program of the repository or of the machine to its end and returns its output. */
export async function run(program: readonly string[], options: RunOptions = {}): Promise<string> {
  const { env, input = '', isRaised = false } = options
  const child = startChild(program, {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  if (isRaised) raisePriority(child.pid)
  let text = ''
  let errors = ''
  child.stdout?.on('data', (data: Buffer) => (text += data.toString()))
  child.stderr?.on('data', (data: Buffer) => (errors += data.toString()))
  child.stdin?.end(input)
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${program[0]} ended with ${code}: ${text}${errors}`)
  return text
}

/** Starts a program and waits for output that matches `awaited`. */
export async function start(
  program: readonly string[],
  env: Readonly<Record<string, string>>,
  awaited: RegExp,
) {
  const child = startChild(program, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const groups = await new Promise<string[]>((resolve, reject) => {
    let text = ''
    const onOutput = (data: Buffer) => {
      text = (text + data.toString()).slice(-100_000)
      const found = awaited.exec(text)
      if (found === null) return
      // Later output is discarded, so that reading it does not slow down the measurement.
      child.stdout?.off('data', onOutput).resume()
      resolve(found.slice(1))
    }
    child.stdout?.on('data', onOutput)
    child.once('exit', (code) => reject(new Error(`${program[0]} ended with ${code}: ${text}`)))
  })
  return { child, groups }
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** Starts the service and returns the addresses of its API and metrics. */
export async function startService(
  url: string,
  settings: Readonly<Record<string, string>> = {},
  program = 'packages/api/src/main.ts',
) {
  const env = { DATABASE_URL: url, PORT: '0', METRICS_PORT: '0', ...settings }
  const listening = /Metrics listening at (http:[^"]+)[^]*Server listening at (http:[^"]+)/
  const { child, groups } = await start([program], env, listening)
  const [metrics = '', base = ''] = groups
  return { child, base, metrics }
}

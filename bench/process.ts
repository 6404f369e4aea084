import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Runs a program of the repository to its end and returns its output. */
export async function run(args: string[], env: Record<string, string> = {}): Promise<string> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let text = ''
  child.stdout.on('data', (data: Buffer) => (text += data.toString()))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${text}`)
  return text
}

/** Starts a program, as a file and its arguments, and waits for output that matches `awaited`. */
export async function start(
  program: string | readonly [string, ...string[]],
  env: Record<string, string>,
  awaited: RegExp,
) {
  const [file, ...args] = typeof program === 'string' ? [program] : program
  const child = spawn(process.execPath, [file, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [, ...groups] = await new Promise<RegExpExecArray>((resolve, reject) => {
    let text = ''
    const onOutput = (data: Buffer) => {
      text = (text + data.toString()).slice(-100_000)
      const found = awaited.exec(text)
      if (found === null) return
      // Later output is discarded, so that reading it does not slow down the measurement.
      child.stdout.off('data', onOutput).resume()
      resolve(found)
    }
    child.stdout.on('data', onOutput)
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}: ${text}`)))
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
  settings: Record<string, string> = {},
  program = 'packages/api/src/main.ts',
) {
  const env = { DATABASE_URL: url, PORT: '0', METRICS_PORT: '0', ...settings }
  const listening = /Metrics listening at (http:[^"]+)[^]*Server listening at (http:[^"]+)/
  const { child, groups } = await start(program, env, listening)
  const [metrics = '', base = ''] = groups
  return { child, base, metrics }
}

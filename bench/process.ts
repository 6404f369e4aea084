import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))

/** What a program of the repository says until it ends. */
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

/** A program of the repository, and what was found of what it says. */
export async function start(file: string, env: Record<string, string>, awaited: RegExp) {
  const child = spawn(process.execPath, [file], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [, ...said] = await new Promise<RegExpExecArray>((resolve, reject) => {
    let text = ''
    const hear = (data: Buffer) => {
      text = (text + data.toString()).slice(-100_000)
      const found = awaited.exec(text)
      if (found === null) return
      // What it says from now on is let go by: whoever measures has other things to do.
      child.stdout.off('data', hear).resume()
      resolve(found)
    }
    child.stdout.on('data', hear)
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}: ${text}`)))
  })
  return { child, said }
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** The service, and where it and its metrics listen. */
export async function startService(url: string, settings: Record<string, string> = {}) {
  const env = { DATABASE_URL: url, PORT: '0', METRICS_PORT: '0', ...settings }
  const listening = /Metrics listening at (http:[^"]+)[^]*Server listening at (http:[^"]+)/
  const { child, said } = await start('packages/api/src/main.ts', env, listening)
  const [metrics = '', base = ''] = said
  return { child, base, metrics }
}

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const program = fileURLToPath(new URL('../../src/admin.ts', import.meta.url))

export interface CommandResult {
  readonly lines: string[]
  readonly stderr: string
  readonly code: number
}

/** Runs `npm run admin -- …` on a database, in a process of its own. */
export async function admin(url: string, ...args: string[]): Promise<CommandResult> {
  const env = { ...process.env, DATABASE_URL: url }
  const { stdout, stderr, code } = await adminWith(env, ...args)
  return { lines: stdout.trimEnd().split('\n'), stderr, code }
}

/** The same with this environment and no other. */
export function adminWith(env: NodeJS.ProcessEnv, ...args: string[]) {
  return promisify(execFile)(process.execPath, [program, ...args], { env }).then(
    (done) => ({ ...done, code: 0 }),
    (error: { stdout: string; stderr: string; code: number }) => error,
  )
}

/** The same on a terminal with this input. Returns the combined output. */
export async function adminOnTerminal(url: string, args: string[], typed: string): Promise<string> {
  const quoted = [process.execPath, program, ...args].map((each) => `'${each}'`).join(' ')
  const running = promisify(execFile)('script', ['-qec', quoted, '/dev/null'], {
    env: { ...process.env, DATABASE_URL: url },
  })
  running.child.stdin?.end(`${typed}\n`)
  const { stdout } = await running.catch((error: { stdout: string }) => error)
  return stdout
}

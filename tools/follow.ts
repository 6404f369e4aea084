import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { Client } from 'pg'

/**
 * Follows a document as a reader would: runs its commands against a service of its own, and looks
 * at what they print.
 */
const root = new URL('../', import.meta.url)
const server = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const running: ChildProcess[] = []
const databases: string[] = []

after(async () => {
  for (const { pid, exitCode } of running) {
    // The whole group, since npm does not pass a signal on.
    if (pid && exitCode === null) process.kill(-pid, 'SIGTERM')
  }
  if (running.length > 0) await sleep(500)
  for (const name of databases) await administer(`drop database ${name} with (force)`)
})

async function administer(statement: string): Promise<void> {
  const client = new Client({ connectionString: server })
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** An empty database, gone when the test file has ended. */
export async function createDatabase(): Promise<string> {
  const name = `muster_docs_${randomBytes(4).toString('hex')}`
  await administer(`create database ${name}`)
  databases.push(name)
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

export async function freePort(): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const address = probe.address()
  probe.close()
  assert.ok(typeof address === 'object' && address)
  return String(address.port)
}

interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Surroundings {
  readonly env?: Record<string, string>
  /** The root of the project, unless the commands leave files behind. */
  readonly cwd?: string
}

const surrounded = ({ env = {}, cwd = fileURLToPath(root) }: Surroundings) => ({
  cwd,
  env: { ...process.env, ...env },
})

/** Runs commands to their end. */
export function run(script: string, surroundings: Surroundings = {}): Promise<Ran> {
  const child = spawn('bash', ['-c', script], surrounded(surroundings))
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
}

/** Put before commands: the first that fails ends them, as does a curl answered with an error. */
export const strictly = 'set -euo pipefail\ncurl() { command curl --fail-with-body "$@"; }\n'

/** Starts what does not end by itself, and waits until it has printed this. */
export async function start(
  script: string,
  surroundings: Surroundings,
  sign: RegExp,
): Promise<string> {
  const child = spawn('bash', ['-c', script], { ...surrounded(surroundings), detached: true })
  running.push(child)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  const began = performance.now()
  while (!sign.test(output)) {
    assert.equal(child.exitCode, null, output)
    assert.ok(performance.now() - began < 60_000, `60 s have passed.\n${output}`)
    await sleep(100)
  }
  return output
}

/** A running, seeded service, as `npm run dev` gives it to whoever reads on. */
export async function startDev(script = 'npm run dev') {
  const port = await freePort()
  const CONSOLE_PORT = await freePort()
  const env = { PORT: port, CONSOLE_PORT, DATABASE_URL: await createDatabase() }
  const output = await start(script, { env }, /Ctrl-C/)
  const key = /manager \(.*?\)\s+(\S+)/.exec(output)?.[1] ?? ''
  const consoleBase = `http://127.0.0.1:${CONSOLE_PORT}`
  return { output, consoleBase, settings: `BASE=http://127.0.0.1:${port}\nKEY=${key}\n` }
}

/** A fenced block of a document. */
export interface Block {
  readonly language: string
  readonly text: string
}

/** The text of a document, by its path from the root of the project. */
export const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

export const blocksOf = (markdown: string): Block[] =>
  Array.from(markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm), ([, language = '', text = '']) => ({
    language,
    text,
  }))

const border = '--- next block ---'

/** Runs blocks one after the other in one shell, as when pasted, and tells what each printed. */
export async function paste(
  blocks: readonly string[],
  { opening, ...surroundings }: Surroundings & { opening: string },
): Promise<string[]> {
  const script = [opening, ...blocks].join(`\necho '${border}'\n`)
  const { code, stdout, stderr } = await run(script, surroundings)
  const printed = stdout.split(`${border}\n`).slice(1)
  const reached = blocks[printed.length - 1] ?? ''
  assert.equal(code, 0, `The commands ended at\n${reached}\n${printed.at(-1)}\n${stderr}`)
  assert.equal(stderr, '')
  return printed
}

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
 * Runs the commands of a document against a new service and returns their output.
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

/** Creates an empty database, dropped when the test file ends. */
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

interface CommandResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface RunOptions {
  readonly env?: Record<string, string>
  /** The root of the project by default. */
  readonly cwd?: string
}

const spawnOptions = ({ env = {}, cwd = fileURLToPath(root) }: RunOptions) => ({
  cwd,
  env: { ...process.env, ...env },
})

/** Runs commands to their end. */
export function run(script: string, options: RunOptions = {}): Promise<CommandResult> {
  const child = spawn('bash', ['-c', script], spawnOptions(options))
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
}

/** Prepended to commands: stops at the first failure, including an HTTP error of curl. */
export const strictly = 'set -euo pipefail\ncurl() { command curl --fail-with-body "$@"; }\n'

/** Starts a long-running command and waits until its output matches. */
export async function start(script: string, options: RunOptions, awaited: RegExp): Promise<string> {
  const child = spawn('bash', ['-c', script], { ...spawnOptions(options), detached: true })
  running.push(child)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  const began = performance.now()
  while (!awaited.test(output)) {
    assert.equal(child.exitCode, null, output)
    assert.ok(performance.now() - began < 180_000, `No match within 180 s.\n${output}`)
    await sleep(100)
  }
  return output
}

/** Starts a seeded service with `npm run dev`. */
export async function startDev(script = 'npm run dev') {
  const port = await freePort()
  const CONSOLE_PORT = await freePort()
  const url = await createDatabase()
  const env = { PORT: port, CONSOLE_PORT, DATABASE_URL: url }
  const output = await start(script, { env }, /Ctrl-C/)
  const key = /manager \(.*?\)\s+(\S+)/.exec(output)?.[1] ?? ''
  const consoleBase = `http://127.0.0.1:${CONSOLE_PORT}`
  return { output, consoleBase, url, settings: `BASE=http://127.0.0.1:${port}\nKEY=${key}\n` }
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

/** Runs blocks in sequence in one shell, as when pasted, and returns the output of each. */
export async function paste(
  blocks: readonly string[],
  { opening, ...options }: RunOptions & { opening: string },
): Promise<string[]> {
  const script = [opening, ...blocks].join(`\necho '${border}'\n`)
  const { code, stdout, stderr } = await run(script, options)
  const printed = stdout.split(`${border}\n`).slice(1)
  const reached = blocks[printed.length - 1] ?? ''
  assert.equal(code, 0, `The commands failed at\n${reached}\n${printed.at(-1)}\n${stderr}`)
  assert.equal(stderr, '')
  return printed
}

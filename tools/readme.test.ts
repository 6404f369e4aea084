import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { Client } from 'pg'

const root = fileURLToPath(new URL('../', import.meta.url))
const server = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const blocks = Array.from(readme.matchAll(/```sh\n([\s\S]*?)```/g), ([, text = '']) => text)
const running: ChildProcess[] = []

after(async () => {
  for (const child of running) {
    // The whole group, since npm does not pass a signal on.
    if (child.pid) process.kill(-child.pid, 'SIGTERM')
  }
  await sleep(500)
})

/** A block as a reader would run it, but for the port, the database and what was printed to them. */
const adapt = (block: string, changes: Record<string, string>) =>
  Object.entries(changes).reduce((text, [from, to]) => text.replaceAll(from, to), block)

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const address = probe.address()
  probe.close()
  return typeof address === 'object' && address ? address.port : 0
}

async function createDatabase(): Promise<string> {
  const name = `muster_readme_${randomBytes(4).toString('hex')}`
  const client = new Client({ connectionString: server })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  after(async () => {
    const closing = new Client({ connectionString: server })
    await closing.connect()
    await closing.query(`drop database ${name} with (force)`)
    await closing.end()
  })
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a script to its end; a curl that is answered with an error fails it. */
function run(script: string, env: Record<string, string>): Promise<Ran> {
  const strict = `set -euo pipefail\ncurl() { command curl --fail-with-body "$@"; }\n${script}`
  return collect(spawn('bash', ['-c', strict], { cwd: root, env: { ...process.env, ...env } }))
}

function collect(child: ChildProcess): Promise<Ran> {
  let [stdout, stderr] = ['', '']
  child.stdout?.on('data', (data: Buffer) => (stdout += data.toString()))
  child.stderr?.on('data', (data: Buffer) => (stderr += data.toString()))
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
}

/** Starts what does not end by itself, and waits until it has printed this. */
async function start(script: string, env: Record<string, string>, sign: RegExp): Promise<string> {
  const child = spawn('bash', ['-c', script], {
    cwd: root,
    env: { ...process.env, ...env },
    detached: true,
  })
  running.push(child)
  let output = ''
  child.stdout.on('data', (data: Buffer) => (output += data.toString()))
  child.stderr.on('data', (data: Buffer) => (output += data.toString()))
  const began = performance.now()
  while (!sign.test(output)) {
    assert.equal(child.exitCode, null, output)
    assert.ok(performance.now() - began < 60_000, `60 s have passed.\n${output}`)
    await sleep(100)
  }
  return output
}

const at = (marker: string) => {
  const block = blocks.find((text) => text.includes(marker))
  assert.ok(block, `the README has no command with ${marker}`)
  return block
}

test('npm run dev leads to the first answered curl within a minute', async () => {
  const port = String(await freePort())
  const began = performance.now()
  const script = at('npm run dev').replace('npm ci\n', '')
  const output = await start(script, { PORT: port, DATABASE_URL: await createDatabase() }, /Ctrl-C/)

  const pasted = output.slice(output.indexOf('KEY='), output.indexOf('Ctrl-C'))
  const first = await run(pasted, {})
  assert.equal(first.code, 0, first.stderr)
  assert.equal(JSON.parse(first.stdout).count, 3)
  assert.ok(performance.now() - began < 60_000)

  const key = /manager \(.*?\)\s+(\S+)/.exec(output)?.[1] ?? ''
  const changes = { 'http://127.0.0.1:8080': `http://127.0.0.1:${port}`, 'muster_key_...': key }
  const setting = adapt(at('KEY=muster_key_...'), changes)
  const calls = blocks.filter((block) => block.includes('"$BASE/'))
  assert.ok(calls.length >= 6)
  for (const call of calls) {
    const { code, stdout, stderr } = await run(setting + call, {})
    assert.equal(code, 0, `${call}\n${stdout}\n${stderr}`)
    assert.ok(stdout.length > 50, call)
  }
})

test('a database of your own: migrate, bootstrap, start, keys', async () => {
  const port = String(await freePort())
  const url = await createDatabase()
  const changes = { 'postgres://postgres@127.0.0.1:5432/muster': url }
  const block = adapt(at('npm run migrate'), changes)
  const prepared = await run(block.replace('npm start', 'echo "KEY=$KEY"'), {})
  assert.equal(prepared.code, 0, prepared.stderr)
  const key = /KEY=(muster_key_\S+)/.exec(prepared.stdout)?.[1] ?? ''
  await start('npm start', { DATABASE_URL: url, PORT: port }, /listening/)

  const who = await fetch(`http://127.0.0.1:${port}/v1/whoami`, {
    headers: { authorization: `Bearer ${key}` },
  })
  assert.equal(who.status, 200)
  const keys = await run(at('key create'), { DATABASE_URL: url })
  assert.equal(keys.code, 0, keys.stderr)
  assert.match(keys.stdout, /^muster_key_\w+\n/)
  assert.match(keys.stdout, /Payroll sync/)
})

test('the scripts that the README names exist', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  for (const [, name = ''] of readme.matchAll(/npm run (?:-s )?(\w+)/g)) {
    assert.ok(name in scripts, name)
  }
})

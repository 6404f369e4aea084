import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { createDatabase, freePort, read } from './follow.ts'
import { isPortFree } from './ports.ts'
import { cloneWithoutNode, findNode } from './system-node.ts'

const isLong = process.env['MUSTER_LONG'] === '1'
const script = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`

/** Loaded first, these make Linux look like other systems. */
const systems = {
  'a kernel without reusePort': script(`
    import { Server } from 'node:net'
    const { listen } = Server.prototype
    Server.prototype.listen = function (...args) {
      if (!args[0]?.reusePort) return listen.apply(this, args)
      const error = Object.assign(new Error('listen ENOTSUP'), { code: 'ENOTSUP' })
      process.nextTick(() => this.emit('error', error))
      return this
    }`),
  'another platform': script(`
    import { Server } from 'node:net'
    Object.defineProperty(process, 'platform', { value: 'darwin' })
    const { listen } = Server.prototype
    Server.prototype.listen = function (...args) {
      if (args[0]?.reusePort) throw new Error('reusePort was used')
      return listen.apply(this, args)
    }`),
}

const node24 = findNode(24)
const node = node24 ?? process.execPath
const version = node24 === null ? process.version : 'Node 24'
if (node24 === null)
  console.log('Node 24 is not tested. To fetch it: npx node tools/fetch-nodes.ts')

const databaseUrl = await createDatabase()
const running: ChildProcess[] = []
after(() => {
  for (const { pid = 0 } of running) if (membersOf(pid).length > 0) process.kill(-pid, 'SIGKILL')
})

interface Start {
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  readonly until: RegExp
}

/** Starts a command in a process group of its own, and waits for this output. */
async function start([command = '', ...args]: string[], { env, cwd, until }: Start) {
  const child = spawn(command, args, {
    env: { ...process.env, DATABASE_URL: databaseUrl, ...env },
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  for (let tries = 0; !until.test(output); tries++) {
    assert.ok(child.exitCode === null && tries < 1800, output)
    await sleep(100)
  }
  return { child, pid: child.pid ?? 0, output: () => output }
}

/** The processes of a group that have not ended. */
function membersOf(group: number): string[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pgid=,stat=,args='], { encoding: 'utf8' })
  return lines.split('\n').filter((line) => {
    const [id, state = ''] = line.trim().split(/\s+/)
    return Number(id) === group && !state.startsWith('Z')
  })
}

async function assertEnds(group: number, ports: string[]): Promise<void> {
  for (let tries = 0; membersOf(group).length > 0 && tries < 150; tries++) await sleep(100)
  assert.deepEqual(membersOf(group), [])
  for (const port of ports) assert.ok(await isPortFree(Number(port)), `port ${port}`)
}

/** How many sockets listen on a port, from the kernel's table. */
const listenersOn = (port: string) => {
  const address = `:${Number(port).toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 0A`
  return readFileSync('/proc/net/tcp', 'utf8').split(address).length - 1
}

const migration = spawnSync(process.execPath, ['packages/api/src/migrate.ts'], {
  env: { ...process.env, DATABASE_URL: databaseUrl },
})
assert.equal(migration.status, 0, migration.stderr.toString())

test(`the service starts with 64 listeners and stops, under ${version}`, async () => {
  const PORT = await freePort()
  const main = [node, 'packages/api/src/main.ts']
  const service = await start(main, { env: { PORT }, until: /Server listening/ })
  for (let tries = 0; listenersOn(PORT) < 64 && tries < 100; tries++) await sleep(100)
  assert.equal(listenersOn(PORT), 64)
  service.child.kill('SIGTERM')
  await once(service.child, 'exit')
  assert.equal(service.child.exitCode, 0, service.output())
  assert.ok(await isPortFree(Number(PORT)))
})

test(`the service has one listener on another platform, under ${version}`, async () => {
  const PORT = await freePort()
  const main = [node, '--import', systems['another platform'], 'packages/api/src/main.ts']
  const service = await start(main, { env: { PORT }, until: /Server listening/ })
  assert.match(service.output(), /One listener/)
  assert.equal(listenersOn(PORT), 1)
  assert.equal((await fetch(`http://127.0.0.1:${PORT}/readyz`)).status, 200)
  await start(main, { env: { PORT }, until: /cannot listen on HOST=\S+ PORT=\d+: EADDRINUSE/ })
  service.child.kill('SIGTERM')
  await once(service.child, 'exit')
  assert.equal(service.child.exitCode, 0, service.output())
})

test('an older Node gets one line with the remedy from every script', (t) => {
  const { scripts, engines } = JSON.parse(read('package.json')) as {
    scripts: Record<string, string>
    engines: { node: string }
  }
  assert.equal(engines.node, '>=24')
  const folder = mkdtempSync(join(tmpdir(), 'muster-older-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const older = join(folder, 'older.cjs')
  writeFileSync(older, `Object.defineProperty(process.versions, 'node', { value: '22.23.3' })`)
  const commands = [...Object.values(scripts), 'node packages/api/src/main.ts']
  for (const command of commands) {
    assert.match(command, /^node [\w ./-]+$/, 'no syntax of a shell')
    // Without the check, an absent database would be reported.
    const env = { PATH: process.env['PATH'], DATABASE_URL: 'postgres://127.0.0.1:9/none' }
    const args = ['-r', older, ...command.split(' ').slice(1)]
    const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
    assert.equal(status, 1, command)
    assert.match(stderr, /^error: Muster needs Node 24 or newer, and this is 22.+nvm install\n$/)
  }
})

test('two npm run dev work side by side, and signals end all their processes', async () => {
  const clone = cloneWithoutNode()
  after(() => rmSync(clone, { recursive: true }))
  const PATH = `${dirname(node)}:${process.env['PATH']}`
  const [portA, portB] = [await freePort(), await freePort()]
  const until = /Ctrl-C/
  const env = { PORT: portA, CONSOLE_PORT: undefined }
  const here = await start(['npm', 'run', 'dev'], { env, until })
  // As on macOS: the Node of the PATH, and one listener.
  const other = {
    ...env,
    PORT: portB,
    PATH,
    NODE_OPTIONS: `--import ${systems['a kernel without reusePort']}`,
  }
  const there = await start(['npm', 'run', 'dev'], { env: other, cwd: clone, until })
  assert.equal(listenersOn(portB), 1)
  assert.match(membersOf(there.pid).join('\n'), new RegExp(`^.* ${node} --watch`, 'm'))

  const consoleOf = (output: string) => /The console +(http:\S+)\//.exec(output)?.[1] ?? ''
  const [consoleA, consoleB] = [consoleOf(here.output()), consoleOf(there.output())]
  assert.notEqual(consoleA, consoleB)
  const third = spawnSync(process.execPath, ['tools/dev.ts'], {
    env: { ...process.env, DATABASE_URL: databaseUrl, PORT: portA },
    encoding: 'utf8',
  })
  assert.equal(third.status, 1)
  assert.match(third.stderr, /^error: Port \d+ is in use\. .+\n$/)
  here.child.kill('SIGTERM')
  await assertEnds(here.pid, [portA, new URL(consoleA).port])

  const [, key, call = ''] = /KEY=(\S+)[^]+?"(http:[^"]+)"/.exec(there.output()) ?? []
  const answer = await fetch(call, { headers: { authorization: `Bearer ${key}` } })
  assert.equal(((await answer.json()) as { count: number }).count, 3)
  assert.equal((await fetch(`${consoleB}/v1/whoami`)).status, 401)
  process.kill(-there.pid, 'SIGINT')
  await assertEnds(there.pid, [portB, new URL(consoleB).port])
})

test(`the README works under ${version}`, { skip: !isLong && 'run with --long' }, () => {
  const clone = cloneWithoutNode()
  after(() => rmSync(clone, { recursive: true }))
  const { NODE_TEST_CONTEXT: _, ...rest } = process.env
  const env = { ...rest, PATH: `${dirname(node)}:${process.env['PATH']}` }
  const options = { cwd: clone, env, encoding: 'utf8' } as const
  const ended = spawnSync('npm', ['test', '--', 'readme', 'startup', 'cors', 'risks'], options)
  assert.equal(ended.status, 0, ended.stdout + ended.stderr)
})

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { createClient } from '@muster/client'
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'

import { freePort, read, run, startDev } from './follow.ts'

/** Runs `examples/bridge_nats.ts` on a service and a JetStream server of its own. */
const root = fileURLToPath(new URL('../', import.meta.url))
const { settings, url } = await startDev()
const [, base = '', key = ''] = /BASE=(\S+)\nKEY=(\S+)/.exec(settings) ?? []
const muster = createClient({ base, key })

const folder = mkdtempSync(join(tmpdir(), 'bridge-'))
// A program imports the client as it does in the root of the project.
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
cpSync(join(root, 'examples/bridge_nats.ts'), join(folder, 'bridge_nats.ts'))

const children: ChildProcess[] = []
after(async () => {
  for (const child of children) await end(child)
  rmSync(folder, { recursive: true })
})

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

const port = await freePort()
const nats = `127.0.0.1:${port}`
const store = ['-js', '-a', '127.0.0.1', '-p', port, '-sd', join(folder, 'store')]
children.push(spawn('nats-server', store, { stdio: 'ignore' }))

async function connected() {
  for (const began = performance.now(); ; await sleep(100)) {
    const connection = await connect({ servers: nats }).catch((error: unknown) => {
      if (performance.now() - began > 10_000) throw error
      return null
    })
    if (connection) return connection
  }
}

const connection = await connected()
after(() => connection.close())
const manager: JetStreamManager = await jetstreamManager(connection)

/** Starts the program, and keeps its errors. */
function startBridge() {
  const env = { ...process.env, BASE: base, KEY: key, NATS: nats }
  const child = spawn(process.execPath, ['bridge_nats.ts'], { cwd: folder, env })
  children.push(child)
  const errors: string[] = []
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text))
  return { child, errors }
}

/** What the stream holds, in its order. */
async function messages() {
  const found: { readonly subject: string; readonly id: string; readonly body: Event }[] = []
  const info = await manager.streams.info('MUSTER').catch(() => null)
  for (let seq = 1; seq <= (info?.state.last_seq ?? 0); seq++) {
    const message = await manager.streams.getMessage('MUSTER', { seq })
    assert.ok(message)
    const { subject, header } = message
    found.push({ subject, id: header.get('Nats-Msg-Id'), body: message.json<Event>() })
  }
  return found
}

interface Event {
  readonly id: string
  readonly type?: string
  readonly reason?: string
  readonly resume_seq?: number | null
}

async function logged() {
  const events: Event[] = []
  for (let query: { after?: string } = {}; ;) {
    const page = await muster.events.list({ query: { ...query, limit: 1000 } })
    events.push(...page.data)
    if (!page.has_more) return events
    query = { after: page.position }
  }
}

async function copiedCount(): Promise<number> {
  const info = await manager.streams.info('MUSTER').catch(() => null)
  return info?.state.messages ?? 0
}

/** Waits until the stream has this many messages, or until it no longer matters. */
async function filled(count: number, isOver = () => false): Promise<void> {
  for (const began = performance.now(); ; await sleep(20)) {
    const copied = await copiedCount()
    if (copied >= count || isOver()) return
    assert.ok(performance.now() - began < 60_000, `${copied} of ${count}`)
  }
}

const isWriting = { value: true }

async function writePeople(): Promise<void> {
  for (let number = 0; number < 250; number++) {
    await muster.personnel.create({ body: { name: `Person ${number}` } })
    const data = [{ name: `First of ${number}` }, { name: `Second of ${number}` }]
    if (number % 2 === 0) await muster.personnel.batch({ body: { data } })
  }
  isWriting.value = false
}

test('the stream has every event once and in order, although the bridge is killed', async (t) => {
  const before = (await logged()).length
  const writing = writePeople()
  let kills = 0
  for (; isWriting.value; kills++) {
    const copied = await copiedCount()
    const { child, errors } = startBridge()
    await filled(copied + 1, () => !isWriting.value)
    await sleep(37 * (kills % 5))
    await end(child)
    assert.deepEqual(errors, [])
  }
  assert.ok(kills > 3, `killed ${kills} times`)
  await writing
  const events = await logged()
  assert.equal(events.length, before + 500)
  const { child, errors } = startBridge()
  await filled(events.length)
  await end(child)
  const copied = await messages()
  assert.deepEqual(
    copied.map(({ body }) => body),
    events,
  )
  for (const { subject, id, body } of copied) {
    assert.deepEqual([subject, id], [`muster.${body.type}`, body.id])
  }
  assert.deepEqual(errors, [])
  t.diagnostic(`killed ${kills} times, ${events.length} events`)
})

test('two bridges at once leave every event once and in order', async () => {
  const bridges = [startBridge(), startBridge()]
  await sleep(1500)
  for (let number = 0; number < 20; number++) {
    await muster.personnel.create({ body: { name: `Once ${number}` } })
  }
  const events = await logged()
  await filled(events.length)
  await sleep(500)
  for (const { child } of bridges) await end(child)
  assert.deepEqual(
    (await messages()).map(({ id }) => id),
    events.map(({ id }) => id),
  )
})

test('a lost position is a message of the stream, and later events follow it', async () => {
  const before = (await messages()).length
  const renewed = await run('npm run -s admin -- epoch renew', { env: { DATABASE_URL: url } })
  assert.equal(renewed.code, 0, renewed.stderr)
  const { child, errors } = startBridge()
  await filled(before + 1)
  const { id } = await muster.personnel.create({ body: { name: 'After the renewal' } })
  await filled(before + 2)
  await end(child)
  const [lost, next] = (await messages()).slice(before)
  assert.deepEqual(
    [lost?.subject, next?.subject],
    ['muster.position_lost', 'muster.person.created'],
  )
  assert.deepEqual([lost?.body.reason, lost?.body.resume_seq], ['unknown_term', null])
  assert.ok(JSON.stringify(next?.body).includes(id))
  assert.deepEqual(errors, [])
})

test('the program is short and compiles, and the guide shows it', async () => {
  const program = read('examples/bridge_nats.ts').trimEnd()
  assert.ok(program.split('\n').length <= 50)
  assert.ok(read('docs/guides/bridge-to-kafka-or-nats.md').includes(program))
  const options = '--strict --module nodenext --target esnext --types node --skipLibCheck'
  const sources = '--allowImportingTsExtensions --resolveJsonModule --noEmit --ignoreConfig'
  const compiled = await run(`node_modules/.bin/tsc ${options} ${sources} examples/bridge_nats.ts`)
  assert.deepEqual(compiled, { code: 0, stdout: '', stderr: '' })
})

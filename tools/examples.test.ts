import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { read, run, startDev } from './follow.ts'

/** Runs the programs of `examples/` as their users do. */
const { settings } = await startDev()
const [, base = '', key = ''] = /BASE=(\S+)\nKEY=(\S+)/.exec(settings) ?? []
const program = fileURLToPath(new URL('../examples/hr_sync.py', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'examples-'))
after(() => rmSync(folder, { recursive: true }))

/** Forwards requests to the service, and counts them. */
let requests = 0
const counter = createServer((incoming, response) => {
  requests += 1
  const { method = 'GET', url = '/', headers } = incoming
  const forwarded = send(new URL(url, base), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  incoming.pipe(forwarded)
}).listen(0, '127.0.0.1')
await new Promise((resolve) => counter.once('listening', resolve))
after(() => counter.close())
// The cast holds because the server listens on a port.
const { port } = counter.address() as AddressInfo

/** People with numbers; every tenth is a manager. */
function fileWith(numbers: readonly number[]): string {
  const path = join(folder, 'people.csv')
  const lines = numbers.map((number) => {
    const manager = number % 10 === 0 ? '' : number - (number % 10)
    return `${number},Person ${number},person${number}@example.com,Engineer,${manager}`
  })
  writeFileSync(path, `${['number,name,email,job,manager', ...lines].join('\n')}\n`)
  return path
}

async function sync(numbers: readonly number[]) {
  const before = requests
  const environment = `BASE=http://127.0.0.1:${port} KEY=${key}`
  const result = await run(`${environment} python3 ${program} ${fileWith(numbers)}`)
  return { ...result, requests: requests - before }
}

const personnel = async () => {
  const reply = await fetch(`${base}/v1/personnel?q=person`, {
    headers: { authorization: `Bearer ${key}` },
  })
  // The cast holds because the list of people has this form.
  const { data } = (await reply.json()) as {
    data: { external_id: string; manager_user_id: string | null }[]
  }
  const synced = data.filter(({ external_id }) => external_id?.startsWith('hr-'))
  return { tag: reply.headers.get('etag'), people: synced }
}

const everyone = Array.from({ length: 1000 }, (_, index) => index + 1000)
const none = { created: 0, changed: 0, unchanged: 0, rejoined: 0, departed: 0 }

function assertCounts({ stdout, stderr }: Awaited<ReturnType<typeof sync>>, counts: object): void {
  assert.equal(stderr, '')
  assert.deepEqual(JSON.parse(stdout), { ...none, ...counts })
}

test('hr_sync.py adds 1000 people in one request; a second run takes no number', async () => {
  assert.ok(readFileSync(program, 'utf8').trimEnd().split('\n').length <= 30)
  const first = await sync(everyone)
  assertCounts(first, { created: 1000 })
  assert.equal(first.requests, 1)
  const before = await personnel()
  assert.equal(before.people.length, 1000)
  assert.equal(before.people.filter(({ manager_user_id }) => manager_user_id).length, 900)
  const second = await sync(everyone)
  assertCounts(second, { unchanged: 1000 })
  assert.equal((await personnel()).tag, before.tag)
})

test('hr_sync.py refuses an empty file and one without most people', async () => {
  const before = await personnel()
  const empty = await sync([])
  assert.notEqual(empty.code, 0)
  assert.match(empty.stderr, /validation_failed/)
  const short = await sync(everyone.slice(0, 900))
  assert.notEqual(short.code, 0)
  assert.match(short.stderr, /too_many_missing/)
  assert.equal((await personnel()).tag, before.tag)
})

test('hr_sync.py offboards who is gone, and reinstates who is back', async () => {
  const gone = await sync(everyone.slice(3))
  assertCounts(gone, { unchanged: 997, departed: 3 })
  assert.equal((await personnel()).people.length, 997)
  const back = await sync(everyone)
  assertCounts(back, { unchanged: 997, rejoined: 3 })
})

test('the guide shows the program', () => {
  assert.ok(read('docs/guides/sync-a-roster.md').includes(readFileSync(program, 'utf8').trimEnd()))
})

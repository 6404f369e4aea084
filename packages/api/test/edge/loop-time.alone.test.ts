import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { limits, type Operation, scopes } from '@muster/contract'
import { measure } from '@muster/testing/measure'
import { stringify } from 'csv-stringify/sync'

import { bytesOf, contents, enlarged, filledUp, settable } from '#test/contract/largest-bodies'
import { Client, type Json, type Reply } from '#test/support/client'
import { createFixture, newRowFor } from '#test/support/fixture'
import { keyOperations } from '#test/support/operations'
import { startProcess } from '#test/support/process'
import { isLong, size } from '#test/support/size'
import { newWorkspace, startHost } from '#test/support/workspace'

import { refusedBatches, refusedLists } from './refused-bodies.ts'

const host = await startHost()
const { token } = await (await newWorkspace(host)).issue({ scopes })
const clock = new URL('loop-clock.ts', import.meta.url).href
const service = await startProcess(host.url, { NODE_OPTIONS: `--import=${clock}` })
const manager = new Client(service.base, token)
const fixture = await createFixture(manager)

/** The longest piece of work of the event loop: nothing else runs meanwhile. */
const refusedMs = 50
const legalMs = 100
const grownMiB = 200

let readings = 0

/** The longest piece since the last call, in milliseconds of CPU time. */
async function longestPiece(): Promise<number> {
  service.process.kill('SIGWINCH')
  readings += 1
  for (let tries = 0; ; tries++) {
    assert.ok(tries < 2000, service.log().slice(-1000))
    const printed = [...service.log().matchAll(/longest piece ([\d.]+)/g)]
    if (printed.length === readings) return Number(printed.at(-1)?.[1])
    await sleep(5)
  }
}

interface Sent {
  readonly what: string
  readonly type: string
  readonly body: string
}

async function send({ method, path }: Operation, { type, body }: Sent) {
  await longestPiece()
  const headers = { 'content-type': type, 'idempotency-key': `k${readings}` }
  const reply = await manager.send(method, fixture.fill(path), { body, headers })
  return { reply, ms: await longestPiece() }
}

const wanted = (reply: Reply) => reply.text.slice(0, 300)

/** Sends each body once; those above the bound once more, because compilation takes time. */
async function measureRefusals(t: TestContext, operation: Operation, bodies: Iterable<Sent>) {
  const before = service.memory().now
  let [worst, worstMs] = ['', 0]
  for (const sent of bodies) {
    let { reply, ms } = await send(operation, sent)
    if (ms > refusedMs) ({ reply, ms } = await send(operation, sent))
    assert.ok([400, 422].includes(reply.status), `${sent.what}: ${wanted(reply)}`)
    if (isLong) t.diagnostic(`${sent.what}: ${Math.round(ms)} ms, ${reply.body.detail}`)
    if (ms > worstMs) [worst, worstMs] = [sent.what, ms]
  }
  const grown = (service.memory().now - before) / 2 ** 20
  measure(t, `memory after ${Math.round(before / 2 ** 20)} MiB, growth`, {
    value: grown,
    unit: 'MiB',
    atMost: grownMiB,
  })
  measure(t, `CPU at once for ${worst}`, { value: worstMs, atMost: refusedMs })
}

/** A batch of several projects saves its rows as that of one. */
const batches = keyOperations().filter(
  ({ name, operation }) => operation.rows && (isLong || !name.endsWith('_across')),
)
const fieldsOf = ({ operation }: (typeof batches)[number]) =>
  Object.keys(operation.rows?.properties ?? {}).length
/** The batch with the most fields; all with `--long`. */
const [widest] = batches.toSorted((a, b) => fieldsOf(b) - fieldsOf(a))

for (const { name, operation } of batches.filter((each) => isLong || each === widest)) {
  test(`${name}: refuses any body within ${refusedMs} ms of the event loop`, async (t) => {
    await measureRefusals(t, operation, refusedBatches(operation))
  })
}

for (const { name, operation } of keyOperations()) {
  if (operation.bodyBytesMax !== limits.idListBytesMax) continue
  test(`${name}: refuses any body of 1 MiB within ${refusedMs} ms of the event loop`, async (t) => {
    await measureRefusals(t, operation, refusedLists(operation))
  })
}

for (const { name, operation } of batches) {
  const count = size(operation === widest?.operation ? 2 : 1, 4)
  test(`${name}: accepts the largest batches within ${legalMs} ms of the event loop`, async (t) => {
    for (const sent of legalBatches(name, operation).take(count)) {
      const { reply, ms } = await send(operation, sent)
      assert.equal(reply.status, 200, `${sent.what}: ${wanted(reply)}`)
      measure(t, `CPU at once for ${sent.what}`, { value: ms, atMost: legalMs })
    }
  })
}

test(`events.list: sends the largest pages within ${legalMs} ms of the event loop`, async (t) => {
  const query = 'limit=1000&include=states'
  const [largest, most] = [
    { bytes: 0, ms: 0 },
    { count: 0, ms: 0 },
  ]
  for (let after = '', hasMore = true; hasMore;) {
    await longestPiece()
    const { status, text, body } = await manager.get(`/v1/events?${query}${after}`)
    assert.equal(status, 200, text.slice(0, 300))
    const [bytes, ms] = [Buffer.byteLength(text), await longestPiece()]
    if (bytes > largest.bytes) Object.assign(largest, { bytes, ms })
    if (ms > most.ms) Object.assign(most, { count: body.count, ms })
    after = `&after=${body.position}`
    hasMore = body.has_more
  }
  assert.ok(largest.bytes > 7 * 2 ** 20, `${largest.bytes} bytes: the pages reach their bound`)
  for (const [what, { ms }] of [
    [`the largest page, ${(largest.bytes / 2 ** 20).toFixed(1)} MiB`, largest],
    [`the slowest page, ${most.count} events`, most],
  ] as const) {
    measure(t, `CPU at once for ${what}`, { value: ms, atMost: legalMs })
  }
})

/** A new row with every text at its maximum; with links and metadata if there is room for them. */
function largestRow(name: string, operation: Operation, bytes: number): Json {
  const content = contents['characters that NFKD expands most']
  assert.ok(content)
  const ordinary = newRowFor(name, operation, fixture)
  const fields = settable(name, operation).filter(([, { maxLength = 0 }]) => maxLength <= bytes)
  const row = enlarged(ordinary, fields, { content, people: [] })
  return filledUp(row, fields, { content, bytes: Math.max(bytes, bytesOf(row) + 50) })
}

/** The most rows of this size that one batch may have. */
function* legalBatches(name: string, operation: Operation): Generator<Sent> {
  for (const bytes of [3500, 2 * limits.bodyBytesMax]) {
    const made: Json[] = []
    for (let left = limits.batchBytesMax - 20; made.length < limits.itemsMax;) {
      const row = largestRow(name, operation, bytes)
      left -= bytesOf(row) + 1
      if (left < 0) break
      made.push(row)
    }
    const what = `${made.length} rows`
    const body = JSON.stringify({ data: made })
    yield { what: `${what} of JSON, ${body.length} characters`, type: 'application/json', body }
    const table = tableOf(made)
    yield { what: `${what} of CSV, ${table.length} characters`, type: 'text/csv', body: table }
  }
}

const unique = new Set(['email', 'external_id'])

/** The same rows as a table, without the fields that must be unique. */
function tableOf(made: readonly Json[]): string {
  const rowsOfCells = made.map(flat)
  const columns = Object.keys(rowsOfCells[0] ?? {}).filter((name) => !unique.has(name))
  let table = stringify([columns])
  let left = limits.batchBytesMax - Buffer.byteLength(table)
  for (const cells of rowsOfCells) {
    const line = stringify([columns.map((name) => cells[name])])
    left -= Buffer.byteLength(line)
    if (left < 0) break
    table += line
  }
  return table
}

/** One cell for each field: dotted names for nested objects, words for lists, or JSON. */
function flat(row: Json): Record<string, string> {
  const cells = Object.entries<Json>(row).flatMap(([name, value]) => {
    if (typeof value !== 'object' || value === null) return [[name, value]]
    if (Array.isArray(value) && typeof value[0] !== 'object') return [[name, value.join(' ')]]
    if (Array.isArray(value) || name === 'metadata') return [[name, JSON.stringify(value)]]
    return Object.entries(flat(value)).map(([inner, cell]) => [`${name}.${inner}`, cell])
  })
  return Object.fromEntries(cells)
}

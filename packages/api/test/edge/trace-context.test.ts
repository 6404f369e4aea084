import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { Client } from '#test/support/client'
import { startProcess } from '#test/support/process'
import { sendBytes } from '#test/support/raw'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const home = await newWorkspace(host)
const { token } = await home.issue({ scopes: ['personnel.read'] })
const service = await startProcess(host.url)
const client = new Client(service.base, token)

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const parent = '00f067aa0ba902b7'
const sent = `00-${trace}-${parent}-01`

/** The trace id, the parent id and the flags of a response. */
function partsOf(header: string | null | undefined) {
  const [, id = '', parentId = '', flags = ''] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-(0[01])$/.exec(header ?? '') ?? []
  assert.notEqual(id, '', `${header} is no traceparent`)
  return { id, parentId, flags }
}

/** The first log line of a request. */
async function lineOf(requestId: string | null) {
  for (let tries = 0; tries < 500; tries++) {
    const lines = service.log().split('\n')
    const found = lines.find((line) => line.includes(`"request_id":"${requestId}"`))
    if (found !== undefined) return JSON.parse(found)
    await sleep(20)
  }
  return assert.fail(`no log line of ${requestId}`)
}

test('keeps the trace id of a request in its response and in its log line', async () => {
  const parents = new Set<string>()
  for (const path of [
    '/v1/personnel',
    '/v1/personnel?limit=1',
    '/v1/projects',
    '/v1/nothing',
    '/v1/personnel/%',
    '/about',
    '/livez',
  ]) {
    const { headers } = await client.get(path, { traceparent: sent })
    const { id, parentId, flags } = partsOf(headers.get('traceparent'))
    assert.equal(`${id} ${flags}`, `${trace} 01`, path)
    parents.add(parentId)
  }
  assert.equal(parents.size, 7, 'every parent id is new')
  assert.ok(!parents.has(parent))

  const { headers } = await client.get('/v1/personnel', { traceparent: sent })
  assert.equal((await lineOf(headers.get('request-id'))).trace_id, trace)
})

test('makes a new trace id when there is no valid one', async () => {
  const invalid = [
    undefined,
    '',
    trace,
    sent.toUpperCase(),
    sent.slice(1),
    `${sent}-`,
    `${sent}-more`,
    `${sent} `.padEnd(8000, 'x'),
    `01-${trace}-${parent}-01x`,
    `ff-${trace}-${parent}-01`,
    `0g-${trace}-${parent}-01`,
    `00-${'0'.repeat(32)}-${parent}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace}-${parent}-0x`,
    `00-${trace.replace('4', 'g')}-${parent}-01`,
    `00_${trace}_${parent}_01`,
    `${sent}, ${sent}`,
  ]
  const ids = new Set<string>()
  for (const traceparent of invalid) {
    const { headers } = await client.get(
      '/v1/personnel',
      traceparent === undefined ? {} : { traceparent },
    )
    const { id, flags } = partsOf(headers.get('traceparent'))
    assert.equal(flags, '00')
    ids.add(id)
    assert.equal((await lineOf(headers.get('request-id'))).trace_id, id)
  }
  assert.equal(ids.size, invalid.length)
  assert.ok(!ids.has(trace))
})

test('accepts a later version, and keeps only the flag that it knows', async () => {
  for (const [traceparent, expected] of [
    [`cc-${trace}-${parent}-01-what-the-future-brings`, '01'],
    [`cc-${trace}-${parent}-01`, '01'],
    [`00-${trace}-${parent}-02`, '00'],
    [`00-${trace}-${parent}-ff`, '01'],
  ] as const) {
    const { headers } = await client.get('/v1/personnel', { traceparent })
    const { id, flags } = partsOf(headers.get('traceparent'))
    assert.equal(`${id} ${flags}`, `${trace} ${expected}`, traceparent)
  }
})

test('sends a trace id with a refused Expect header', async () => {
  const reply = await sendBytes(
    service.base,
    `GET /livez HTTP/1.1\r\nhost: x\r\nexpect: x\r\ntraceparent: ${sent}\r\n\r\n`,
  )
  assert.equal(reply.status, 417)
  assert.equal(partsOf(reply.headers['traceparent']).id, trace)
})

test('logs the trace id with the error of a failed request', async () => {
  await host.sql.query('alter table muster.people rename to people_away')
  const { status, headers } = await client.get('/v1/personnel?limit=2', { traceparent: sent })
  await host.sql.query('alter table muster.people_away rename to people')
  assert.equal(status, 500)
  assert.equal(partsOf(headers.get('traceparent')).id, trace)
  const { level, err, trace_id } = await lineOf(headers.get('request-id'))
  assert.deepEqual([level, err.code, trace_id], [50, '42P01', trace])
})

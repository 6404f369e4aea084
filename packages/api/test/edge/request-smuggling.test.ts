import assert from 'node:assert/strict'
import { test } from 'node:test'

import { scopes } from '@muster/contract'

import { Client } from '#test/support/client'
import { startProcess } from '#test/support/process'
import { sendRaw } from '#test/support/raw'
import { newWorkspace, startHost } from '#test/support/workspace'

import { inFrontOf, startHaproxy } from './haproxy.ts'
import { cases } from './request-smuggling.ts'

const host = await startHost()
const { token } = await (await newWorkspace(host)).issue({ scopes })
// A place for each case at once: an error in the body of a request that waits is found first.
const service = await startProcess(host.url, { DATABASE_POOL_MAX: '200' })
const proxy = await startHaproxy(inFrontOf(service.base))
const longWait = { waitMs: 45_000 }
const hangSeconds = 36

/** Sends all cases concurrently. */
const ask = (base: string) =>
  Promise.all(
    Object.entries(cases).map(async ([what, sample]) => {
      const { text, statuses, seconds } = await sendRaw(base, sample.bytes, longWait)
      return { what, sample, text, statuses, seconds }
    }),
  )

const direct = await ask(service.base)
const proxied = await ask(proxy)

test('has at least 59 cases', () => {
  assert.ok(Object.keys(cases).length >= 59)
})

for (const { what, sample, text, statuses, seconds } of direct) {
  test(`${what} is answered ${sample.direct.join(', ')}`, () => {
    assert.deepEqual(statuses, sample.direct, text)
    assert.ok(seconds < hangSeconds, `no response for ${seconds} s`)
    const refusals = statuses.filter((status) => status >= 400).length
    assert.equal(text.match(/^content-type: application\/problem\+json/gim)?.length ?? 0, refusals)
    assert.equal(text.match(/^request-id: req_/gim)?.length ?? 0, statuses.length)
  })
}

for (const { what, sample, text, statuses, seconds } of proxied) {
  const expected = sample.proxied ?? sample.direct
  test(`behind HAProxy, ${what} is answered ${expected.join(', ')}`, () => {
    assert.deepEqual(statuses, expected, text)
    assert.ok(seconds < hangSeconds, `no response for ${seconds} s`)
  })
}

const ada = '{"name":"Ada"}'
const head = ['host: x', `authorization: Bearer ${token}`, 'content-type: application/json']
const add = (...headers: string[]) =>
  [
    'POST /v1/personnel HTTP/1.1',
    ...head,
    ...headers,
    `content-length: ${ada.length}`,
    '',
    ada,
  ].join('\r\n')

test('answers a request even if garbage follows it', async () => {
  const { statuses, text } = await sendRaw(service.base, `${add()}nonsense\r\n\r\n`, longWait)
  assert.deepEqual(statuses, [201, 400], text)
  const [first = ''] = text.split('HTTP/1.1 400')
  assert.ok(first.includes('"name":"Ada"'), 'the first response is complete')
})

test('answers nothing after `Connection: close`', async () => {
  const { statuses } = await sendRaw(service.base, `${add('connection: close')}\r\nmore`, longWait)
  assert.deepEqual(statuses, [201])
})

test('answers Expect: 100-continue after authentication', async () => {
  const waiting = add('expect: 100-continue', 'connection: close')
  assert.deepEqual((await sendRaw(service.base, waiting, longWait)).statuses, [100, 201])
})

test('serves requests after all cases', async () => {
  assert.equal(service.process.exitCode, null, service.log().slice(-1000))
  assert.doesNotMatch(service.log(), /"level":[56]0/)
  assert.equal((await new Client(service.base, token).get('/v1/whoami')).status, 200)
})

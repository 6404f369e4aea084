import assert from 'node:assert/strict'
import { test } from 'node:test'

import { scopes } from '@muster/contract'

import { Client } from './client.ts'
import { framings } from './framing.ts'
import { inFrontOf, startHaproxy } from './haproxy.ts'
import { startProcess } from './process.ts'
import { talk } from './raw.ts'
import { newWorkspace, startHost } from './workspace.ts'

const host = await startHost()
const { token } = await (await newWorkspace(host)).issue({ scopes })
const service = await startProcess(host.url)
const proxy = await startHaproxy(inFrontOf(service.base))
const patience = { waitMs: 15_000 }
const hangSeconds = 12

/** All at once: the service must keep them apart anyway. */
const ask = (base: string) =>
  Promise.all(
    Object.entries(framings).map(async ([what, framing]) => {
      const { text, statuses, seconds } = await talk(base, framing.bytes, patience)
      return { what, framing, text, statuses, seconds }
    }),
  )

const direct = await ask(service.base)
const proxied = await ask(proxy)

test('the table has at least 59 kinds', () => {
  assert.ok(Object.keys(framings).length >= 59)
})

for (const { what, framing, text, statuses, seconds } of direct) {
  test(`${what} is answered ${framing.direct.join(', ')}`, () => {
    assert.deepEqual(statuses, framing.direct, text)
    assert.ok(seconds < hangSeconds, `it hung for ${seconds} s`)
    const refusals = statuses.filter((status) => status >= 400).length
    assert.equal(text.match(/^content-type: application\/problem\+json/gim)?.length ?? 0, refusals)
    assert.equal(text.match(/^request-id: req_/gim)?.length ?? 0, statuses.length)
  })
}

for (const { what, framing, text, statuses, seconds } of proxied) {
  const expected = framing.proxied ?? framing.direct
  test(`behind HAProxy, ${what} is answered ${expected.join(', ')}`, () => {
    assert.deepEqual(statuses, expected, text)
    assert.ok(seconds < hangSeconds, `it hung for ${seconds} s`)
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

test('a request is answered, whatever comes behind it', async () => {
  const { statuses, text } = await talk(service.base, `${add()}nonsense\r\n\r\n`, patience)
  assert.deepEqual(statuses, [201, 400], text)
  const [first = ''] = text.split('HTTP/1.1 400')
  assert.ok(first.includes('"name":"Ada"'), 'the first answer is whole')
})

test('nothing is answered behind `Connection: close`', async () => {
  const { statuses } = await talk(service.base, `${add('connection: close')}\r\nmore`, patience)
  assert.deepEqual(statuses, [201])
})

test('a client that waits to be told to go on is told, once it may', async () => {
  const waiting = add('expect: 100-continue', 'connection: close')
  assert.deepEqual((await talk(service.base, waiting, patience)).statuses, [100, 201])
})

test('after all of this the service is as before', async () => {
  assert.equal(service.process.exitCode, null, service.log().slice(-1000))
  assert.doesNotMatch(service.log(), /"level":[56]0/)
  assert.equal((await new Client(service.base, token).get('/v1/whoami')).status, 200)
})

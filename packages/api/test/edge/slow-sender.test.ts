import assert from 'node:assert/strict'
import { test } from 'node:test'

import { scopes } from '@muster/contract'
import { measure } from '@muster/testing/measure'

import { Client } from '#test/support/client'
import { startProcess } from '#test/support/process'
import { sendRaw } from '#test/support/raw'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const { token } = await (await newWorkspace(host)).issue({ scopes })
const service = await startProcess(host.url)
const many = 50

const head = [
  'POST /v1/personnel HTTP/1.1',
  'host: x',
  `authorization: Bearer ${token}`,
  'content-type: application/json',
]
const drip = (bytes: string) => ({ bytes, everyMs: 500 })

const cases = {
  'that sends nothing': { bytes: '', more: null, seconds: 6 },
  'with endless headers': {
    bytes: 'GET /v1/whoami HTTP/1.1\r\nhost: x\r\n',
    more: drip('x: y\r\n'),
    seconds: 6,
  },
  'with an endless request line': { bytes: 'GET /v1', more: drip('x'), seconds: 6 },
  'with an endless body': {
    bytes: [...head, 'content-length: 60000', '', '{"name":"'].join('\r\n'),
    more: drip('x'),
    seconds: 11,
  },
  'with endless chunks': {
    bytes: [...head, 'transfer-encoding: chunked', '', '1\r\n{\r\n'].join('\r\n'),
    more: drip('1\r\n \r\n'),
    seconds: 11,
  },
}

test('closes connections of clients that do not finish a request, without delaying others', async (t) => {
  const talks = Object.entries(cases).flatMap(([what, { bytes, more }]) =>
    Array.from({ length: many }, async () => {
      const result = await sendRaw(service.base, bytes, { waitMs: 60_000, more })
      return { what, ...result }
    }),
  )
  const all = Promise.all(talks)
  const client = new Client(service.base, token)
  for (let asked = 0; asked < 10; asked++) {
    assert.equal((await client.get('/v1/whoami')).status, 200, 'other clients are served meanwhile')
  }
  for (const { what, statuses } of await all) {
    assert.ok(statuses.length === 0 || statuses.join() === '408', `${what}: ${statuses.join()}`)
  }
  for (const [what, { seconds: atMost }] of Object.entries(cases)) {
    const took = (await all).filter((each) => each.what === what).map(({ seconds }) => seconds)
    measure(t, `a client ${what}`, { value: Math.max(...took), atMost, unit: 's' })
  }
  assert.equal(service.process.exitCode, null)
})

import assert from 'node:assert/strict'

import { scopes } from '@muster/contract'

import { Client } from './client.ts'
import { startProcess } from './process.ts'
import { talk } from './raw.ts'
import { testOfTime } from './test-of-time.ts'
import { newWorkspace, startHost } from './workspace.ts'

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

/** The promise in seconds. On a busy machine the end of it may be noticed late. */
const late = 3
const cases = {
  'that says nothing': { bytes: '', more: null, seconds: 6 },
  'whose headers do not end': {
    bytes: 'GET /v1/whoami HTTP/1.1\r\nhost: x\r\n',
    more: drip('x: y\r\n'),
    seconds: 6,
  },
  'whose request line does not end': { bytes: 'GET /v1', more: drip('x'), seconds: 6 },
  'whose body does not end': {
    bytes: [...head, 'content-length: 60000', '', '{"name":"'].join('\r\n'),
    more: drip('x'),
    seconds: 11,
  },
  'whose chunks do not end': {
    bytes: [...head, 'transfer-encoding: chunked', '', '1\r\n{\r\n'].join('\r\n'),
    more: drip('1\r\n \r\n'),
    seconds: 11,
  },
}

testOfTime('clients that do not finish are cut off, and hold nobody else up', async (t) => {
  const talks = Object.entries(cases).flatMap(([what, { bytes, more, seconds }]) =>
    Array.from({ length: many }, async () => {
      const told = await talk(service.base, bytes, { waitMs: 20_000, more })
      return { what, allowed: seconds, ...told }
    }),
  )
  const all = Promise.all(talks)
  const client = new Client(service.base, token)
  for (let asked = 0; asked < 10; asked++) {
    assert.equal((await client.get('/v1/whoami')).status, 200, 'others are served meanwhile')
  }
  for (const { what, allowed, seconds, statuses } of await all) {
    assert.ok(seconds < allowed + late, `one ${what} stayed for ${seconds} s`)
    assert.ok(statuses.length === 0 || statuses.join() === '408', `${what}: ${statuses.join()}`)
  }
  for (const what of Object.keys(cases)) {
    const took = (await all).filter((each) => each.what === what).map(({ seconds }) => seconds)
    t.diagnostic(`one ${what}: ${Math.max(...took).toFixed(1)} s at most`)
  }
  assert.equal(service.process.exitCode, null)
})

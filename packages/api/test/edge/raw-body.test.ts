import assert from 'node:assert/strict'
import { test } from 'node:test'

import { scopes } from '@muster/contract'

import { Client } from '#test/support/client'
import { startProcess } from '#test/support/process'
import { newWorkspace, startHost } from '#test/support/workspace'

import { sendUnfinished, until } from './unfinished-body.ts'

const host = await startHost()
const { token } = await (await newWorkspace(host)).issue({ scopes })

test('chunks of one byte take no more memory than longer ones', async (t) => {
  const service = await startProcess(host.url)
  const client = new Client(service.base, token)
  for (let warm = 0; warm < 20; warm++) await client.get('/v1/whoami')
  const before = service.memory().now
  const chunks = 400_000
  const upload = sendUnfinished(service.base, {
    token,
    length: null,
    bytes: `${'1\r\n \r\n'.repeat(chunks)}1\r\n{\r\n0\r\n\r\n`,
  })
  await until('the response', () => upload.status() !== null)
  assert.match(upload.text(), /"code":"bad_json"/)
  const grown = (service.memory().peak - before) / 1e6
  t.diagnostic(`RSS grew ${grown.toFixed(0)} MB for a body of ${chunks} chunks`)
  assert.ok(grown <= 60, `RSS grew ${grown} MB`)
  upload.socket.destroy()
})

test('reads bodies with and without a length, of every size up to the limit', async () => {
  const client = new Client(host.base, token)
  const rows = JSON.stringify({ data: [{ name: 'Ada Lovelace' }] })
  for (const bytes of [rows.length, 4095, 4096, 65_536, 65_537, 1_000_000, 4 * 1024 ** 2]) {
    const body = rows.padEnd(bytes, ' ')
    assert.equal((await client.post('/v1/personnel/batch', body)).status, 200, `${bytes}`)
    const chunked = await fetch(new URL('/v1/personnel/batch', host.base), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: new Blob([body]).stream(),
      duplex: 'half',
    })
    assert.equal(chunked.status, 200, `${bytes} in chunks`)
  }
})

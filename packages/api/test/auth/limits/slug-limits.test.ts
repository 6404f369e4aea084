import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'

import { startHost } from '#test/support/workspace'

import { limited } from './limited.ts'

const host = await startHost()

test('limits unknown slugs exactly as unknown ids', async () => {
  const { base } = await limited(host, { failures: 5 }, { trustedProxies: ['127.0.0.1'] })
  const digits = () => randomBytes(25).toString('hex').slice(0, 25)
  const unknown = { '198.51.100.7': () => digits(), '198.51.100.8': () => `wsp_0${digits()}` }
  for (const [address, name] of Object.entries(unknown)) {
    const statuses: number[] = []
    for (let sent = 0; sent < 7; sent++) {
      const headers = { 'x-forwarded-for': address }
      statuses.push((await fetch(`${base}/sign-in/${name()}/methods`, { headers })).status)
    }
    assert.deepEqual(statuses, [404, 404, 404, 404, 404, 429, 429], address)
  }
})

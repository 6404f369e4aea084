import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { insertPeople } from '#test/support/bulk'
import { startProcess } from '#test/support/process'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost({ skipsDriftCheck: true })
const home = await newWorkspace(host)
await insertPeople(host.sql, home.uuid, 50_000)

test(
  'closes the connection of a client that reads less than 1 KiB a second',
  { timeout: 90_000 },
  async () => {
    const service = await startProcess(host.url)
    const { token } = await home.issue({ scopes: ['personnel.read'] })
    const headers = { authorization: `Bearer ${token}` }
    const reply = await new Promise<IncomingMessage>((resolve) => {
      get(new URL('/v1/personnel', service.base), { headers }, resolve)
    })
    reply.on('error', () => {})
    reply.pause()

    const began = performance.now()
    while (!service.log().includes('"is_complete":false')) {
      assert.ok(performance.now() - began < 60_000, 'the connection was never closed')
      await sleep(250)
    }
    const seconds = (performance.now() - began) / 1000
    assert.ok(seconds > 20, `closed after ${seconds} s, too early for a slow line`)
    reply.destroy()
  },
)

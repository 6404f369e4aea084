import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { freePort } from '@muster/testing/free-port'

import { Client } from '#test/support/client'
import { startProcess } from '#test/support/process'
import { newWorkspace, startHost } from '#test/support/workspace'

import { startDeployedHaproxy } from './haproxy.ts'

const host = await startHost()
const home = await newWorkspace(host)
const { token } = await home.issue({ scopes: ['personnel.manage'] })
const ports = [await freePort(), await freePort()]
const start = (port = 0) =>
  startProcess(host.url, { PORT: String(port), TRUSTED_PROXIES: '127.0.0.1' })
const [one] = [await start(ports[0]), await start(ports[1])]
const { base } = await startDeployedHaproxy(ports)
const client = new Client(base, token)

/** Waits until this many statements of the service wait for a lock. */
async function untilWaiting(count: number): Promise<void> {
  for (let tries = 0; ; tries++) {
    const { rows } = await host.sql.query(
      `select count(*)::integer as waiting from pg_locks
       where not granted and relation = 'muster.groups'::regclass`,
    )
    if (rows[0].waiting >= count) return
    assert.ok(tries < 200, `${rows[0].waiting} of ${count} statements wait`)
    await sleep(50)
  }
}

test('HAProxy repeats reads and keyed writes when a process dies', async () => {
  await host.sql.query('begin; lock table groups in access exclusive mode')
  const reads = [1, 2, 3, 4].map((limit) => client.get(`/v1/groups?limit=${limit}`))
  const writes = [1, 2, 3, 4].map((number) =>
    client.send('POST', '/v1/groups', {
      body: { name: `Group ${number}` },
      headers: { 'idempotency-key': `group-${number}` },
    }),
  )
  const unkeyed = client.send('POST', '/v1/groups', { body: { name: 'Unkeyed' } })
  await untilWaiting(9)

  one.process.kill('SIGKILL')
  await sleep(500)
  await host.sql.query('rollback')

  for (const read of reads) assert.equal((await read).status, 200)
  for (const write of writes) assert.equal((await write).status, 201)
  // A write without a key is not repeated: it succeeded once on the other process, or it failed.
  assert.ok([201, 502].includes((await unkeyed).status))
  const { rows } = await host.sql.query('select name, count(*)::integer from groups group by name')
  for (const { name, count } of rows) assert.equal(count, 1, name)
  assert.ok(rows.length >= writes.length)
})

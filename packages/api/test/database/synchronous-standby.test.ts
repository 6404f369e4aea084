import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Reply } from '#test/support/client'
import { startOwnPostgres } from '#test/support/own-postgres'
import { newWorkspace, startHost } from '#test/support/workspace'

/** A server whose synchronous standby is away: its writes wait in COMMIT. */
const { url } = await startOwnPostgres()
const host = await startHost({ url })
const home = await newWorkspace(host)
const manager = await home.manager()
const { body: person } = await manager.post('/v1/personnel', { name: 'Kim' })

/** ALTER SYSTEM cannot run with other statements. */
async function alter(setting: string): Promise<void> {
  await host.sql.query(`alter system ${setting}`)
  await host.sql.query('select pg_reload_conf()')
}

/** The COMMIT of a keyed request, which has an advisory lock; not the last use of its API key. */
const isWaiting = `wait_event = 'SyncRep'
  and pid in (select pid from pg_locks where locktype = 'advisory' and granted)`

/** Waits until the COMMIT of the request waits for the standby. */
async function untilItWaits(request: Promise<Reply>): Promise<void> {
  let reply: Reply | null = null
  void request.then((received) => (reply = received))
  for (let tries = 0; tries < 600; tries++) {
    const { rowCount } = await host.sql.query(`select from pg_stat_activity where ${isWaiting}`)
    if (rowCount === 1) return
    assert.equal(reply, null, 'there is no response before the standby has the write')
    await sleep(50)
  }
  assert.fail('no COMMIT waits within 30 s')
}

const endTheWait = () =>
  host.sql.query(`select pg_cancel_backend(pid) from pg_stat_activity where ${isWaiting}`)

/** A numbered write, and one without a number. The URL of a link is not stored for a replay. */
const requests = [
  { name: 'a person', path: '/v1/personnel', body: { name: 'Robin' }, repeated: 201 },
  {
    name: 'a sign-in link',
    path: `/v1/personnel/${person.id}/sign-in-links`,
    body: { purpose: 'sign_in' },
    repeated: 409,
  },
]

for (const { name, path, body, repeated } of requests) {
  test(`${name}: a repeated request waits for the standby, like the first`, async () => {
    const send = () => manager.post(path, body, { 'idempotency-key': name.replaceAll(' ', '-') })
    await alter(`set synchronous_standby_names = 'away'`)
    for (const attempt of ['first', 'second']) {
      const request = send()
      await untilItWaits(request)
      await endTheWait()
      const { status, body: problem } = await request
      assert.equal(`${status} ${problem.code}`, '503 commit_in_doubt', attempt)
    }
    const last = send()
    await untilItWaits(last)
    await alter('reset synchronous_standby_names')
    assert.equal((await last).status, repeated)
  })
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { limits, scopes } from '@muster/contract'

import { readToken } from '#domain/auth/token'
import { type Browser, outcome, signIn, tokenOf } from '#test/auth/browser'
import { addPerson, signInByLink } from '#test/auth/people'
import { untilQuiet } from '#test/support/statements'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()
const look = async (who: Browser) => outcome(await who.get('/v1/scale'))
const hashOf = (browser: Browser) => readToken(tokenOf(browser), 'session')?.hash

/** Moves the start and the last use of a session into the past. */
async function leaveIdle(browser: Browser, hours: number, isUsed = true): Promise<void> {
  await untilQuiet()
  const past = 'now() - make_interval(hours => $2)'
  await host.sql.query(
    `update sessions set created_at = ${past}, last_used_at = ${isUsed ? past : 'null'}
     where hash = $1`,
    [hashOf(browser), hours],
  )
}

const setIdleHours = async (hours: number) => {
  const body = { policies: { session_idle_hours: hours } }
  assert.equal(outcome(await manager.send('PATCH', '/v1/workspace', { body })), '200')
}

const { default: usual } = limits.sessionIdleHours

test('refuses a session that was not used for 72 hours, and lists it no longer', async () => {
  const userId = await addPerson(manager, { role: 'reader' })
  const [idle, used] = [await signInByLink(manager, userId), await signInByLink(manager, userId)]
  assert.equal(usual, 72)
  await leaveIdle(idle, usual - 1)
  assert.equal(await look(idle), '200')
  await leaveIdle(idle, usual)
  assert.equal(await look(idle), '401 session_ended')
  const { data } = (await used.get('/v1/sessions')).body
  assert.equal(data.length, 1)
  const start = data[0].last_used_at ?? data[0].created_at
  assert.equal(Date.parse(data[0].idle_expires_at) - Date.parse(start), usual * 3_600_000)
  const shown = await manager.get(`/v1/personnel/${userId}/sessions`)
  assert.deepEqual(shown.body.data.length, 1)
})

test('a session that was never used is idle since its start', async () => {
  const browser = await signInByLink(manager, await addPerson(manager, { role: 'reader' }))
  await leaveIdle(browser, usual, false)
  assert.equal(await look(browser), '401 session_ended')
})

test('the policy applies to existing sessions at once', async () => {
  const browser = await signInByLink(manager, await addPerson(manager, { role: 'reader' }))
  await leaveIdle(browser, 2)
  await setIdleHours(2)
  assert.equal(await look(browser), '401 session_ended')
  await setIdleHours(3)
  assert.equal(await look(browser), '200')
  await setIdleHours(usual)
})

test('a session of a key ends by its own inactivity, whatever uses the key', async () => {
  const { token } = await home.issue({ scopes })
  const [idle, used] = [await signIn(host.base, token), await signIn(host.base, token)]
  await leaveIdle(idle, usual)
  await leaveIdle(used, usual - 1)
  assert.equal(await look(used), '200')
  assert.equal(await look(idle), '401 session_ended')
  await untilQuiet()
  const { rows } = await host.sql.query(
    `select last_used_at > now() - interval '1 minute' as is_new from sessions where hash = $1`,
    [hashOf(used)],
  )
  assert.deepEqual(rows, [{ is_new: true }])
})

test('a request that waits is one use of its session, however long it waits', async () => {
  const browser = await signInByLink(manager, await addPerson(manager, { role: 'reader' }))
  const waiting = browser.get('/v1/events?after=now', { prefer: 'wait=20' })
  await sleep(500)
  await host.sql.query(
    `update sessions set last_used_at = now() - interval '10 hours' where hash = $1`,
    [hashOf(browser)],
  )
  await addPerson(manager, { role: 'reader' })
  assert.equal((await waiting).body.count > 0, true)
  await untilQuiet()
  const { rows } = await host.sql.query(
    `select last_used_at < now() - interval '9 hours' as is_old from sessions where hash = $1`,
    [hashOf(browser)],
  )
  assert.deepEqual(rows, [{ is_old: true }])
})

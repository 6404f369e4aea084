import assert from 'node:assert/strict'
import { test } from 'node:test'

import { uuidOf } from '#storage/values/id'
import type { Browser } from '#test/auth/browser'
import { signIn } from '#test/auth/browser'
import { addPerson, signInByLink } from '#test/auth/people'
import { untilQuiet } from '#test/support/statements'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()

async function previousVisit(browser: Browser): Promise<string | null> {
  const { status, body, text } = await browser.get('/v1/whoami')
  assert.equal(status, 200, text)
  return body.previous_visit_at
}

/** Moves the last visit of a person into the past, as if the browser had been idle since. */
async function leave(userId: string, hours: number): Promise<string> {
  await untilQuiet()
  const time = new Date(Date.now() - hours * 3_600_000).toISOString()
  const values = [uuidOf(userId), time]
  await host.sql.query('update visits set last_at = $2 where user_id = $1', values)
  await host.sql.query(
    'update sessions set created_at = $2, last_used_at = $2 where user_id = $1',
    values,
  )
  return time
}

test('a session states the last use before it, and keeps it', async () => {
  const userId = await addPerson(manager, { role: 'reader' })
  const first = await signInByLink(manager, userId)
  assert.equal(await previousVisit(first), null)
  const left = await leave(userId, 5)
  const second = await signInByLink(manager, userId)
  assert.equal(await previousVisit(second), left)
  await second.get('/v1/risks')
  await untilQuiet()
  assert.equal(await previousVisit(second), left)
  assert.equal(await previousVisit(first), null)
})

test('a visit is known after its session has ended', async () => {
  const userId = await addPerson(manager, { role: 'reader' })
  const first = await signInByLink(manager, userId)
  await first.get('/v1/risks')
  const left = await leave(userId, 3)
  assert.equal((await first.send('DELETE', '/session')).status, 204)
  assert.equal(await previousVisit(await signInByLink(manager, userId)), left)
})

test('the use of an earlier session counts, also without a record of visits', async () => {
  const userId = await addPerson(manager, { role: 'reader' })
  await signInByLink(manager, userId)
  const left = await leave(userId, 2)
  await host.sql.query('delete from visits where user_id = $1', [uuidOf(userId)])
  assert.equal(await previousVisit(await signInByLink(manager, userId)), left)
})

test('keys, and sessions of keys, have no visits', async () => {
  assert.equal((await manager.get('/v1/whoami')).body.previous_visit_at, null)
  const { token } = await home.issue({ scopes: ['projects.read'] })
  assert.equal(await previousVisit(await signIn(host.base, token)), null)
})

test('an erased person has no visit', async () => {
  const userId = await addPerson(manager, { role: 'reader' })
  const browser = await signInByLink(manager, userId)
  await browser.get('/v1/risks')
  await untilQuiet()
  const visits = async () =>
    (await host.sql.query('select from visits where user_id = $1', [uuidOf(userId)])).rowCount
  assert.equal(await visits(), 1)
  await manager.post(`/v1/personnel/${userId}/depart`, {})
  const erased = await manager.post(`/v1/personnel/${userId}/erase`, { confirm: userId })
  assert.equal(erased.status, 200, erased.text)
  assert.equal(await visits(), 0)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { limits } from '@muster/contract'

import { readToken } from '#domain/auth/token'
import { uuidOf } from '#storage/values/id'
import { Browser, isStored, outcome, tokenOf } from '#test/auth/browser'
import { addPerson, newLink, signedIn, signInByLink } from '#test/auth/people'
import { Client, type Json } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()
const look = async (who: Client) => outcome(await who.get('/v1/scale'))
const idsOf = ({ body }: Json) => body.data.map(({ id }: Json) => id)

async function endings(userId: string): Promise<Json[]> {
  const { rows } = await host.sql.query(
    `select actor_type, subject_id, reason, network, user_agent from audit_entries
     where user_id = $1 and type = 'session.ended' order by occurred_at, id`,
    [uuidOf(userId)],
  )
  return rows
}

test('lists the sessions of the person who is signed in, newest first', async () => {
  const userId = await addPerson(manager, { role: 'reader' })
  const first = await signInByLink(manager, userId)
  const { path, token } = await newLink(manager, userId)
  const agent = { 'user-agent': 'Firefox/150.0' }
  const reply = await new Browser(host.base, '').post(path, { token }, agent)
  const second = signedIn(host.base, reply)
  const { body } = await second.get('/v1/sessions')
  const [newest, oldest] = body.data
  assert.equal(body.data.length, 2)
  assert.deepEqual([newest.is_current, oldest.is_current], [true, false])
  assert.deepEqual([newest.user_id, newest.method], [userId, 'link'])
  assert.deepEqual([newest.network, newest.user_agent], ['127.0.0.0/24', 'Firefox/150.0'])
  assert.equal(newest.expires_at, reply.body.expires_at)
  const own = await first.get('/v1/whoami')
  assert.equal(own.body.session.id, oldest.id)
})

test('ends one session, and refuses its next request', async () => {
  const userId = await addPerson(manager, { role: 'reader' })
  const [kept, lost] = [await signInByLink(manager, userId), await signInByLink(manager, userId)]
  const { id } = (await lost.get('/v1/whoami')).body.session
  const ended = await kept.send('DELETE', `/v1/sessions/${id}`)
  assert.equal(ended.status, 200, ended.text)
  assert.equal(ended.body.data.length, 1)
  assert.deepEqual([await look(kept), await look(lost)], ['200', '401 session_ended'])
  assert.equal(outcome(await kept.send('DELETE', `/v1/sessions/${id}`)), '404 not_found')
  const [entry] = await endings(userId)
  assert.deepEqual([entry.actor_type, entry.subject_id], ['person', id])
  assert.equal(entry.network, '127.0.0.0/24')
})

test('repeats the end of a session for the same Idempotency-Key', async () => {
  const userId = await addPerson(manager, { role: 'reader' })
  const [kept, lost] = [await signInByLink(manager, userId), await signInByLink(manager, userId)]
  const { id } = (await lost.get('/v1/whoami')).body.session
  const headers = { 'idempotency-key': 'end' }
  const send = () => kept.send('DELETE', `/v1/sessions/${id}`, { headers })
  const [first, again] = [await send(), await send()]
  assert.equal(first.status, 200)
  assert.equal(again.text, first.text)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal((await endings(userId)).length, 1)
})

test('a person sees and ends only their own sessions', async () => {
  const [mine, theirs] = [
    await signInByLink(manager, await addPerson(manager, { role: 'admin' })),
    await signInByLink(manager, await addPerson(manager, { role: 'reader' })),
  ]
  const { id } = (await theirs.get('/v1/whoami')).body.session
  assert.ok(!idsOf(await mine.get('/v1/sessions')).includes(id))
  assert.equal(outcome(await mine.send('DELETE', `/v1/sessions/${id}`)), '404 not_found')
  assert.equal(await look(theirs), '200')
  assert.equal(outcome(await manager.get('/v1/sessions')), '404 not_a_person')
})

test('an administrator lists and ends all sessions of a person', async () => {
  const userId = await addPerson(manager, { role: 'admin' })
  const browsers = [await signInByLink(manager, userId), await signInByLink(manager, userId)]
  const other = await signInByLink(manager, await addPerson(manager, { role: 'reader' }))
  const clerk = await home.key('workspace.manage')
  const listed = await clerk.get(`/v1/personnel/${userId}/sessions`)
  assert.equal(listed.body.data.length, 2)
  assert.deepEqual(
    listed.body.data.map(({ is_current }: Json) => is_current),
    [false, false],
  )
  const ended = await clerk.post(`/v1/personnel/${userId}/end-sessions`, {})
  assert.equal(ended.status, 200, ended.text)
  assert.deepEqual(ended.body, { data: [] })
  for (const browser of browsers) assert.equal(await look(browser), '401 session_ended')
  assert.equal(await look(other), '200')
  await clerk.post(`/v1/personnel/${userId}/end-sessions`, {})
  const entries = await endings(userId)
  assert.deepEqual(
    entries.map(({ actor_type, reason }) => [actor_type, reason]),
    [['key', 'all_ended_by_administrator']],
  )
})

test('finds the sessions of people of the own workspace only', async () => {
  const elsewhere = await newWorkspace(host)
  const theirs = await elsewhere.manager()
  const userId = await addPerson(theirs, { role: 'reader' })
  const browser = await signInByLink(theirs, userId)
  const path = `/v1/personnel/${userId}`
  assert.equal(outcome(await manager.get(`${path}/sessions`)), '404 not_found')
  assert.equal(outcome(await manager.post(`${path}/end-sessions`, {})), '404 not_found')
  const { id } = (await browser.get('/v1/whoami')).body.session
  const mine = await signInByLink(manager, await addPerson(manager, { role: 'reader' }))
  assert.equal(outcome(await mine.send('DELETE', `/v1/sessions/${id}`)), '404 not_found')
  assert.equal(await look(browser), '200')
})

test('does not list expired sessions', async () => {
  const userId = await addPerson(manager, { role: 'reader' })
  const [browser, old] = [await signInByLink(manager, userId), await signInByLink(manager, userId)]
  await host.sql.query('update sessions set expires_at = now() where hash = $1', [
    readToken(tokenOf(old), 'session')?.hash,
  ])
  assert.equal((await browser.get('/v1/sessions')).body.data.length, 1)
})

test('records the sign-out of a person', async () => {
  const userId = await addPerson(manager, { role: 'reader' })
  const browser = await signInByLink(manager, userId)
  const { id } = (await browser.get('/v1/whoami')).body.session
  assert.equal(outcome(await browser.send('DELETE', '/session')), '204')
  assert.equal(await isStored(host.sql, browser), false)
  const [entry] = await endings(userId)
  assert.deepEqual([entry.actor_type, entry.subject_id, entry.reason], ['person', id, 'signed_out'])
})

test('a suspension ends the sessions of a person, and a resumption does not restore them', async () => {
  const userId = await addPerson(manager, { role: 'reader' })
  const browser = await signInByLink(manager, userId)
  await manager.post(`/v1/personnel/${userId}/suspend`, {})
  assert.equal(await look(browser), '401 session_ended')
  await manager.post(`/v1/personnel/${userId}/resume`, {})
  assert.equal(await look(browser), '401 session_ended')
  assert.equal(await look(await signInByLink(manager, userId)), '200')
})

test('takes no sequence number', async () => {
  const userId = await addPerson(manager, { role: 'reader' })
  const count = 'select seq from workspace_counters where workspace_id = $1'
  const before = await host.sql.query(count, [home.uuid])
  await signInByLink(manager, userId)
  await manager.post(`/v1/personnel/${userId}/end-sessions`, {})
  assert.deepEqual((await host.sql.query(count, [home.uuid])).rows, before.rows)
})

test('ends the oldest session of a person beyond the limit', async () => {
  const userId = await addPerson(manager, { role: 'reader' })
  const [first, second] = [await signInByLink(manager, userId), await signInByLink(manager, userId)]
  await host.sql.query(
    `insert into sessions (workspace_id, hash, id, user_id, method, authenticated_at, created_at,
       expires_at)
     select $1, sha256($2::uuid::text::bytea || n::text::bytea), gen_random_uuid(), $2, 'link',
       now(), now() + interval '1 second', now() + interval '1 day'
     from generate_series(3, $3::int) as n`,
    [home.uuid, uuidOf(userId), limits.sessionsPerPersonMax],
  )
  assert.deepEqual([await look(first), await look(second)], ['200', '200'])
  const newest = await signInByLink(manager, userId)
  assert.deepEqual([await look(first), await look(second)], ['401 session_ended', '200'])
  const { data } = (await newest.get('/v1/sessions')).body
  assert.equal(data.length, limits.sessionsPerPersonMax)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { scopes } from '@muster/contract'

import { Browser, isStored, outcome } from '#test/auth/browser'
import { addPerson, signInPerson } from '#test/auth/people'
import { Client } from '#test/support/client'
import { startProcess } from '#test/support/process'
import { size } from '#test/support/size'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()
const adminId = await addPerson(manager, { name: 'Ada Admin', role: 'admin' })
const admin = await signInPerson(host, home, adminId)

test('whoami describes a person, their roles and their session', async () => {
  const { body } = await admin.get('/v1/whoami')
  assert.deepEqual(body.principal, { type: 'person', id: adminId, user_id: adminId })
  assert.equal(body.key, null)
  assert.deepEqual(body.person, { user_id: adminId, name: 'Ada Admin', email: null })
  assert.deepEqual(body.roles, ['admin'])
  assert.deepEqual(body.scopes, scopes)
  assert.equal(body.session.method, 'link')
})

test('a person sees themselves and their work; a service key does not', async () => {
  const own = await admin.get('/v1/personnel/me')
  assert.equal(own.body.id, adminId)
  const project = (await manager.post('/v1/projects', { code: 'ME', name: 'Mine' })).body.id
  const risk = { title: 'Mine', likelihood: 3, impact: 3, owner_user_id: adminId }
  await manager.post(`/v1/projects/${project}/risks`, risk)
  const { body } = await admin.get('/v1/personnel/me/assignments')
  assert.deepEqual(
    body.data.map((each: { title: string }) => each.title),
    ['Mine'],
  )
  const other = await signInPerson(host, home, await addPerson(manager, { role: 'reader' }))
  assert.deepEqual((await other.get('/v1/personnel/me/assignments')).body.data, [])
  for (const path of ['/v1/personnel/me', '/v1/personnel/me/assignments', '/v1/sessions']) {
    assert.equal(outcome(await manager.get(path)), '404 not_a_person')
  }
})

test('history names the person with include=people, and only then', async () => {
  const group = (await admin.post('/v1/groups', { name: 'By a person' })).body.id
  const made = await admin.post('/v1/personnel', { name: 'Made by a person' })
  assert.ok(group)
  const path = `/v1/personnel/${made.body.id}/history`
  const actor = { type: 'person', id: adminId, user_id: adminId, name: null }
  assert.deepEqual((await manager.get(path)).body.data[0].actor, actor)
  const named = await manager.get(`${path}?include=people`)
  assert.equal(named.body.data[0].actor.name, 'Ada Admin')
  const etag = named.headers.get('etag') ?? ''
  await manager.send('PATCH', `/v1/personnel/${adminId}`, { body: { name: 'Renamed' } })
  const again = await manager.get(`${path}?include=people`, { 'if-none-match': etag })
  assert.equal(again.body.data[0].actor.name, 'Renamed')
  await manager.send('PATCH', `/v1/personnel/${adminId}`, { body: { name: 'Ada Admin' } })
})

test('a service key names a person who is responsible, never as the author', async () => {
  const userId = await addPerson(manager)
  const input = { name: 'Sync', scopes: ['personnel.manage'], responsible_user_id: userId }
  const made = await manager.post('/v1/keys', input)
  assert.equal(made.body.responsible_user_id, userId)
  const key = new Client(host.base, made.body.secret)
  const person = await key.post('/v1/personnel', { name: 'By the sync' })
  const { body } = await manager.get(`/v1/personnel/${person.body.id}/history?include=people`)
  assert.equal(body.data[0].actor.user_id, null)
  assert.equal(body.data[0].actor.name, null)
  const unknown = { ...input, responsible_user_id: 'usr_01ktrr9d3hen4v9q9t9m2g8x5c' }
  assert.equal(outcome(await manager.post('/v1/keys', unknown)), '422 unknown_reference')
  const change = { body: { responsible_user_id: null } }
  const changed = await manager.send('PATCH', `/v1/keys/${made.body.id}`, change)
  assert.equal(changed.body.responsible_user_id, null)
})

test('operations that give access need a recent sign-in', async () => {
  const own = await signInPerson(host, home, adminId)
  const requests: [string, string, object][] = [
    ['POST', '/v1/keys', { name: 'New', scopes: ['personnel.read'] }],
    ['POST', '/v1/personnel/me/keys', { name: 'New', scopes: ['personnel.read'] }],
  ]
  for (const [method, path, body] of requests) {
    assert.ok((await own.send(method, path, { body })).status < 300, path)
  }
  await host.sql.query(
    `update sessions set authenticated_at = now() - interval '11 minutes' where user_id is not null`,
  )
  for (const [method, path, body] of requests) {
    const reply = await own.send(method, path, { body })
    assert.equal(outcome(reply), '403 reauthentication_required', path)
  }
  assert.equal(outcome(await own.get('/v1/access')), '200')
  await host.sql.query('update sessions set authenticated_at = now() where user_id is not null')
})

test('suspension and departure end a session at once, in two processes', async () => {
  const [one, two] = await Promise.all([startProcess(host.url), startProcess(host.url)])
  const look = async (who: Client) => outcome(await who.get('/v1/whoami'))
  for (let round = 0; round < size(50, 500); round++) {
    const userId = await addPerson(manager)
    const here = await signInPerson({ owner: host.owner, base: one.base }, home, userId)
    const there = new Browser(two.base, here.cookie)
    assert.deepEqual(await Promise.all([look(here), look(there)]), ['200', '200'])
    // Requests in flight during the suspension may succeed; none that is sent after its response.
    const inFlight = [look(here), look(there), look(here), look(there)]
    const verb = round % 2 === 0 ? 'suspend' : 'depart'
    await new Client(round % 4 < 2 ? one.base : two.base, manager.token).post(
      `/v1/personnel/${userId}/${verb}`,
      {},
    )
    const after = await Promise.all([look(here), look(there)])
    assert.deepEqual(after, ['401 session_ended', '401 session_ended'])
    for (const each of await Promise.all(inFlight)) {
      assert.ok(['200', '401 session_ended'].includes(each), each)
    }
    assert.equal(await isStored(host.sql, here), false)
  }
})

test('a suspended person cannot start a session', async () => {
  const userId = await addPerson(manager, { role: 'reader' })
  await manager.post(`/v1/personnel/${userId}/suspend`, {})
  await assert.rejects(signInPerson(host, home, userId), /the person is active/)
})

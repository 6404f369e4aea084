import assert from 'node:assert/strict'
import { test } from 'node:test'

import { outcome } from '#test/auth/browser'
import { addPerson, giveRole, signInPerson } from '#test/auth/people'
import { Client } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()

test('a personal key has its scopes that the roles of its person also have', async () => {
  const userId = await addPerson(manager, { role: 'manager' })
  const person = await signInPerson(host, home, userId)
  const input = { name: 'Script', scopes: ['projects.manage', 'personnel.manage'] }
  const made = await person.post('/v1/personnel/me/keys', input)
  assert.equal(made.status, 201, made.text)
  assert.equal(made.body.user_id, userId)
  const key = new Client(host.base, made.body.secret)
  const held = async () => (await key.get('/v1/whoami')).body.scopes
  const all = ['personnel.read', 'personnel.manage', 'projects.read', 'projects.manage']
  assert.deepEqual(await held(), all)
  await giveRole(manager, { role: 'reader', user_id: userId })
  assert.deepEqual(await held(), ['personnel.read', 'projects.read'])
  assert.equal(outcome(await key.post('/v1/personnel', { name: 'X' })), '403 insufficient_scope')
  await giveRole(manager, { role: 'contributor', user_id: userId })
  const project = await key.post('/v1/projects', { code: 'PK', name: 'By a key' })
  const { body } = await manager.get(`/v1/projects/${project.body.id}/history?include=keys`)
  const actor = { type: 'key', id: made.body.id, user_id: userId, name: 'Script' }
  assert.deepEqual(body.data[0].actor, actor)
  await manager.post(`/v1/personnel/${userId}/suspend`, {})
  assert.equal(outcome(await key.get('/v1/whoami')), '401 person_not_active')
  await manager.post(`/v1/personnel/${userId}/resume`, {})
  assert.equal(outcome(await key.get('/v1/whoami')), '200')
  await manager.post(`/v1/personnel/${userId}/depart`, {})
  assert.equal(outcome(await key.get('/v1/whoami')), '401 key_revoked')
})

test('only the person creates and revokes a personal key, in a session', async () => {
  const userId = await addPerson(manager, { role: 'contributor' })
  const person = await signInPerson(host, home, userId)
  const input = { name: 'Own', scopes: ['projects.read'] }
  const made = (await person.post('/v1/personnel/me/keys', input)).body
  const key = new Client(host.base, made.secret)
  assert.equal(outcome(await key.post('/v1/personnel/me/keys', input)), '403 session_required')
  assert.equal(outcome(await manager.post('/v1/personnel/me/keys', input)), '404 not_a_person')
  const more = { name: 'More', scopes: ['keys.manage'] }
  assert.equal(outcome(await person.post('/v1/personnel/me/keys', more)), '403 insufficient_scope')
  const rotated = await manager.post(`/v1/keys/${made.id}/rotate`, {})
  assert.equal(outcome(rotated), '403 beyond_your_rights', 'no other person gets its secret')
  const other = await signInPerson(host, home, await addPerson(manager, { role: 'admin' }))
  const foreign = `/v1/personnel/me/keys/${made.id}/revoke`
  assert.equal(outcome(await other.post(foreign, {})), '404 not_found')
  const listed = (await person.get('/v1/personnel/me/keys')).body.data
  assert.deepEqual(
    listed.map((each: { id: string }) => each.id),
    [made.id],
  )
  assert.equal(outcome(await person.post(foreign, {})), '200')
  assert.equal(outcome(await key.get('/v1/whoami')), '401 key_revoked')
  assert.deepEqual((await person.get('/v1/personnel/me/keys')).body.data, [])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { scopes } from '@muster/contract'

import type { KeyWish } from '#domain/key'

import { Client, type Json } from './client.ts'
import { told } from './console.ts'
import { newWorkspace, startHost } from './workspace.ts'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()
const holding = (secret: string) => new Client(host.base, secret)

const patch = (client: Client, id: string, body: object) =>
  client.send('PATCH', `/v1/keys/${id}`, { body })
const create = (client: Client, fields: object = {}) =>
  client.post('/v1/keys', { name: 'Made', scopes: ['keys.read'], ...fields })
const rotate = (client: Client, id: string, body: object = {}) =>
  client.post(`/v1/keys/${id}/rotate`, body)

async function made(fields: object = {}): Promise<Json> {
  const reply = await create(manager, fields)
  assert.equal(reply.status, 201, reply.text)
  return reply.body
}

/** A client whose own key holds every scope, unless the wish says otherwise. */
async function caller(wish: Partial<KeyWish>) {
  const { id, token } = await home.issue({ scopes, ...wish })
  return { id, token, client: holding(token) }
}

test('changing a key needs every scope that the key holds', async () => {
  const { client: lesser } = await caller({ scopes: ['keys.manage', 'personnel.manage'] })
  const wider = await made({ scopes: ['personnel.read', 'projects.manage'] })
  for (const body of [{ name: 'Renamed' }, { allowed_cidrs: ['10.9.9.9/32'] }, {}]) {
    const refused = await patch(lesser, wider.id, body)
    assert.equal(told(refused), '403 insufficient_scope')
    assert.equal(refused.body.required_scope, 'projects.manage')
    assert.match(refused.body.detail, /Use a key that holds projects\.manage, or revoke this key\./)
  }
  const rotated = await rotate(lesser, wider.id)
  assert.equal(told(rotated), '403 insufficient_scope')
  const { secret: _, ...before } = wider
  assert.deepEqual((await manager.get(`/v1/keys/${wider.id}`)).body, before, 'nothing changed')

  const lesserKey = await made({ scopes: ['personnel.read', 'keys.read'] })
  assert.equal((await patch(lesser, lesserKey.id, { name: 'Renamed' })).status, 200)
  assert.equal((await lesser.post(`/v1/keys/${wider.id}/revoke`, {})).status, 200)
})

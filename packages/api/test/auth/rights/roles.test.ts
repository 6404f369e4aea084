import assert from 'node:assert/strict'
import { test } from 'node:test'

import { everyOperation, isGranted, type Operation, roleNames, roleScopes } from '@muster/contract'

import { outcome } from '#test/auth/browser'
import { addPerson, signInPerson } from '#test/auth/people'
import { Client } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()

/** Authorization comes before validation: with this parameter a request changes nothing. */
const send = (who: Client, { method, path }: Operation) =>
  who.send(method, `${path.replaceAll(/\{\w+\}/g, 'x')}?not_a_parameter=1`)

const accepted = '400 unknown_parameter'

for (const role of roleNames) {
  const expectedOf = ({ scope }: Operation) =>
    isGranted(roleScopes[role], scope) ? accepted : '403 insufficient_scope'

  test(`${role}: a session may use exactly the operations of the role`, async () => {
    const person = await signInPerson(host, home, await addPerson(manager, { role }))
    for (const { name, operation } of everyOperation()) {
      assert.equal(outcome(await send(person, operation)), expectedOf(operation), name)
    }
  })

  test(`${role}: a personal key has at most the operations of the role`, async () => {
    const userId = await addPerson(manager, { role: 'admin' })
    const person = await signInPerson(host, home, userId)
    const input = { name: 'All', scopes: (await person.get('/v1/whoami')).body.scopes }
    const { body } = await person.post('/v1/personnel/me/keys', input)
    const list = (await manager.get('/v1/access')).body
    const entries = list.entries.map((each: { user_id: string }) =>
      each.user_id === userId ? { ...each, role } : each,
    )
    await manager.send('PUT', '/v1/access', { body: { entries } })
    const key = new Client(host.base, body.secret)
    for (const { name, operation } of everyOperation()) {
      const expected = operation.session === 'only' ? '403 session_required' : expectedOf(operation)
      assert.equal(outcome(await send(key, operation)), expected, name)
    }
  })
}

test('a service key may use no operation of people', async () => {
  for (const { name, operation } of everyOperation()) {
    const expected = operation.scope === 'person' ? '404 not_a_person' : accepted
    assert.equal(outcome(await send(manager, operation)), expected, name)
  }
})

test('a person without a role may use the operations that need no scope', async () => {
  const person = await signInPerson(host, home, await addPerson(manager))
  for (const { name, operation } of everyOperation()) {
    const isFree = isGranted([], operation.scope)
    const expected = isFree ? accepted : '403 insufficient_scope'
    assert.equal(outcome(await send(person, operation)), expected, name)
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { isGranted, type Quota, quotas, type Scope, scopes } from '@muster/contract'

import { outcome } from '#test/auth/browser'
import { Client } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

import { bindKey, fillProject } from './bound-keys.ts'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()
const newPerson = async () => (await manager.post('/v1/personnel', { name: 'Any' })).body.id
const hidden = await fillProject(manager, {
  code: 'HID',
  about: 'hidden',
  userId: await newPerson(),
})
const shown = await fillProject(manager, { code: 'SEE', about: 'shown', userId: await newPerson() })

const withScopes = async (granted: readonly Scope[]) =>
  new Client(host.base, (await home.issue({ scopes: granted })).token)

test('whoami counts what the caller may list, and nothing else', async () => {
  const counts = (await manager.get('/v1/whoami')).body.usage
  const names = Object.keys(quotas) as Quota[]
  for (const scope of [null, ...scopes]) {
    const granted = scope === null ? [] : [scope]
    const { body } = await (await withScopes(granted)).get('/v1/whoami')
    for (const name of names) {
      const isShown = isGranted(granted, 'workspace.read') || isGranted(granted, quotas[name].scope)
      assert.equal(body.usage[name] !== null, isShown, `${scope} ${name}`)
    }
  }
  assert.equal(counts.projects, 2)
  const { client } = await bindKey(manager, [shown.id])
  const { usage } = (await client.get('/v1/whoami')).body
  for (const name of names) {
    const isOfProjects = quotas[name].scope === 'projects.read'
    const isShown = !isOfProjects && isGranted(['personnel.read'], quotas[name].scope)
    assert.equal(usage[name] !== null, isShown, name)
  }
})

test('a departure counts the work that the caller may see, and says that there is other work', async () => {
  const depart = async (who: Client, body: object) => {
    const userId = await newPerson()
    await manager.send('PATCH', `/v1/projects/${hidden.id}`, { body: { owner_user_id: userId } })
    return who.post(`/v1/personnel/${userId}/depart`, body)
  }
  const directory = await withScopes(['personnel.manage'])
  const { body } = await depart(directory, {})
  assert.deepEqual(new Set(Object.values(body.open_assignments)), new Set([0]))
  assert.equal(body.elsewhere, true)
  const refused = await depart(directory, { if_assigned: 'fail' })
  assert.equal(outcome(refused), '409 has_open_assignments')
  assert.deepEqual(new Set(Object.values(refused.body.open_assignments)), new Set([0]))
  assert.equal(refused.body.elsewhere, true)
  const full = (await depart(manager, {})).body
  assert.equal(full.open_assignments.projects, 1)
  assert.equal(full.elsewhere, false)
  const free = await newPerson()
  const empty = await directory.post(`/v1/personnel/${free}/depart`, { if_assigned: 'fail' })
  assert.equal(empty.body.elsewhere, false)
})

test('a taken code names its project only to a caller who may read it', async () => {
  const create = (who: Client) => who.post('/v1/projects', { code: 'HID', name: 'Again' })
  const named = await create(manager)
  assert.equal(outcome(named), '409 project_code_taken')
  assert.equal(named.body.conflicting_id, hidden.id)
  const { client } = await bindKey(manager, [shown.id])
  const refused = await create(client)
  assert.equal(outcome(refused), '403 beyond_your_rights')
  assert.ok(!refused.text.includes(hidden.id))
})

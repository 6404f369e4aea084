import assert from 'node:assert/strict'
import { test } from 'node:test'

import { isGranted, type Operation, operations } from '@muster/contract'

import { outcome } from '#test/auth/browser'
import type { Client } from '#test/support/client'
import { createFixtureFor, type Fixture, newExampleFor } from '#test/support/fixture'
import { keyOperations } from '#test/support/operations'
import { newWorkspace, startHost } from '#test/support/workspace'

import { bindKey, everyBoundScope } from './bound-keys.ts'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()
const other = (await manager.post('/v1/projects', { code: 'OTHER', name: 'Other' })).body.id
const unknown = 'prj_01ktrr9d3hen4v9q9t9m2g8x5d'

const isInProject = ({ path }: Operation) => path.includes('{project_id}')

/** What a bound key gets, from the contract alone. */
function expected(operation: Operation, isInside: boolean): string {
  if (!isGranted(everyBoundScope, operation.scope)) return '403 insufficient_scope'
  if (operation === operations.projects.create) return '403 beyond_your_rights'
  if (operation === operations.projects.batch) return '422 validation_failed'
  const isAcross = /\/projects\/(?:risks|issues|tasks)\/batch$/.test(operation.path)
  if (isAcross && !isInside) return '422 validation_failed'
  return isInside || !isInProject(operation) ? `${operation.status}` : '404 not_found'
}

/** The ids of the fixture in an operation that names more than its path. */
const send = (who: Client, operation: Operation, fixture: Fixture) =>
  who.send(operation.method, fixture.fill(operation.path), {
    body: newExampleFor(operation, fixture),
  })

const withProject = (fixture: Fixture, projectId: string): Fixture => ({
  ...fixture,
  fill: (path) => fixture.fill(path).replace(fixture.ids['project_id'] ?? '', projectId),
})

for (const { name, operation } of keyOperations()) {
  test(`${name}: a bound key inside and outside its projects`, async () => {
    const fixture = await createFixtureFor(manager, operation)
    const projectId = fixture.ids['project_id'] ?? ''
    // The archive in the example names a second project.
    const inside = await bindKey(manager, [projectId, other])
    const outside = await bindKey(manager, [other])
    const hidden = await send(outside.client, operation, fixture)
    assert.equal(outcome(hidden), expected(operation, false), hidden.text)
    if (isInProject(operation)) {
      const missing = await send(outside.client, operation, withProject(fixture, unknown))
      const bytesOf = (text: string, id: string) =>
        text.replaceAll(id, 'ID').replaceAll(/req_\w+/g, 'REQ')
      assert.equal(bytesOf(hidden.text, projectId), bytesOf(missing.text, unknown))
    }
    const shown = await send(inside.client, operation, fixture)
    assert.equal(outcome(shown), expected(operation, true), shown.text)
  })
}

test('ids outside the view are unknown in every body', async () => {
  const [mine, hidden] = [
    await createFixtureFor(manager, operations.projects.view),
    await createFixtureFor(manager, operations.projects.view),
  ]
  const { ids } = hidden
  const { client } = await bindKey(manager, [mine.ids['project_id'] ?? ''])
  const here = `/v1/projects/${mine.ids['project_id']}`
  const task = `${here}/tasks/${mine.ids['task_id']}`
  const person = `/v1/personnel/${mine.ids['user_id']}/reassign`
  const to = mine.colleague
  const rating = { title: 'Any', likelihood: 1, impact: 1 }
  const sent: [string, string, object, string][] = [
    ['PATCH', task, { risk_id: ids['risk_id'] }, 'rsk'],
    ['PATCH', task, { risk_id: null, issue_id: ids['issue_id'] }, 'iss'],
    ['POST', `${here}/tasks`, { title: 'Any', risk_id: ids['risk_id'] }, 'rsk'],
    ['POST', `${here}/risks/batch`, { data: [{ id: ids['risk_id'], ...rating }] }, 'rsk'],
    ['POST', `${here}/issues/batch`, { data: [{ id: ids['issue_id'], title: 'Any' }] }, 'iss'],
    [
      'POST',
      `${here}/archive`,
      { if_live_items: 'transfer', to_project_id: ids['project_id'] },
      'prj',
    ],
    ['POST', person, { to_user_id: to, project_id: ids['project_id'] }, 'prj'],
    ['POST', person, { items: [{ type: 'risk', id: ids['risk_id'], to_user_id: to }] }, 'rsk'],
    [
      'POST',
      person,
      { items: [{ type: 'project', id: ids['project_id'], to_user_id: to }] },
      'prj',
    ],
  ]
  for (const [method, path, body, prefix] of sent) {
    const nobodys = `${prefix}_01ktrr9d3hen4v9q9t9m2g8x5d`
    const known = JSON.stringify(body)
    const made = known.replaceAll(new RegExp(`${prefix}_\\w+`, 'g'), nobodys)
    const refused = await client.send(method, path, { body })
    const missing = await client.send(method, path, { body: JSON.parse(made) })
    assert.ok(refused.status >= 400, `${path} ${known}`)
    const bytesOf = (text: string) =>
      text.replaceAll(new RegExp(`${prefix}_\\w+`, 'g'), 'ID').replaceAll(/req_\w+/g, 'REQ')
    assert.equal(bytesOf(refused.text), bytesOf(missing.text), known)
  }
})

test('a reassignment moves what the view shows, and nothing else', async () => {
  const userId = (await manager.post('/v1/personnel', { name: 'Owner' })).body.id
  const to = (await manager.post('/v1/personnel', { name: 'Successor' })).body.id
  const add = async (code: string) => {
    const body = { code, name: code, owner_user_id: userId }
    return (await manager.post('/v1/projects', body)).body.id
  }
  const [shown, hidden] = [await add('MOVED'), await add('KEPT')]
  const { client } = await bindKey(manager, [shown])
  const { body } = await client.post(`/v1/personnel/${userId}/reassign`, { to_user_id: to })
  assert.equal(body.reassigned.projects, 1)
  const ownerOf = async (id: string) => (await manager.get(`/v1/projects/${id}`)).body.owner_user_id
  assert.deepEqual([await ownerOf(shown), await ownerOf(hidden)], [to, userId])
})

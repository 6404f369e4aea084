import assert from 'node:assert/strict'
import { test } from 'node:test'

import { makeDemoKeys, seed } from '@muster/api/seed'
import { everyOperation } from '@muster/contract'
import { exampleOf } from '@muster/contract/openapi'

import { Client } from './client.ts'
import { startHost } from './workspace.ts'

const host = await startHost()
const { workspaceId } = await seed(host.owner)
const manager = new Client(host.base, (await makeDemoKeys(host.owner, workspaceId)).manager)
const { body: roster } = await manager.get('/v1/personnel?limit=1')

// Whoever tries what the reference shows must succeed with it.
for (const { name, operation } of everyOperation()) {
  test(`${name}: the example of the reference succeeds`, async () => {
    const path = operation.path.replace('{user_id}', roster.data[0].id)
    const body = operation.body && exampleOf(operation.body)
    const reply = await manager.send(operation.method, path, { body })
    assert.equal(reply.status, operation.status, reply.text)
  })

  for (const [parameter, schema] of Object.entries(operation.query?.properties ?? {})) {
    if (parameter === 'cursor') continue
    test(`${name}: so does the example of ${parameter}`, async () => {
      const value = [exampleOf(schema)].flat().join(',')
      const reply = await manager.get(`${operation.path}?${parameter}=${encodeURIComponent(value)}`)
      assert.equal(reply.status, 200, reply.text)
      assert.ok(reply.body.count > 0 || parameter.endsWith('_id'), 'and it finds something')
    })
  }
}

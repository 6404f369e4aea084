import assert from 'node:assert/strict'
import { test } from 'node:test'

import { makeDemoKeys, seed } from '@muster/api/seed'
import { everyOperation, type Operation } from '@muster/contract'
import { exampleOf, openapi } from '@muster/contract/openapi'

import { Client } from './client.ts'
import { exampleFor, exampleId, senderOf, setScene, setSceneFor } from './scene.ts'
import { startHost } from './workspace.ts'

const host = await startHost()
const { workspaceId } = await seed(host.owner)
const manager = new Client(host.base, (await makeDemoKeys(host.owner, workspaceId)).manager)
const scene = await setScene(manager)
await manager.send('PATCH', scene.fill('/v1/projects/{project_id}/risks/{risk_id}'), {
  body: { status: 'treating' },
})
await manager.post(scene.fill('/v1/projects/{project_id}/issues/{issue_id}/close'), {
  close_reason: 'resolved',
})

const { paths } = openapi() as {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, Content> } }>>
}
interface Content {
  readonly example: unknown
}

/** What else than JSON a body may be, with the example that the reference shows for it. */
function otherTypes({ path, method }: Operation): [type: string, example: string][] {
  const { content = {} } = paths[path]?.[method.toLowerCase()]?.requestBody ?? {}
  return Object.entries(content)
    .filter(([type]) => type !== 'application/json')
    .map(([type, { example }]) => [type, typeof example === 'string' ? example : text(example)])
}

const text = (value: unknown) => JSON.stringify(value)

function canBeLeftOut({ method, body }: Operation): boolean {
  const required: readonly string[] = body?.required ?? []
  return method === 'POST' && body !== undefined && required.length === 0
}

// Whoever tries what the reference shows must succeed with it.
for (const { name, operation } of everyOperation()) {
  test(`${name}: the example of the reference succeeds`, async () => {
    const { method, path } = operation
    const own = method === 'GET' ? scene : await setSceneFor(manager, operation)
    const sender = await senderOf(manager, operation)
    const reply = await sender.send(method, own.fill(path), { body: exampleFor(operation, own) })
    assert.equal(reply.status, operation.status, reply.text)
  })

  for (const [type, body] of otherTypes(operation)) {
    test(`${name}: so does the example as ${type}`, async () => {
      const { method, path, status } = operation
      const own = await setSceneFor(manager, operation)
      const headers = { 'content-type': type }
      const reply = await manager.send(method, own.fill(path), { body, headers })
      assert.equal(reply.status, status, reply.text)
    })
  }

  if (canBeLeftOut(operation)) {
    test(`${name}: so does a request without a body, which may be left out`, async () => {
      const own = await setSceneFor(manager, operation)
      const reply = await manager.send('POST', own.fill(operation.path))
      const isHeldUp = name === 'projects.archive'
      assert.equal(reply.status, isHeldUp ? 409 : operation.status, reply.text)
    })
  }

  for (const [parameter, schema] of Object.entries(operation.query?.properties ?? {})) {
    if (parameter === 'cursor') continue
    test(`${name}: so does the example of ${parameter}`, async () => {
      const value = [exampleOf(schema)].flat().join(',')
      const path = `${scene.fill(operation.path)}?${parameter}=${encodeURIComponent(value)}`
      const body = exampleFor(operation, scene)
      const reply = await manager.send(operation.method, path, { body })
      assert.equal(reply.status, 200, reply.text)
      // What has an id is not the same in two workspaces; everything else is there in the story.
      const found = value.replaceAll(exampleId, '') === '' ? 0 : 1
      assert.ok(reply.body.count >= found, `${value} finds ${reply.body.count}`)
    })
  }
}

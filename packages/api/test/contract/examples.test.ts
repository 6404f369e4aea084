import assert from 'node:assert/strict'
import { test } from 'node:test'

import { makeDemoKeys, seed } from '@muster/api/seed'
import { hasRequiredField, isList, type Operation, pointEdges } from '@muster/contract'
import { exampleOf, openapi, responseExample } from '@muster/contract/openapi'

import { Client, type Json } from '#test/support/client'
import {
  exampleFor,
  newExampleFor,
  withIds,
  exampleId,
  clientFor,
  createFixture,
  createFixtureFor,
} from '#test/support/fixture'
import { keyOperations } from '#test/support/operations'
import { startHost } from '#test/support/workspace'

const host = await startHost()
const { workspaceId } = await seed(host.owner)
const manager = new Client(host.base, (await makeDemoKeys(host.owner, workspaceId)).manager)
const fixture = await createFixture(manager)
await manager.send('PATCH', fixture.fill('/v1/projects/{project_id}/risks/{risk_id}'), {
  body: { status: 'treating' },
})
await manager.send('PATCH', fixture.fill('/v1/projects/{project_id}/issues/{issue_id}'), {
  body: { assignee_user_id: null },
})
await manager.post(fixture.fill('/v1/projects/{project_id}/issues/{issue_id}/close'), {
  close_reason: 'resolved',
})

const { time_zone: timeZone } = (await manager.get('/v1/workspace')).body
const today = new Date().toLocaleDateString('sv-SE', { timeZone })

const { paths } = openapi() as {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, Content> } }>>
}
interface Content {
  readonly example: unknown
}

/** The body types other than JSON, with the example in the API reference. */
function otherTypes({ path, method }: Operation): [type: string, example: string][] {
  const { content = {} } = paths[path]?.[method.toLowerCase()]?.requestBody ?? {}
  return Object.entries(content)
    .filter(([type]) => type !== 'application/json')
    .map(([type, { example }]) => [type, typeof example === 'string' ? example : text(example)])
}

const text = (value: unknown) => JSON.stringify(value)

const isBodyOptional = ({ method, body }: Operation) =>
  method === 'POST' && body !== undefined && !hasRequiredField(body)

/** Fields that show the state of a resource. Others differ between the fixture and the example. */
const stateFields = ['status', 'assignable']
const stateTimes = ['closed_at', 'revoked_at', 'completed_at', 'erased_at', 'acceptance']

/** The risk of the fixture is new, and that of the examples is being treated. */
const stateOf = (value: unknown) => (value === 'treating' ? 'identified' : value)

/** The response of the service is in the state that its example shows. */
function assertSameState(body: Json, example: Json): void {
  if (body?.person) return assertSameState(body.person, example.person)
  if (body?.risk) return assertSameState(body.risk, example.risk)
  if (body?.data) return body.data[0] && assertSameState(body.data[0], example.data[0])
  for (const name of stateFields) assert.equal(stateOf(body[name]), stateOf(example[name]), name)
  for (const name of stateTimes) {
    assert.equal((body[name] ?? null) === null, (example[name] ?? null) === null, name)
  }
}

/** What a parameter of a batch needs besides. */
const companions: Readonly<Record<string, string>> = {
  match: '',
  rejoin: '&match=external_id',
  missing: '&match=external_id',
  missing_prefix: '&match=external_id&missing=report',
  missing_max: '&match=external_id&missing=depart&missing_prefix=hr-',
}

/** Rows that can be matched, each by an external id of its own. */
const withExternalIds = ({ data }: Json) => ({
  data: data.map((row: Json, index: number) => ({ ...row, external_id: `example-${index}` })),
})

// Every example in the API reference must succeed.
for (const { name, operation } of keyOperations()) {
  test(`${name}: the example of the reference succeeds`, async () => {
    const { method, path } = operation
    const own = method === 'GET' ? fixture : await createFixtureFor(manager, operation)
    const sender = await clientFor(manager, operation)
    const reply = await sender.send(method, own.fill(path), { body: exampleFor(operation, own) })
    assert.equal(reply.status, operation.status, reply.text)
    if (method !== 'GET') assertSameState(reply.body, responseExample(operation))
  })

  for (const [type, body] of otherTypes(operation)) {
    test(`${name}: the example as ${type} succeeds`, async () => {
      const { method, path, status } = operation
      const own = await createFixtureFor(manager, operation)
      const headers = { 'content-type': type }
      const given = withIds(body, own.ids).replace('LOCK', 'LOCKCSV')
      const reply = await manager.send(method, own.fill(path), { body: given, headers })
      assert.equal(reply.status, status, reply.text)
    })
  }

  if (isBodyOptional(operation)) {
    test(`${name}: a request without the optional body succeeds`, async () => {
      const own = await createFixtureFor(manager, operation)
      const reply = await manager.send('POST', own.fill(operation.path))
      const hasLiveItems = name === 'projects.archive'
      assert.equal(reply.status, hasLiveItems ? 409 : operation.status, reply.text)
    })
  }

  for (const [parameter, schema] of Object.entries(operation.query?.properties ?? {})) {
    // The names of `columns` are those of one file: `csv-header.test.ts` sends it.
    if (parameter === 'cursor' || parameter === 'columns') continue
    test(`${name}: the example of ${parameter} succeeds`, async () => {
      // The example of a point is before everything; the items of this test exist today.
      const isPoint = parameter in pointEdges
      const value = isPoint ? today : [exampleOf(schema)].flat().join(',')
      const companion = operation.rows ? companions[parameter] : undefined
      const query = `${parameter}=${encodeURIComponent(value)}${companion ?? ''}`
      const base = fixture.fill(operation.path)
      const isThere = base.includes(`?${parameter}=`)
      const path = isThere ? base : `${base}${base.includes('?') ? '&' : '?'}${query}`
      const example = newExampleFor(operation, fixture)
      const body = companion === undefined ? example : withExternalIds(example)
      const reply = await manager.send(operation.method, path, { body })
      assert.equal(reply.status, 200, reply.text)
      // Ids differ between workspaces; all other values exist in the seed data.
      const found = value.replaceAll(exampleId, '') === '' ? 0 : 1
      if (isList(operation))
        assert.ok(reply.body.count >= found, `${value} finds ${reply.body.count}`)
    })
  }
}

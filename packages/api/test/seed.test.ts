import assert from 'node:assert/strict'
import { test } from 'node:test'

import { makeDemoKeys, seed } from '@muster/api/seed'

import { Client, type Json } from './client.ts'
import { startHost } from './workspace.ts'

const host = await startHost()
const { workspaceId, isNew } = await seed(host.owner)
const keys = await makeDemoKeys(host.owner, workspaceId)
const reader = new Client(host.base, keys.reader)

test('the story is told once', async () => {
  assert.ok(isNew)
  assert.deepEqual(await seed(host.owner), { workspaceId, isNew: false })
})

test('forty people, groups, eight projects, and risks on every cell of the matrix', async () => {
  const { usage } = (await reader.get('/v1/whoami')).body
  assert.equal(usage.people, 40)
  assert.equal(usage.projects, 8)
  const risks = (await reader.get('/v1/risks')).body.data
  const cells = new Set(risks.map((risk: Json) => `${risk.likelihood}x${risk.impact}`))
  assert.equal(cells.size, 25)
  assert.equal(usage.live_risks, risks.length)
  const issues = (await reader.get('/v1/issues')).body.data
  assert.equal(usage.open_issues, issues.length)
  const severities = new Set(issues.map(({ severity }: Json) => severity))
  assert.equal(severities.size, 5)
  assert.ok((await reader.get('/v1/groups')).body.count >= 5)
  const { rows } = await host.sql.query(
    `select count(*) filter (where status = 'closed')::int as closed from issues`,
  )
  assert.ok(rows[0].closed > 0, 'some issues are closed')
})

test('the examples of the documentation are true in the story', async () => {
  const uplift = (await reader.get('/v1/risks?q=DAM-R12')).body.data[0]
  assert.equal(uplift.title, 'Uplift under the stilling basin')
  const crane = (await reader.get('/v1/issues?q=crane')).body.data[0]
  assert.equal(crane.ref, 'DAM-I7')
  const mara = (await reader.get('/v1/personnel?q=lind')).body.data
  assert.ok(mara.some(({ name }: Json) => name === 'Mara Lindqvist'))
})

test('demo keys are what they say, and older ones stop working', async () => {
  const nobody = new Client(host.base, keys.nobody)
  assert.equal((await nobody.get('/v1/personnel')).status, 403)
  assert.equal((await reader.post('/v1/personnel', { name: 'x' })).status, 403)
  const manager = new Client(host.base, keys.manager)
  assert.equal((await manager.post('/v1/personnel', { name: 'x' })).status, 201)
  await makeDemoKeys(host.owner, workspaceId)
  assert.equal((await manager.get('/v1/whoami')).body.code, 'key_revoked')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { uuidOf } from '#storage/values/id'
import { addPerson, giveRole, signInPerson } from '#test/auth/people'
import { code } from '#test/nouns/assigned-work'
import type { Client, Json } from '#test/support/client'
import { startHost } from '#test/support/workspace'

import { setup, startClock } from './departures.ts'

const host = await startHost()
const clocked = await startClock(host)

const fri = '2025-11-28'
const afterFri = '2025-11-29T00:01:00Z'
const browserHost = { owner: host.owner, base: clocked.base }

/** A workspace in which a person with the role manager has planned the departure of Ada. */
async function planned() {
  const scene = await setup(clocked)
  const { manager, depart } = scene
  await addPerson(manager, { name: 'Root', role: 'admin' })
  const mia = await addPerson(manager, { name: 'Mia', role: 'manager' })
  const browser = await signInPerson(browserHost, scene, mia)
  const reply = await browser.post(`/v1/personnel/${scene.ada}/depart`, { departs_on: fri })
  assert.equal(reply.status, 200, reply.text)
  assert.deepEqual(reply.body.planned.planned_by, { type: 'person', id: mia, user_id: mia })
  return { ...scene, depart, mia, browser }
}

type Scene = Awaited<ReturnType<typeof planned>>

const refusals: Readonly<
  Record<string, [refusal: string, change: (scene: Scene) => Promise<unknown>]>
> = {
  'the planner is suspended': [
    'person_not_active',
    ({ make, mia }) => make(`/v1/personnel/${mia}/suspend`, {}),
  ],
  'the planner departed': [
    'person_not_active',
    ({ make, mia }) => make(`/v1/personnel/${mia}/depart`, {}),
  ],
  'the planner lost the role': [
    'insufficient_scope',
    ({ manager, mia }) => giveRole(manager, { role: 'contributor', user_id: mia }),
  ],
  'the person became an administrator': [
    'beyond_your_rights',
    ({ manager, ada }) => giveRole(manager, { role: 'admin', user_id: ada }),
  ],
  'the first day was moved': [
    'validation_failed',
    ({ manager, ada }) =>
      manager.send('PATCH', `/v1/personnel/${ada}`, { body: { start_on: '2026-01-01' } }),
  ],
}

for (const [reason, [refusal, change]] of Object.entries(refusals)) {
  test(`keeps the plan and the reason when ${reason}`, async () => {
    const scene = await planned()
    await change(scene)
    const before = await scene.view()
    await scene.sweepAt(afterFri)
    assert.deepEqual(await scene.view(), before, 'nothing is changed')
    const plan = await scene.plan()
    assert.partialDeepStrictEqual(plan, { departs_on: fri, refusal: { code: refusal } })
    assert.equal(plan.refusal.refused_at, new Date(afterFri).toISOString())
    const { data } = (await scene.manager.get('/v1/departures')).body
    assert.deepEqual(data[0].refusal, plan.refusal)
    await scene.sweepAt('2025-11-30T00:01:00Z')
    assert.deepEqual(await scene.plan(), plan, 'it is not tried again')
    assert.equal((await scene.depart({ departs_on: '2026-01-09' })).body.planned.refusal, null)
    await scene.sweepAt('2026-01-10T00:01:00Z')
    assert.equal((await scene.view()).status, 'departed')
  })
}

test('refuses when the successor departed, work is left, or the last administrator goes', async () => {
  const { manager, depart, plan, make, ada, bo, sweepAt, uuid } = await setup(clocked)
  const project = await make('/v1/projects', { code: 'DAM', name: 'Dam', owner_user_id: ada })
  await depart({ departs_on: fri, handover: { to_user_id: bo } })
  await make(`/v1/personnel/${bo}/depart`, {})
  await sweepAt(afterFri)
  assert.equal((await plan()).refusal.code, 'not_assignable')
  const owned = (await manager.get(`/v1/projects/${project.id}`)).body
  assert.equal(owned.owner_user_id, ada)

  await depart({ departs_on: '2025-12-05', if_assigned: 'fail' })
  await sweepAt('2025-12-06T00:01:00Z')
  assert.equal((await plan()).refusal.code, 'has_open_assignments')

  await giveRole(manager, { role: 'admin', user_id: ada })
  await depart({ departs_on: '2025-12-12' })
  await host.sql.query(
    `update api_keys set expires_at = now() + interval '20 hours' where workspace_id = $1`,
    [uuid],
  )
  await sweepAt('2025-12-13T00:01:00Z')
  assert.equal((await plan()).refusal.code, 'last_admin')
})

test('a key plans with its rights: a rotated one stands, a revoked or expired one does not', async () => {
  const { client, manager, depart, plan, sweepAt, make, ada, view, uuid } = await setup(clocked)
  const roster = await client('personnel.manage')
  const { id } = (await roster.get('/v1/whoami')).body.key
  await depart({ departs_on: fri }, roster)
  await make(`/v1/keys/${id}/revoke`, {})
  await sweepAt(afterFri)
  assert.equal((await plan()).refusal.code, 'key_revoked')

  const short = await client('personnel.manage')
  await depart({ departs_on: '2025-12-05' }, short)
  await host.sql.query(
    `update api_keys set expires_at = '2025-12-01' where workspace_id = $1 and id = $2`,
    [uuid, uuidOf((await short.get('/v1/whoami')).body.key.id)],
  )
  await sweepAt('2025-12-06T00:01:00Z')
  assert.equal((await plan()).refusal.code, 'key_expired')

  const rotated = await client('personnel.manage')
  const { key } = (await rotated.get('/v1/whoami')).body
  await depart({ departs_on: '2025-12-12' }, rotated)
  await make(`/v1/keys/${key.id}/rotate`, { overlap_seconds: 0 })
  await sweepAt('2025-12-13T00:01:00Z')
  assert.equal((await view()).status, 'departed')
  const { data } = (await manager.get(`/v1/personnel/${ada}/history`)).body
  assert.equal(data.at(-1).actor.id, key.id)
})

test('planning and cancelling need the rights of a departure', async () => {
  const { manager, planPath, client, ada, plan, ...scene } = await setup(clocked)
  await addPerson(manager, { name: 'Root', role: 'admin' })
  await giveRole(manager, { role: 'admin', user_id: ada })
  const roster = await client('personnel.manage')
  assert.equal(await code(scene.depart({ departs_on: fri }, roster)), '403 beyond_your_rights')
  await scene.depart({ departs_on: fri })
  assert.equal(await code(roster.send('DELETE', planPath)), '403 beyond_your_rights')
  assert.equal((await plan(roster)).departs_on, fri)
  const reader = await client('personnel.read', 'projects.read', 'workspace.read')
  for (const [method, path] of [
    ['GET', planPath],
    ['DELETE', planPath],
    ['GET', '/v1/departures'],
  ] as const)
    assert.equal(await code(reader.send(method, path)), '403 insufficient_scope')
})

test('a person neither sees nor plans nor cancels their own departure', async () => {
  const { browser, mia, manager, make } = await planned()
  const path = `/v1/personnel/${mia}/departure`
  const sent = async () => [
    await browser.get(path),
    await browser.send('DELETE', path),
    await browser.post(`/v1/personnel/${mia}/depart`, { departs_on: fri }),
  ]
  const texts = async () =>
    (await sent()).map(({ status, body }) => [status, body.code, body.detail])
  const without = await texts()
  assert.deepEqual(
    without.map(([status]) => status),
    [404, 404, 422],
  )
  const listed = async (sender: { get: Client['get'] }) =>
    ((await sender.get('/v1/departures')).body.data as Json[]).map(({ user_id }) => user_id)
  const before = await listed(browser)
  await make(`/v1/personnel/${mia}/depart`, { departs_on: fri })
  assert.deepEqual(await texts(), without)
  assert.deepEqual(await listed(browser), before)
  assert.ok((await listed(manager)).includes(mia))
})

test('readers see nothing of a plan: no item, list, history, CSV, event, number or tag', async () => {
  const { manager, client, depart, planPath, ada, uuid } = await setup(clocked)
  const reader = await client('personnel.read', 'projects.read', 'workspace.read')
  const paths = [
    `/v1/personnel/${ada}`,
    `/v1/personnel/${ada}/history`,
    `/v1/personnel/${ada}/assignments`,
    '/v1/personnel',
    '/v1/personnel?sort=-updated_at',
    '/v1/groups',
    `/v1/audit?user_id=${ada}`,
    '/v1/workspace',
  ]
  const seen = async () => {
    const replies: unknown[] = []
    for (const path of paths) {
      const { status, text, headers } = await reader.get(path)
      replies.push([path, status, text, headers.get('etag')])
    }
    const { data } = (await reader.get('/v1/audit')).body
    // The download below has an entry of its own.
    const audit = data.filter(({ type }: Json) => type !== 'personnel.exported')
    const csv = await reader.get('/v1/personnel', { accept: 'text/csv' })
    const { rows } = await host.sql.query(
      `select (select seq from workspace_counters where workspace_id = $1),
         (select count(*) from events where workspace_id = $1) as events,
         (select count(*) from audit_entries where workspace_id = $1
            and type <> 'personnel.exported') as entries`,
      [uuid],
    )
    return [...replies, audit, csv.text, csv.headers.get('etag'), rows]
  }
  const without = await seen()
  const during: (() => Promise<{ status: number }>)[] = [
    () => depart({ departs_on: fri, status_reason: 'Confidential' }),
    () => depart({ departs_on: '2025-12-05' }, manager),
    () => manager.send('DELETE', planPath),
  ]
  for (const act of during) {
    assert.equal((await act()).status, 200)
    assert.deepEqual(await seen(), without)
  }
})

test('a repeated plan with an Idempotency-Key returns the first result', async () => {
  const { manager, ada, planPath } = await setup(clocked)
  const send = () =>
    manager.post(`/v1/personnel/${ada}/depart`, { departs_on: fri }, { 'idempotency-key': 'once' })
  const first = await send()
  await manager.send('DELETE', planPath)
  const again = await send()
  assert.deepEqual(again.body, first.body)
  assert.equal(await code(manager.get(planPath)), '404 not_found')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { outcome } from '#test/auth/browser'
import { addPerson, giveRole } from '#test/auth/people'
import type { Client, Json } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()

const path = '/v1/personnel/batch'

/** A workspace of its own, with people who have external ids. */
async function newRoster(count: number) {
  const home = await newWorkspace(host)
  const manager = await home.manager()
  const rows = Array.from({ length: count }, (_, index) => ({
    external_id: `nw-${index}`,
    name: `Person ${index}`,
    email: `person${index}@example.com`,
  }))
  const sync = async (query: string, data: readonly object[], by: Client = manager) => {
    const reply = await by.post(`${path}?match=external_id&${query}`, { data })
    assert.equal(reply.status, 200, reply.text)
    return reply.body
  }
  const { data } = await sync('', rows)
  return { home, manager, rows, sync, ids: data.map(({ id }: Json) => id) as string[] }
}

const rosterOf = async (client: Client) =>
  (await client.get('/v1/personnel')).body.data.map(({ name }: Json) => name)

const outcomesIn = (missing: readonly Json[]) =>
  missing.map(({ outcome: happened, person }) => `${person.external_id} ${happened}`)

test('missing=report lists who has no row, and changes nothing', async () => {
  const { manager, rows, sync, ids } = await newRoster(4)
  await addPerson(manager, { name: 'Without an external id' })
  await sync('', [{ external_id: 'other-1', name: 'Of another system' }])
  const before = await rosterOf(manager)
  const { missing, departed } = await sync('missing=report&missing_prefix=nw-', rows.slice(0, 2))
  assert.deepEqual(outcomesIn(missing), ['nw-2 kept', 'nw-3 kept'])
  assert.equal(missing[0].person.id, ids[2])
  assert.equal(departed, 0)
  assert.deepEqual(await rosterOf(manager), before)
  const all = await sync('missing=report', rows.slice(0, 2))
  assert.deepEqual(outcomesIn(all.missing), ['nw-2 kept', 'nw-3 kept', 'other-1 kept'])
})

test('missing=depart offboards who has no row; a second time there is nothing to do', async () => {
  const { manager, rows, sync } = await newRoster(4)
  await addPerson(manager, { name: 'Without an external id' })
  const query = 'missing=depart&missing_max=2'
  const first = await sync(query, rows.slice(1, 3))
  assert.deepEqual(outcomesIn(first.missing), ['nw-0 departed', 'nw-3 departed'])
  assert.equal(first.missing[0].person.status, 'departed')
  assert.deepEqual([first.departed, first.unchanged], [2, 2])
  assert.deepEqual(await rosterOf(manager), ['Person 1', 'Person 2', 'Without an external id'])
  const tag = (await manager.get('/v1/personnel')).headers.get('etag')
  const second = await sync(query, rows.slice(1, 3))
  assert.deepEqual([second.departed, second.missing], [0, []])
  assert.equal((await manager.get('/v1/personnel')).headers.get('etag'), tag)
})

test('more missing people than missing_max refuse the request, which changes nothing', async () => {
  const { manager, rows } = await newRoster(4)
  const data = [{ ...rows[0], title: 'Surveyor' }]
  const query = 'match=external_id&missing=depart&missing_max=2'
  const refused = await manager.post(`${path}?${query}`, { data })
  assert.equal(outcome(refused), '422 too_many_missing')
  assert.match(refused.body.detail, /^3 people have no row; missing_max allows 2\.$/)
  const { data: people } = (await manager.get('/v1/personnel')).body
  assert.deepEqual(
    people.map(({ title }: Json) => title),
    [null, null, null, null],
  )
  const empty = await manager.post(`${path}?${query}`, { data: [] })
  assert.equal(outcome(empty), '422 validation_failed')
  const onlyHeader = { body: 'external_id,name\n', headers: { 'content-type': 'text/csv' } }
  assert.equal(
    outcome(await manager.send('POST', `${path}?${query}`, onlyHeader)),
    '422 validation_failed',
  )
})

test('rejoin=true reinstates those who left, with the values of their rows', async () => {
  const { manager, rows, sync, ids } = await newRoster(2)
  await sync('missing=depart&missing_max=1', rows.slice(1))
  const returning = [{ ...rows[0], title: 'Surveyor' }, rows[1] ?? {}]
  const back = await sync('rejoin=true', returning)
  assert.deepEqual(back.outcomes, ['rejoined', 'unchanged'])
  assert.deepEqual([back.rejoined, back.created, back.changed], [1, 0, 0])
  const [person] = back.data
  assert.deepEqual(
    [person.id, person.status, person.title, person.end_on],
    [ids[0], 'active', 'Surveyor', null],
  )
  const { data } = (await manager.get(`/v1/personnel/${ids[0]}/history`)).body
  assert.equal(data.at(-1).type, 'person.rejoined')
  assert.equal((await sync('rejoin=true', returning)).unchanged, 2)
})

test('a row names a manager whom another row reinstates', async () => {
  const { rows, sync, ids } = await newRoster(2)
  await sync('missing=depart&missing_max=1', rows.slice(1))
  const report = { ...rows[1], manager_external_id: 'nw-0' }
  const back = await sync('rejoin=true', [report, rows[0] ?? {}])
  assert.deepEqual(back.outcomes, ['changed', 'rejoined'])
  assert.equal(back.data[0].manager_user_id, ids[0])
})

test('a dry run says what would happen', async () => {
  const { manager, rows, sync } = await newRoster(3)
  const before = (await manager.get('/v1/personnel')).text
  const query = 'missing=depart&missing_max=3&dry_run=true'
  const tried = await sync(query, [{ external_id: 'nw-9', name: 'New' }, rows[0] ?? {}])
  assert.deepEqual(tried.outcomes, ['created', 'unchanged'])
  assert.deepEqual(outcomesIn(tried.missing), ['nw-1 departed', 'nw-2 departed'])
  assert.equal((await manager.get('/v1/personnel')).text, before)
})

test('people whom the caller may not offboard stay', async () => {
  const { home, manager, ids } = await newRoster(3)
  const [admin = '', , last = ''] = ids
  for (const user_id of [admin, last]) await giveRole(manager, { role: 'admin', user_id })
  const hr = await home.key('personnel.manage')
  const query = `${path}?match=external_id&missing=depart&missing_max=3`
  const { body } = await hr.post(query, { data: [{ external_id: 'nw-7', name: 'New' }] })
  assert.deepEqual(outcomesIn(body.missing), ['nw-0 refused', 'nw-1 departed', 'nw-2 refused'])
  assert.equal(body.departed, 1)
})

test('a replay carries out what the first request did not reach, and nothing else', async () => {
  const { manager, rows, sync } = await newRoster(3)
  const headers = { 'idempotency-key': 'sync-1' }
  const query = `${path}?match=external_id&missing=depart&missing_max=2`
  const body = { data: [{ ...rows[0], title: 'Surveyor' }] }
  const send = () => manager.post(query, body, headers)
  const first = await send()
  assert.deepEqual(outcomesIn(first.body.missing), ['nw-1 departed', 'nw-2 departed'])
  await sync('rejoin=true', [rows[1] ?? {}, { external_id: 'nw-8', name: 'Later' }])
  const again = await send()
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(outcomesIn(again.body.missing), ['nw-1 kept', 'nw-2 departed'])
  assert.deepEqual(await rosterOf(manager), ['Person 0', 'Person 1', 'Later'])
})

test('a result that the previous release stored can be replayed', async () => {
  const { manager } = await newRoster(1)
  const headers = { 'idempotency-key': 'sync-2' }
  const send = () => manager.post(path, { data: [{ name: 'New' }] }, headers)
  assert.equal((await send()).status, 200)
  await host.sql.query(
    `update idempotency_records set result = (result::jsonb - 'missing' - 'rejoined')::json
     where result::jsonb ? 'missing'`,
  )
  const again = await send()
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual([again.body.created, again.body.rejoined, again.body.missing], [1, 0, []])
})

const wrong: Readonly<Record<string, string>> = {
  'rejoin=true': 'rejoin',
  'missing=report': 'missing',
  'match=email&missing=report': 'missing',
  'match=external_id&missing=depart': 'missing_max',
  'match=external_id&missing=report&missing_max=3': 'missing_max',
  'match=external_id&missing_prefix=nw-': 'missing_prefix',
  'match=external_id&missing=depart&missing_max=101': 'missing_max',
}

for (const [query, parameter] of Object.entries(wrong)) {
  test(`${query} is refused`, async () => {
    const { manager, rows } = await newRoster(1)
    const refused = await manager.post(`${path}?${query}`, { data: rows })
    assert.equal(outcome(refused), '400 invalid_parameter')
    assert.equal(refused.body.parameter, parameter)
  })
}

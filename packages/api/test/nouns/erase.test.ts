import assert from 'node:assert/strict'
import { test } from 'node:test'

import { isList } from '@muster/contract'

import type { Json } from '#test/support/client'
import { createFixture } from '#test/support/fixture'
import { includeQueries, keyOperations } from '#test/support/operations'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()

/** Every row of every table, as text. */
async function dump(): Promise<string> {
  const { rows: tables } = await host.sql.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'muster'::regnamespace and relkind = 'r'`,
  )
  const texts: string[] = []
  for (const { name } of tables) {
    const { rows } = await host.sql.query<{ text: string }>(
      `select coalesce(string_agg(t::text, e'\\n'), '') as text from ${name} t`,
    )
    texts.push(rows[0]?.text ?? '')
  }
  return texts.join('\n')
}

const secrets = {
  name: 'Philippa Grünwald-Xu',
  email: 'P.Gruenwald@secret.example.com',
  phone: '+49 30 7654321',
  title: 'Chief of hydrology',
  department: 'Hydrology south',
  external_id: 'hr-77-philippa',
  time_zone: 'Pacific/Chatham',
  metadata: { badge: 'badge-7654' },
}
const reason = 'A long illness, reported in confidence'
/** Stored values, and their folded forms in search columns. */
const traces = [
  ...Object.values(secrets).filter((value) => typeof value === 'string'),
  'badge-7654',
  reason,
  'gruenwald',
  'grunwald',
  'philippa',
]

const withKey = (key: string) => ({ 'idempotency-key': key })
const { body: person } = await manager.post('/v1/personnel', secrets, withKey('create'))
const at = `/v1/personnel/${person.id}`

test('erases personal data from the whole database and from every response', async () => {
  const fixture = await createFixture(manager)
  const { body: other } = await manager.post('/v1/personnel', { name: 'Ada' })
  const { body: group } = await manager.post(
    '/v1/groups',
    { name: 'Crew', member_user_ids: [person.id, other.id] },
    withKey('group'),
  )
  const risk = { title: 'Uplift', likelihood: 2, impact: 2, owner_user_id: person.id }
  await manager.post(fixture.fill('/v1/projects/{project_id}/risks'), risk)
  await manager.send('PATCH', at, { body: { phone: '+49 30 1111111' }, headers: withKey('patch') })
  await manager.send('PATCH', at, { body: { phone: secrets.phone } })
  // An unchanged row is in the response of the batch too, under the sequence number of the others.
  const batch = await manager.post(
    '/v1/personnel/batch',
    { data: [{ id: person.id, title: secrets.title }, { name: 'Bo' }] },
    withKey('batch'),
  )
  assert.equal(batch.status, 200, batch.text)
  await manager.post(`${at}/suspend`, { status_reason: reason }, withKey('suspend'))
  const plan = { departs_on: '2999-12-31', status_reason: reason }
  const planned = await manager.post(`${at}/depart`, plan, withKey('plan'))
  assert.equal(planned.body.planned.status_reason, reason)
  await manager.post(`${at}/depart`, { status_reason: reason }, withKey('depart'))
  const before = await dump()
  for (const trace of traces) assert.ok(before.includes(trace), `${trace} was never stored`)

  const { body: erased } = await manager.post(`${at}/erase`, { confirm: person.id })
  const after = await dump()
  for (const trace of [...traces, '1111111']) {
    assert.ok(!after.includes(trace), `${trace} is still stored`)
  }
  const { id, status, created_at, start_on } = person
  assert.deepEqual([erased.id, erased.created_at, erased.start_on], [id, created_at, start_on])
  assert.equal(erased.status, 'departed')
  assert.notEqual(status, erased.status)
  assert.equal(erased.erased_at, erased.updated_at)

  await assertNoTraceInResponses(fixture.fill)
  assert.equal((await manager.get(`/v1/groups/${group.id}`)).body.member_count, 1)
})

/** Asserts that no GET response and no replayed response contains personal data. */
async function assertNoTraceInResponses(fill: (path: string) => string): Promise<void> {
  const texts: string[] = []
  for (const { operation } of keyOperations()) {
    if (operation.method !== 'GET') continue
    const path = fill(operation.path.replace('{user_id}', person.id))
    const extras = isList(operation) ? includeQueries(operation) : []
    const statuses = path === '/v1/personnel' ? ['?status=active,suspended,departed'] : []
    for (const query of ['', ...extras.map((extra) => `?${extra}`), ...statuses]) {
      const reply = await manager.get(path + query)
      // A departed person has no planned departure.
      assert.equal(reply.status, path === `${at}/departure` ? 404 : 200, reply.text)
      texts.push(reply.text)
    }
  }
  const replays: [string, string, Json][] = [
    ['/v1/personnel', 'create', secrets],
    [`${at}/suspend`, 'suspend', { status_reason: reason }],
    [`${at}/depart`, 'depart', { status_reason: reason }],
  ]
  for (const [path, key, body] of replays) {
    const reply = await manager.post(path, body, withKey(key))
    assert.equal(reply.headers.get('idempotent-replayed'), 'true', 'it is still a replay')
    assert.equal((reply.body.person ?? reply.body).name, 'Erased person')
    texts.push(reply.text)
  }
  for (const trace of traces) {
    assert.ok(!texts.some((text) => text.includes(trace)), `${trace} is in a response`)
  }
}

test('refuses to change or rejoin an erased person', async () => {
  const whole = (await manager.get(at)).body
  const patch = (body: object) => manager.send('PATCH', at, { body })
  assert.equal((await patch({ name: 'Philippa' })).body.code, 'person_erased')
  assert.equal((await manager.post(`${at}/rejoin`, {})).body.code, 'person_erased')
  const rows = { data: [{ id: person.id, name: 'Philippa' }] }
  const batch = await manager.post('/v1/personnel/batch', rows)
  assert.deepEqual(
    batch.body.errors.map(({ pointer, code }: Json) => [pointer, code]),
    [['/data/0', 'person_erased']],
  )
  assert.deepEqual((await patch(whole)).body, whole, 'an unchanged PATCH succeeds')
  assert.deepEqual((await manager.post(`${at}/erase`, { confirm: person.id })).body, whole)
})

test('erases only a departed person, and only with the user id as confirmation', async () => {
  const { body: ada } = await manager.post('/v1/personnel', { name: 'Ada' })
  const erase = (confirm: string) => manager.post(`/v1/personnel/${ada.id}/erase`, { confirm })
  assert.equal((await erase(ada.id)).body.code, 'invalid_transition')
  await manager.post(`/v1/personnel/${ada.id}/depart`, {})
  const wrong = await erase(person.id)
  assert.equal(`${wrong.status} ${wrong.body.errors[0].pointer}`, '422 /confirm')
  assert.equal((await erase(ada.id)).status, 200)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { limits } from '@muster/contract'

import type { Json, Reply } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const path = '/v1/personnel/batch'
const csv = { 'content-type': 'text/csv' }

async function setup() {
  const home = await newWorkspace(host)
  const manager = await home.manager()
  const batch = (...data: object[]) => manager.post(path, { data })
  const send = (body: string) => manager.send('POST', path, { body, headers: csv })
  const seq = async () => {
    const { rows } = await host.sql.query(
      'select seq::int from workspace_counters where workspace_id = $1',
      [home.uuid],
    )
    return rows[0].seq
  }
  return { ...home, manager, batch, send, seq }
}

const fieldErrors = ({ status, body }: Reply) => [
  status,
  ...body.errors.map(({ pointer, code }: Json) => `${pointer} ${code}`),
]

test('adds 1000 people under one sequence number with one event each, and finds them by search', async () => {
  const { manager, batch, seq, uuid } = await setup()
  const before = await seq()
  const rows = Array.from({ length: limits.itemsMax }, (_, index) => ({
    name: `Person ${index}`,
    email: `p${index}@example.com`,
    department: `Department ${index % 7}`,
  }))
  const { status, body } = await batch(...rows)
  assert.equal(status, 200)
  assert.deepEqual([body.count, body.created, body.changed], [1000, 1000, 0])
  assert.equal(await seq(), before + 1)
  const { rows: events } = await host.sql.query(
    'select count(*)::int, count(distinct subject_id)::int as people from events where workspace_id = $1 and seq = $2',
    [uuid, before + 1],
  )
  assert.deepEqual(events[0], { count: 1000, people: 1000 })
  const { body: list } = await manager.get('/v1/personnel')
  assert.deepEqual(list.data, body.data, 'in the order of the rows')
  assert.equal((await manager.get('/v1/personnel?q=p777@')).body.count, 1)
  assert.equal((await batch(...rows, { name: 'One more' })).status, 422)
})

test('writes all rows or none, and reports every error with its pointer', async () => {
  const { manager, batch, seq } = await setup()
  const { body } = await batch(
    { name: 'Ada', email: 'ada@example.com', external_id: 'a' },
    { name: 'Bo' },
    { name: 'Cy' },
  )
  const [ada, bo, cy] = body.data
  await manager.post(`/v1/personnel/${cy.id}/depart`, {})
  const before = await seq()
  const unknownUser = 'usr_00000000000000000000000000'
  assert.deepEqual(
    fieldErrors(
      await batch(
        { email: 'x@example.com' },
        { name: 'Twin', email: 'ADA@example.com' },
        { name: 'First', external_id: 'n' },
        { name: 'Second', external_id: 'n' },
        { id: bo.id, external_id: 'a' },
        { id: unknownUser, name: 'Unknown' },
        { id: bo.id, title: 'Again' },
        { name: 'Zone', time_zone: 'Mars/Olympus' },
        { name: 'Managed', manager_user_id: cy.id },
        { name: 'Managed', manager_user_id: unknownUser },
        { id: ada.id, status: 'suspended' },
        { name: 'Gone', status: 'departed' },
        { id: cy.id, version: 1 },
      ),
    ),
    [
      422,
      '/data/0/name required',
      '/data/1/email email_taken',
      '/data/3/external_id external_id_taken',
      '/data/4/external_id external_id_taken',
      '/data/5/id not_found',
      '/data/6/id repeated',
      '/data/7/time_zone unknown_time_zone',
      '/data/8/manager_user_id not_on_roster',
      '/data/9/manager_user_id unknown_reference',
      '/data/10/status read_only_field',
      '/data/11/status not_allowed',
      '/data/12/version version_mismatch',
    ],
  )
  assert.equal(await seq(), before)
  assert.equal((await manager.get('/v1/personnel')).body.count, 2)
})

test('rejects a manager cycle across rows, and accepts a reversed chain', async () => {
  const { batch } = await setup()
  const { body } = await batch({ name: 'Ada' }, { name: 'Bo' }, { name: 'Cy' })
  const [ada, bo, cy] = body.data.map(({ id }: Json) => id)
  assert.deepEqual(
    fieldErrors(await batch({ id: ada, manager_user_id: bo }, { id: bo, manager_user_id: ada })),
    [422, '/data/0/manager_user_id manager_cycle', '/data/1/manager_user_id manager_cycle'],
  )
  const chain = await batch({ id: ada, manager_user_id: bo }, { id: bo, manager_user_id: cy })
  assert.equal(chain.status, 200, chain.text)
  const reversed = await batch(
    { id: cy, manager_user_id: bo },
    { id: bo, manager_user_id: ada },
    { id: ada, manager_user_id: null },
  )
  assert.equal(reversed.status, 200, reversed.text)
  assert.equal(reversed.body.changed, 3)
})

test('ignores an unchanged export, and applies only what was edited in it', async () => {
  const { manager, batch, send, seq } = await setup()
  const { body: first } = await batch({ name: 'Boss', title: '=HYPERLINK("x")' })
  const boss = first.data[0].id
  await batch(
    { name: 'Ada', manager_user_id: boss, metadata: { badge: '1', '-': 'a b' } },
    { name: 'Bo "the builder", jr.', email: 'bo@example.com', start_on: '2024-02-29' },
  )
  await manager.post('/v1/groups', { name: 'Crew', member_user_ids: [boss] })
  const { text } = await manager.get('/v1/personnel', { accept: 'text/csv' })
  const before = await seq()
  const same = await send(text)
  assert.equal(same.status, 200, same.text)
  assert.deepEqual([same.body.count, same.body.created, same.body.changed], [3, 0, 0])
  assert.equal(await seq(), before)
  const edited = await send(text.replace('bo@example.com', 'robert@example.com'))
  assert.deepEqual([edited.body.created, edited.body.changed], [0, 1])
  assert.equal(edited.body.data[2].email, 'robert@example.com')
  const stale = await send(text.replace('bo@example.com', 'bob@example.com'))
  assert.deepEqual(fieldErrors(stale), [422, '/data/2/version version_mismatch'])
  const semicolons = await send('﻿external_id;name\r\nhr-7;"Di; dear"\r\nhr-8;Em\r\n')
  assert.deepEqual(
    semicolons.body.data.map(({ name, external_id }: Json) => [name, external_id]),
    [
      ['Di; dear', 'hr-7'],
      ['Em', 'hr-8'],
    ],
  )
})

test('replays a batch repeated under its Idempotency-Key', async () => {
  const { manager, seq } = await setup()
  const body = { data: [{ name: 'Ada' }, { name: 'Bo' }] }
  const headers = { 'idempotency-key': 'first-day' }
  const first = await manager.post(path, body, headers)
  const after = await seq()
  const second = await manager.post(path, body, headers)
  assert.equal(second.headers.get('idempotent-replayed'), 'true')
  assert.equal(second.text, first.text)
  assert.equal(await seq(), after)
})

test('refuses a batch that would exceed the people quota', async () => {
  const { manager, batch, uuid } = await setup()
  await host.sql.query('update workspace_counters set people_max = 3 where workspace_id = $1', [
    uuid,
  ])
  const rows = ['Ada', 'Bo', 'Cy', 'Di'].map((name) => ({ name }))
  const { status, body } = await batch(...rows)
  assert.equal(`${status} ${body.code}`, '403 quota_exceeded')
  assert.equal((await batch(...rows.slice(1))).status, 200)
  assert.equal((await manager.get('/v1/personnel')).body.count, 3)
})

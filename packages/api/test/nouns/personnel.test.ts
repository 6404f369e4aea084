import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Json } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()

test('lists an added person immediately, and returns their Location', async () => {
  const { manager } = await newWorkspace(host)
  const client = await manager()

  const added = await client.post('/v1/personnel', { name: 'Ada', email: 'ada@example.com' })
  const list = await client.get('/v1/personnel')
  const viewed = await client.get(added.headers.get('location') ?? '')

  assert.equal(added.status, 201)
  assert.equal(added.headers.get('location'), `/v1/personnel/${added.body.id}`)
  assert.deepEqual(list.body.data, [added.body])
  assert.equal(viewed.text, added.text)
  assert.equal(viewed.headers.get('etag'), added.headers.get('etag'))
})

test('returns every field of a new person, null where none was provided', async () => {
  const { manager } = await newWorkspace(host)
  const { body } = await (await manager()).post('/v1/personnel', { name: 'Ada' })

  const { id, user_id, version, created_at, updated_at, status_changed_at, ...rest } = body
  assert.match(id, /^usr_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  assert.equal(user_id, id)
  assert.equal(typeof version, 'number')
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual([updated_at, status_changed_at], [created_at, created_at])
  assert.deepEqual(rest, {
    name: 'Ada',
    email: null,
    phone: null,
    title: null,
    department: null,
    external_id: null,
    manager_user_id: null,
    time_zone: null,
    start_on: null,
    end_on: null,
    status: 'active',
    status_reason: null,
    assignable: true,
    group_ids: [],
    erased_at: null,
    metadata: {},
  })
})

test('returns every field of a person as it was sent', async () => {
  const { manager } = await newWorkspace(host)
  const client = await manager()
  const boss = await client.post('/v1/personnel', { name: 'Boss' })
  const input = {
    name: '  Zoë "Z" O’Hara-Łęcka 🦊 ',
    email: 'Zoe.OHara@Example.com',
    phone: '+46 (0)8 123',
    title: 'Engineer <b>',
    department: 'R&D',
    external_id: '=cmd()',
    manager_user_id: boss.body.id,
    time_zone: 'America/Argentina/Buenos_Aires',
    start_on: '2024-02-29',
    end_on: '2030-12-31',
    metadata: { zulu: '1', alpha: 'two\nlines', 'x.y-z_0': '' },
  }

  const added = await client.post('/v1/personnel', input)
  const viewed = await client.get(`/v1/personnel/${added.body.id}`)

  assert.equal(added.status, 201)
  assert.deepEqual({ ...viewed.body, ...input }, viewed.body)
  assert.equal(viewed.text, added.text)
})

test('rejects a duplicate email, ignoring case', async () => {
  const { manager } = await newWorkspace(host)
  const client = await manager()
  const first = await client.post('/v1/personnel', { name: 'Ada', email: 'Ada@example.com' })
  const second = await client.post('/v1/personnel', { name: 'Imposter', email: 'ada@EXAMPLE.com' })

  assert.equal(second.status, 409)
  assert.equal(second.body.type, '/problems/email_taken')
  assert.equal(second.body.conflicting_id, first.body.id)
  assert.equal((await client.get('/v1/personnel')).body.count, 1)
})

test('leaves no trace of a refused write', async () => {
  const { manager, uuid } = await newWorkspace(host)
  const client = await manager()
  await client.post('/v1/personnel', { name: 'Ada', external_id: 'x' })
  const countRows = async () => {
    const { rows } = await host.sql.query(
      `select (select seq from workspace_counters where workspace_id = $1),
              (select count(*) from events where workspace_id = $1),
              (select count(*) from history where workspace_id = $1)`,
      [uuid],
    )
    return rows
  }
  const before = await countRows()
  const second = await client.post('/v1/personnel', { name: 'Eve', external_id: 'x' })
  assert.equal(second.body.code, 'external_id_taken')
  assert.deepEqual(await countRows(), before)
})

test('gives an email to one of 50 concurrent requests, and names the conflicting person to the others', async () => {
  const { manager } = await newWorkspace(host)
  const client = await manager()
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      client.post('/v1/personnel', { name: `Racer ${index}`, email: 'one@example.com' }),
    ),
  )
  const winners = replies.filter(({ status }) => status === 201)
  assert.equal(winners.length, 1)
  for (const { status, body } of replies) {
    if (status === 201) continue
    assert.equal(body.code, 'email_taken')
    assert.equal(body.conflicting_id, winners[0]?.body.id)
  }
})

test('rejects an unknown manager', async () => {
  const { manager } = await newWorkspace(host)
  const { status, body } = await (
    await manager()
  ).post('/v1/personnel', {
    name: 'Ada',
    manager_user_id: 'usr_00000000000000000000000000',
  })
  assert.equal(status, 422)
  assert.equal(body.code, 'unknown_reference')
  assert.equal(body.pointer, '/manager_user_id')
})

test('rejects contradictory fields, and names the field', async () => {
  const { manager } = await newWorkspace(host)
  const client = await manager()
  const fieldErrors = async (body: object) => {
    const reply = await client.post('/v1/personnel', { name: 'Ada', ...body })
    assert.equal(reply.status, 422)
    return reply.body.errors.map((fieldError: Json) => `${fieldError.pointer} ${fieldError.code}`)
  }
  assert.deepEqual(await fieldErrors({ time_zone: 'Mars/Olympus' }), [
    '/time_zone unknown_time_zone',
  ])
  assert.deepEqual(await fieldErrors({ time_zone: '+01:00' }), ['/time_zone unknown_time_zone'])
  assert.deepEqual(await fieldErrors({ start_on: '2024-05-02', end_on: '2024-05-01' }), [
    '/end_on out_of_order',
  ])
  assert.deepEqual(await fieldErrors({ start_on: '2023-02-29' }), ['/start_on wrong_form'])
  assert.deepEqual(await fieldErrors({ start_on: '0000-01-01' }), ['/start_on wrong_form'])
  assert.deepEqual(await fieldErrors({ name: ' \u3000 ' }), ['/name wrong_form'])
  assert.deepEqual(await fieldErrors({ name: 'a\u0007b' }), ['/name wrong_form'])
  assert.deepEqual(await fieldErrors({ title: null, emial: 'x' }), ['/emial unknown_field'])
  assert.deepEqual(await fieldErrors({ metadata: { 'not ok': 'x' } }), [
    '/metadata wrong_form',
    '/metadata wrong_name',
  ])
})

test('enforces the people quota under concurrent requests', async () => {
  const { manager, uuid } = await newWorkspace(host)
  const client = await manager()
  await host.sql.query('update workspace_counters set people_max = 10 where workspace_id = $1', [
    uuid,
  ])
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      client.post('/v1/personnel', { name: `Racer ${index}` }),
    ),
  )
  assert.equal(replies.filter(({ status }) => status === 201).length, 10)
  for (const { status, body } of replies) {
    if (status === 201) continue
    assert.equal(`${status} ${body.code}`, '403 quota_exceeded')
    assert.deepEqual([body.quota, body.limit, body.used], ['people', 10, 10])
  }
  assert.equal((await client.get('/v1/personnel')).body.count, 10)
})

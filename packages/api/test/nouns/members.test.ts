import assert from 'node:assert/strict'
import { test } from 'node:test'

import { limits } from '@muster/contract'

import type { Client, Json } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()

async function setup(count: number) {
  const home = await newWorkspace(host)
  const manager = await home.manager()
  const rows = Array.from({ length: count }, (_, index) => ({ name: `Person ${index}` }))
  const { body } = await manager.post('/v1/personnel/batch', { data: rows })
  const people: string[] = body.data.map(({ id }: Json) => id)
  const { body: group } = await manager.post('/v1/groups', { name: 'Crew' })
  const at = `/v1/groups/${group.id}`
  const view = async (path = at) => (await manager.get(path)).body
  const change = (members: object) => manager.send('PATCH', `${at}/members`, { body: members })
  const patch = (fields: object) => manager.send('PATCH', at, { body: fields })
  return { ...home, manager, people, at, view, change, patch }
}

const outcome = async (reply: ReturnType<Client['get']>) => {
  const { status, body } = await reply
  const fieldErrors = (body.errors ?? []).map(({ pointer, code }: Json) => `${pointer} ${code}`)
  return status < 300 ? String(status) : [status, body.code, ...fieldErrors].join(' ')
}

test('updates group and person under one sequence number, and ignores a repeated request', async () => {
  const { manager, people, at, view } = await setup(2)
  const [ada] = people
  const person = () => view(`/v1/personnel/${ada}`)
  const joined = await manager.send('PUT', `${at}/members/${ada}`)
  assert.equal(joined.status, 200, joined.text)
  assert.deepEqual(joined.body, await view())
  assert.equal(joined.body.member_count, 1)
  assert.equal(joined.body.members_changed_at, joined.body.updated_at)
  assert.deepEqual(
    [(await person()).version, (await person()).group_ids],
    [joined.body.version, [joined.body.id]],
  )
  const again = await manager.send('PUT', `${at}/members/${ada}`)
  assert.deepEqual(again.body, joined.body)
  const left = await manager.send('DELETE', `${at}/members/${ada}`)
  assert.equal(left.body.version, joined.body.version + 1)
  assert.equal(left.body.member_count, 0)
  assert.deepEqual([(await person()).version, (await person()).group_ids], [left.body.version, []])
  assert.deepEqual((await manager.send('DELETE', `${at}/members/${ada}`)).body, left.body)
  const unknownUser = 'usr_00000000000000000000000000'
  assert.equal(await outcome(manager.send('PUT', `${at}/members/${unknownUser}`)), '404 not_found')
  assert.equal(
    await outcome(manager.send('DELETE', `${at}/members/${unknownUser}`)),
    '404 not_found',
  )
})

test('adds 1000 members under one sequence number, and pages the list of members', async () => {
  const { manager, people, at, view, change, uuid } = await setup(1000)
  const { body: group } = await change({ add: people })
  assert.equal(group.member_count, 1000)
  const { rows } = await host.sql.query(
    `select count(*) from events
     where workspace_id = $1 and seq = $2 and type = 'group.member_added'`,
    [uuid, group.version],
  )
  assert.equal(Number(rows[0].count), 1000)
  const complete = await view(`${at}/members`)
  assert.deepEqual(
    complete.data.map(({ user_id }: Json) => user_id),
    people.toSorted(),
  )
  const first = await view(`${at}/members?limit=999&include=total_count`)
  assert.equal(first.total_count, 1000)
  const last = await view(`${at}/members?limit=999&cursor=${first.next_cursor}`)
  assert.deepEqual([last.count, last.next_cursor], [1, null])
  const roster = await view(`/v1/personnel?group_id=${group.id}&sort=-name&limit=1`)
  assert.equal(roster.data[0].name, 'Person 999')
  const half = people.slice(0, 500)
  const { body: halved } = await change({ remove: half })
  assert.equal(halved.member_count, 500)
  assert.equal((await manager.get(`/v1/personnel?group_id=${group.id}`)).body.count, 500)
})

test('applies a bulk change as a whole or not at all, and reports every error with its pointer', async () => {
  const { manager, people, view, change } = await setup(4)
  const [ada, bo, cy, di] = people
  await manager.post(`/v1/personnel/${cy}/depart`, {})
  const unknownUser = 'usr_00000000000000000000000000'
  const before = await view()
  assert.equal(
    await outcome(change({ add: [ada, unknownUser, cy, bo], remove: [bo, unknownUser] })),
    '422 validation_failed /add/1 unknown_reference /add/2 not_on_roster ' +
      '/remove/1 unknown_reference /remove/0 contradiction /remove/1 contradiction',
  )
  assert.deepEqual(await view(), before)
  assert.equal(await outcome(change({ add: [ada, ada] })), '422 validation_failed /add repeated')
  const many = (first: string) =>
    Array.from(
      { length: limits.itemsMax },
      (_, index) => `usr_${first}${String(index).padStart(25, '0')}`,
    )
  assert.equal(await outcome(change({ add: many('0'), remove: [di] })), '409 too_many_items')
  assert.deepEqual((await change({})).body, before)
  assert.equal((await change({ add: [ada, bo], remove: [di] })).body.member_count, 2)
})

test('requires every lead to be a member, and removes leads who leave', async () => {
  const { manager, people, at, view, change, patch } = await setup(3)
  const [ada, bo, cy] = people
  const made = { name: 'Board', member_user_ids: [ada], lead_user_ids: [ada, bo] }
  const notAMember = '422 validation_failed /lead_user_ids/1 not_a_member'
  assert.equal(await outcome(manager.post('/v1/groups', made)), notAMember)
  await change({ add: [ada, bo] })
  assert.equal(await outcome(patch({ lead_user_ids: [ada, cy] })), notAMember)
  const led = await patch({ lead_user_ids: [bo, ada] })
  assert.deepEqual(led.body.lead_user_ids, people.slice(0, 2).toSorted())
  assert.deepEqual(
    (await view(`${at}/members`)).data.map(({ is_lead }: Json) => is_lead),
    [true, true],
  )
  await manager.send('DELETE', `${at}/members/${ada}`)
  assert.deepEqual((await view()).lead_user_ids, [bo])
  await manager.post(`/v1/personnel/${bo}/depart`, {})
  assert.deepEqual((await view()).lead_user_ids, [])
})

test('refuses changes to an archived group, frees its name, and restores its members', async () => {
  const { manager, people, at, view, change, patch } = await setup(2)
  const [ada, bo] = people
  await change({ add: people })
  const archived = await manager.post(`${at}/archive`, {})
  assert.equal(archived.body.status, 'archived')
  assert.deepEqual((await manager.post(`${at}/archive`, {})).body, archived.body)
  assert.equal((await view('/v1/groups')).count, 0)
  assert.equal((await view('/v1/groups?status=archived')).count, 1)
  for (const refused of [
    patch({ description: 'x' }),
    change({ add: [ada] }),
    manager.send('PUT', `${at}/members/${ada}`),
    manager.send('DELETE', `${at}/members/${ada}`),
  ]) {
    assert.equal(await outcome(refused), '409 group_archived')
  }
  const { body: namesake } = await manager.post('/v1/groups', { name: 'crew' })
  const taken = await manager.post(`${at}/restore`, {})
  assert.equal(`${taken.body.code} ${taken.body.conflicting_id}`, `name_taken ${namesake.id}`)
  await manager.send('PATCH', `/v1/groups/${namesake.id}`, { body: { name: 'Other' } })
  await manager.post(`/v1/personnel/${bo}/depart`, {})
  const restored = await manager.post(`${at}/restore`, {})
  assert.equal(`${restored.body.status} ${restored.body.member_count}`, 'active 1')
  assert.deepEqual((await manager.post(`${at}/restore`, {})).body, restored.body)
})

test('updates a group by PATCH, and accepts the whole body of a GET', async () => {
  const { manager, at, view, patch } = await setup(1)
  const whole = await view()
  assert.deepEqual((await patch(whole)).body, whole)
  const changed = await patch({ ...whole, name: 'CREW', metadata: { a: '1' }, description: 'Us' })
  assert.deepEqual([changed.body.name, changed.body.metadata], ['CREW', { a: '1' }])
  await manager.post('/v1/groups', { name: 'Board' })
  assert.equal(await outcome(patch({ name: 'BOARD' })), '409 name_taken')
  const counted = await patch({ member_count: 7 })
  assert.equal(`${counted.body.code} ${counted.body.pointer}`, 'read_only_field /member_count')
  const deleted = await manager.send('DELETE', at)
  assert.match(
    deleted.body.detail,
    /Groups are not deleted; POST \/v1\/groups\/\{group_id\}\/archive/,
  )
})

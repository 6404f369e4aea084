import assert from 'node:assert/strict'
import { test } from 'node:test'

import { addGroup } from '#domain/people/groups'
import type { Json } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()

const names = ['Geotechnics', 'Ålesund office', 'board', 'Duty']
const people: Json[] = []
for (const name of ['Ada', 'Bo', 'Cy']) {
  people.push((await manager.post('/v1/personnel', { name })).body)
}
const made: Json[] = []
for (const [index, name] of names.entries()) {
  const members = people.slice(0, index).map(({ id }) => id)
  made.push(
    await addGroup(home.admin, {
      name,
      member_user_ids: members,
      lead_user_ids: members.slice(0, 1),
    }),
  )
}
await manager.post(`/v1/groups/${made[3].id}/archive`, {})

const named = async (query: string) =>
  (await manager.get(`/v1/groups?${query}`)).body.data.map(({ name }: Json) => name)

test('lists all active groups in order of creation', async () => {
  const { status, body } = await manager.get('/v1/groups')
  assert.equal(status, 200)
  assert.deepEqual(body.data, made.slice(0, 3))
  assert.equal(body.count, 3)
  assert.equal(body.next_cursor, null)
})

test('filters and sorts groups', async () => {
  assert.deepEqual(await named('status=archived'), ['Duty'])
  assert.deepEqual(await named('status=active,archived&sort=name'), [
    'Ålesund office',
    'board',
    'Duty',
    'Geotechnics',
  ])
  assert.deepEqual(await named('sort=-created_at'), ['board', 'Ålesund office', 'Geotechnics'])
  assert.deepEqual(await named('sort=-updated_at'), ['board', 'Ålesund office', 'Geotechnics'])
  assert.deepEqual(await named('q=ALES'), ['Ålesund office'])
  assert.deepEqual(await named('limit=1&sort=name'), ['Ålesund office'])
})

test('keeps group members and group_ids of people consistent', async () => {
  const [ada, , cy] = await Promise.all(
    people.map(async ({ id }) => (await manager.get(`/v1/personnel/${id}`)).body),
  )
  const joined: string[] = made.slice(1).map(({ id }) => id)
  assert.deepEqual(ada.group_ids, joined, 'sorted by id, which is the order of creation')
  assert.equal(ada.version, made[3].version)
  assert.deepEqual(cy.group_ids, [made[3].id])
  assert.deepEqual(
    made.map(({ member_count }) => member_count),
    [0, 1, 2, 3],
  )
})

test('rejects a duplicate name among active groups, ignoring case', async () => {
  const twin = { name: 'GEOTECHNICS', member_user_ids: [], lead_user_ids: [] }
  await assert.rejects(addGroup(home.admin, twin), { problem: 'name_taken' })
  const reused = await addGroup(home.admin, { ...twin, name: 'Duty' })
  assert.equal(reused.name, 'Duty', 'the name of an archived group is free')
})

test('renames a group to a free name, and refuses the name of another one', async () => {
  const group = await addGroup(home.admin, {
    name: 'Divers',
    member_user_ids: [],
    lead_user_ids: [],
  })
  const rename = (name: string) =>
    manager.send('PATCH', `/v1/groups/${group.id}`, { body: { name } })
  const renamed = await rename('Diving crews')
  assert.deepEqual([renamed.status, renamed.body.name], [200, 'Diving crews'], renamed.text)
  assert.equal((await rename('DIVING CREWS')).status, 200, 'its own name')
  const taken = await rename('geotechnics')
  assert.deepEqual([taken.status, taken.body.code], [409, 'name_taken'], taken.text)
  assert.equal(taken.body.conflicting_id, made[0].id)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Client, Json } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()

/** A new workspace, with shorthands for requests to it. */
async function setup() {
  const home = await newWorkspace(host)
  const manager = await home.manager()
  const add = async (person: object): Promise<Json> => {
    const reply = await manager.post('/v1/personnel', person)
    assert.equal(reply.status, 201, reply.text)
    return reply.body
  }
  const act = (person: Json, verb: string, body: object = {}) =>
    manager.post(`/v1/personnel/${person.id}/${verb}`, body)
  const patch = (person: Json, body: object, headers: Record<string, string> = {}) =>
    manager.send('PATCH', `/v1/personnel/${person.id}`, { body, headers })
  const view = async (person: Json) => (await manager.get(`/v1/personnel/${person.id}`)).body
  return { ...home, manager, add, act, patch, view }
}

const code = async (reply: ReturnType<Client['get']>) => {
  const { status, body } = await reply
  return status < 300 ? String(status) : `${status} ${body.code}`
}

async function eventsOf({ uuid }: { uuid: string }, seq: number): Promise<string[]> {
  const { rows } = await host.sql.query(
    'select type from events where workspace_id = $1 and seq = $2 order by position',
    [uuid, seq],
  )
  return rows.map(({ type }) => type)
}

const transitions: [status: string, verb: string, answer: string][] = [
  ['active', 'suspend', 'suspended'],
  ['active', 'resume', 'active'],
  ['active', 'depart', 'departed'],
  ['active', 'rejoin', 'active'],
  ['active', 'erase', 'depart'],
  ['suspended', 'suspend', 'suspended'],
  ['suspended', 'resume', 'active'],
  ['suspended', 'depart', 'departed'],
  ['suspended', 'rejoin', 'resume'],
  ['suspended', 'erase', 'depart'],
  ['departed', 'suspend', 'rejoin'],
  ['departed', 'resume', 'rejoin'],
  ['departed', 'depart', 'departed'],
  ['departed', 'rejoin', 'active'],
  ['departed', 'erase', 'departed'],
]
const statuses = new Set(['active', 'suspended', 'departed'])

for (const [status, verb, answer] of transitions) {
  const isRefused = !statuses.has(answer)
  const end = isRefused ? `is refused and names ${answer}` : `sets ${answer}`
  test(`${verb} of ${status === 'active' ? 'an active' : `a ${status}`} person ${end}`, async () => {
    const { add, act, view, uuid } = await setup()
    const ada = await add({ name: 'Ada' })
    if (status === 'suspended') await act(ada, 'suspend', { status_reason: 'Leave' })
    if (status === 'departed') await act(ada, 'depart')
    const before = await view(ada)
    const body = verb === 'erase' ? { confirm: ada.id } : { status_reason: 'Because' }
    const reply = await act(ada, verb, body)
    const after = await view(ada)
    if (isRefused) {
      assert.equal(`${reply.status} ${reply.body.code}`, '409 invalid_transition')
      assert.equal(reply.body.from, status)
      assert.deepEqual(reply.body.allowed, [answer])
      assert.deepEqual(after, before)
      return
    }
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual(reply.body.person ?? reply.body, after)
    assert.equal(after.status, answer)
    assert.equal(after.assignable, answer === 'active')
    if (status === answer && verb !== 'erase') return assert.deepEqual(after, before)
    assert.equal(after.version, before.version + 1)
    const past: Record<string, string> = {
      suspend: 'suspended',
      resume: 'resumed',
      depart: 'departed',
      rejoin: 'rejoined',
      erase: 'erased',
    }
    assert.deepEqual(await eventsOf({ uuid }, after.version), [`person.${past[verb]}`])
    if (verb === 'erase') return
    assert.equal(after.status_reason, 'Because')
    assert.equal(after.status_changed_at, after.updated_at)
  })
}

test('departs a person in one write, removes them from groups, and counts their open assignments', async () => {
  const { manager, add, act, view, uuid } = await setup()
  const [ada, bo] = [await add({ name: 'Ada' }), await add({ name: 'Bo' })]
  const crew = { member_user_ids: [ada.id, bo.id], lead_user_ids: [ada.id] }
  const groups: Json[] = []
  for (const name of ['Crew', 'Board', 'Old']) {
    groups.push((await manager.post('/v1/groups', { name, ...crew })).body)
  }
  await manager.post(`/v1/groups/${groups[2].id}/archive`, {})
  const project = (
    await manager.post('/v1/projects', { code: 'DAM', name: 'Dam', owner_user_id: ada.id })
  ).body
  const here = `/v1/projects/${project.id}`
  await manager.post(`${here}/risks`, {
    title: 'R',
    likelihood: 1,
    impact: 1,
    owner_user_id: ada.id,
  })
  await manager.post(`${here}/issues`, { title: 'I', severity: 1, assignee_user_id: ada.id })
  for (const status of ['todo', 'blocked', 'done']) {
    await manager.post(`${here}/tasks`, { title: 'T', status, assignee_user_id: ada.id })
  }

  const open_assignments = { projects: 1, risks: 1, issues: 1, tasks: 2 }
  const refused = await act(ada, 'depart', { if_assigned: 'fail' })
  assert.equal(`${refused.status} ${refused.body.code}`, '409 has_open_assignments')
  assert.deepEqual(refused.body.open_assignments, open_assignments)
  assert.equal((await view(ada)).version > 0 && (await view(ada)).status, 'active')

  const { body } = await act(ada, 'depart', { if_assigned: 'keep', status_reason: 'Retired' })
  assert.deepEqual(body.open_assignments, open_assignments)
  assert.deepEqual(body.person.group_ids, [])
  assert.deepEqual(await eventsOf({ uuid }, body.person.version), [
    'person.departed',
    ...groups.map(() => 'group.member_removed'),
  ])
  for (const { id } of groups) {
    const { body: group } = await manager.get(`/v1/groups/${id}`)
    assert.equal(group.version, body.person.version)
    assert.deepEqual([group.member_count, group.lead_user_ids], [1, []])
  }
  const { body: task } = await manager.get(`/v1/tasks?assignee_user_id=${ada.id}`)
  assert.equal(task.count, 2, 'assignments stay with the departed person')
  const again = await act(ada, 'depart', {})
  assert.deepEqual(again.body, body, 'a repeated departure changes nothing')
  const free = await act(bo, 'depart', { if_assigned: 'fail' })
  assert.equal(free.body.person?.status, 'departed', 'a person without work can depart')
})

test('frees email and external id on departure; a new person gets a new user id', async () => {
  const { manager, add, act, patch } = await setup()
  const own = { email: 'Ada@example.com', external_id: 'hr-1' }
  const ada = await add({ name: 'Ada', ...own })
  await act(ada, 'depart')
  const newcomer = await add({ name: 'Another Ada', email: 'ADA@EXAMPLE.COM', external_id: 'hr-1' })
  assert.notEqual(newcomer.id, ada.id)
  const back = await act(ada, 'rejoin')
  assert.equal(`${back.status} ${back.body.code}`, '409 email_taken')
  assert.equal(back.body.conflicting_id, newcomer.id)
  await patch(newcomer, { email: 'other@example.com' })
  assert.equal(await code(act(ada, 'rejoin')), '409 external_id_taken')
  await patch(newcomer, { external_id: 'HR-1' })
  assert.equal(await code(act(ada, 'rejoin')), '200')
  assert.equal((await manager.get('/v1/personnel')).body.count, 2)
  assert.equal((await manager.get('/v1/personnel?include=total_count')).body.total_count, 2)
})

test('assigns work only to active people', async () => {
  const { manager, add, act } = await setup()
  const ada = await add({ name: 'Ada' })
  await act(ada, 'suspend')
  const project = { code: 'DAM', name: 'Dam', owner_user_id: ada.id }
  assert.equal(await code(manager.post('/v1/projects', project)), '422 not_assignable')
  await act(ada, 'resume')
  assert.equal(await code(manager.post('/v1/projects', project)), '201')
})

test('accepts a PATCH with the whole body of a GET, and applies one edited field', async () => {
  const { manager, add, patch, view } = await setup()
  const boss = await add({ name: 'Boss' })
  const ada = await add({ name: 'Ada', manager_user_id: boss.id, metadata: { badge: '1' } })
  await manager.post('/v1/groups', { name: 'Crew', member_user_ids: [ada.id] })
  const whole = await view(ada)
  const same = await patch(ada, whole)
  assert.equal(same.status, 200, same.text)
  assert.deepEqual(same.body, whole)
  const changed = await patch(ada, { ...whole, title: 'Chief', metadata: { badge: null, b: '2' } })
  assert.equal(changed.body.title, 'Chief')
  assert.deepEqual(changed.body.metadata, { b: '2' })
  assert.equal(await code(patch(ada, whole)), '412 version_mismatch', 'the version is stale')
  for (const field of ['status', 'group_ids', 'assignable', 'erased_at', 'id']) {
    const given = { status: 'departed', group_ids: [], assignable: false, id: boss.id }
    const value = given[field as keyof typeof given] ?? '2026-01-01T00:00:00.000Z'
    const reply = await patch(ada, { [field]: value })
    assert.equal(`${reply.body.code} ${reply.body.pointer}`, `read_only_field /${field}`)
  }
})

test('keeps emails and external ids unique under PATCH, and frees them by null', async () => {
  const { add, patch } = await setup()
  const ada = await add({ name: 'Ada', email: 'ada@example.com', external_id: 'a' })
  const bo = await add({ name: 'Bo' })
  const taken = await patch(bo, { email: 'ADA@example.com' })
  assert.equal(`${taken.body.code} ${taken.body.conflicting_id}`, `email_taken ${ada.id}`)
  assert.equal(await code(patch(bo, { external_id: 'a' })), '409 external_id_taken')
  assert.equal(await code(patch(ada, { email: 'Ada@Example.com' })), '200', 'it is their own email')
  assert.equal(await code(patch(ada, { email: null, external_id: null })), '200')
  assert.equal(await code(patch(bo, { email: 'ada@example.com', external_id: 'a' })), '200')
  assert.equal(
    await code(patch(bo, { end_on: '2024-01-01', start_on: '2025-01-01' })),
    '422 validation_failed',
  )
})

test('rejects a cycle of managers, and a manager who departed', async () => {
  const { add, act, patch } = await setup()
  const ada = await add({ name: 'Ada' })
  const bo = await add({ name: 'Bo', manager_user_id: ada.id })
  const cy = await add({ name: 'Cy', manager_user_id: bo.id })
  const cycle = await patch(ada, { manager_user_id: cy.id })
  assert.equal(`${cycle.status} ${cycle.body.code}`, '409 manager_cycle')
  assert.equal(cycle.body.pointer, '/manager_user_id')
  assert.equal(await code(patch(ada, { manager_user_id: ada.id })), '409 manager_cycle')
  assert.equal(await code(patch(bo, { manager_user_id: null })), '200')
  assert.equal(await code(patch(ada, { manager_user_id: cy.id })), '200')
  await act(ada, 'depart')
  assert.equal(await code(patch(cy, { manager_user_id: ada.id })), '422 not_on_roster')
  const unknownUser = 'usr_00000000000000000000000000'
  assert.equal(await code(patch(cy, { manager_user_id: unknownUser })), '422 unknown_reference')
})

test('answers DELETE of a person with 405 and names the alternative', async () => {
  const { manager, add } = await setup()
  const ada = await add({ name: 'Ada' })
  const reply = await manager.send('DELETE', `/v1/personnel/${ada.id}`)
  assert.equal(reply.status, 405)
  assert.equal(reply.headers.get('allow'), 'GET, HEAD, PATCH')
  assert.match(
    reply.body.detail,
    /People are not deleted; POST \/v1\/personnel\/\{user_id\}\/depart/,
  )
})

test('records every change in the history of a person, group membership included', async () => {
  const { manager, add, act, patch } = await setup()
  const ada = await add({ name: 'Ada' })
  const bo = await add({ name: 'Bo' })
  const { body: group } = await manager.post('/v1/groups', { name: 'Crew' })
  await manager.send('PATCH', `/v1/groups/${group.id}/members`, { body: { add: [bo.id, ada.id] } })
  const body = { add: [], remove: [ada.id] }
  await manager.send('PATCH', `/v1/groups/${group.id}/members`, { body })
  await patch(ada, { title: 'Chief' })
  await act(ada, 'suspend', { status_reason: 'Leave' })
  const { body: history } = await manager.get(`/v1/personnel/${ada.id}/history`)
  assert.deepEqual(
    history.data.map(({ type, changes }: Json) => [type, changes.map(({ field }: Json) => field)]),
    [
      ['person.created', ['name', 'status', 'status_changed_at', 'assignable']],
      ['group.member_added', ['group_ids']],
      ['group.member_removed', ['group_ids']],
      ['person.updated', ['title']],
      ['person.suspended', ['status', 'status_reason', 'status_changed_at', 'assignable']],
    ],
  )
})

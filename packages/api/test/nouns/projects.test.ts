import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Client, Json } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const manager = await (await newWorkspace(host)).manager()

async function ok(promised: ReturnType<Client['get']>, status = 200): Promise<Json> {
  const reply = await promised
  assert.equal(reply.status, status, reply.text)
  return reply.body
}

async function refused(promised: ReturnType<Client['get']>): Promise<Json> {
  const { body, status } = await promised
  return { ...body, outcome: `${status} ${body.code}` }
}

let projects = 0

async function open(about: object = {}): Promise<Json> {
  projects += 1
  const code = `PR${projects}`
  return ok(manager.post('/v1/projects', { code, name: `Project ${projects}`, ...about }), 201)
}

const patch = (path: string, body: object, headers = {}) =>
  manager.send('PATCH', path, { body, headers })
const at = ({ id }: Json) => `/v1/projects/${id}`

test('creates, views, updates and lists a project', async () => {
  const made = await open({ health: 'on_track', starts_on: '2026-01-01', due_on: '2026-12-31' })
  assert.equal(made.status, 'active')
  assert.equal(made.health_set_at, made.created_at)
  assert.deepEqual(await ok(manager.get(at(made))), made)
  const changed = await ok(patch(at(made), { health: 'off_track', health_note: 'The steel.' }))
  assert.ok(changed.version > made.version)
  assert.equal(changed.health_set_at, changed.updated_at)
  const cleared = await ok(patch(at(made), { health: null, description: null }))
  assert.equal(cleared.health_set_at, null)
  assert.equal(cleared.health_note, 'The steel.')
  const { data } = await ok(manager.get('/v1/projects'))
  assert.deepEqual(data.at(-1), cleared)
})

test('writes no version and no event for an unchanged PATCH', async () => {
  const made = await open()
  const { version, updated_at, ...rest } = made
  const same = await ok(patch(at(made), { ...rest, version, updated_at }))
  assert.deepEqual(same, made)
  const { data } = await ok(manager.get(`${at(made)}/history`))
  assert.deepEqual(
    data.map(({ type }: Json) => type),
    ['project.created'],
  )
})

test('merges metadata, and removes a key by null', async () => {
  const made = await open({ metadata: { a: '1', b: '2' } })
  const { metadata } = await ok(patch(at(made), { metadata: { b: null, c: '3' } }))
  assert.deepEqual(metadata, { a: '1', c: '3' })
})

test('answers each refusal with its own problem code', async () => {
  const made = await open()
  const taken = await refused(manager.post('/v1/projects', { code: made.code, name: 'Again' }))
  assert.equal(taken.outcome, '409 project_code_taken')
  assert.equal(taken.conflicting_id, made.id)
  const cases: [object, string][] = [
    [{ code: 'OTHER' }, '422 read_only_field'],
    [{ health_set_at: '2026-01-01T00:00:00.000Z' }, '422 read_only_field'],
    [{ version: made.version - 1 }, '412 version_mismatch'],
    [{ status: 'archived' }, '422 validation_failed'],
    [{ status: null }, '422 validation_failed'],
    [{ risk_appetite: 26 }, '422 validation_failed'],
    [{ starts_on: '2026-05-01', due_on: '2026-04-01' }, '422 validation_failed'],
    [{ owner_user_id: 'usr_01ktrr9d3hen4v9q9t9m2g8x5c' }, '422 unknown_reference'],
    [{ nam: 'x' }, '422 validation_failed'],
  ]
  for (const [body, outcome] of cases) {
    const answer = await refused(patch(at(made), body))
    assert.equal(answer.outcome, outcome, JSON.stringify(body))
  }
  assert.deepEqual(await ok(manager.get(at(made))), made)
})

test('assigns new work only to active people', async () => {
  const person = await ok(manager.post('/v1/personnel', { name: 'Sol' }), 201)
  const made = await open({ owner_user_id: person.id })
  await ok(manager.post(`/v1/personnel/${person.id}/suspend`, {}), 200)
  const other = await open()
  const answer = await refused(patch(at(other), { owner_user_id: person.id }))
  assert.equal(answer.outcome, '422 not_assignable')
  assert.equal(answer.pointer, '/owner_user_id')
  const kept = await ok(patch(at(made), { name: 'Renamed', owner_user_id: person.id }))
  assert.equal(kept.owner_user_id, person.id, 'the present owner can stay')
})

test('guards a change by If-Match, with an ETag or a version', async () => {
  const made = await open()
  const { headers } = await manager.get(at(made))
  const etag = headers.get('etag') ?? ''
  const changed = await ok(patch(at(made), { name: 'One' }, { 'if-match': etag }))
  const stale = await refused(patch(at(made), { name: 'Two' }, { 'if-match': etag }))
  assert.equal(stale.outcome, '412 version_mismatch')
  assert.equal(stale.version, changed.version)
  await ok(patch(at(made), { name: 'Two' }, { 'if-match': `"1", "${changed.version}"` }))
  const weak = await refused(patch(at(made), { name: 'Three' }, { 'if-match': `W/${etag}` }))
  assert.equal(weak.outcome, '412 weak_etag')
  const other = await refused(patch(at(made), { name: 'Three' }, { 'if-match': '"abc.1.r1"' }))
  assert.equal(other.outcome, '412 version_mismatch', 'an ETag of another database epoch')
  const invalid = await refused(patch(at(made), { name: 'Three' }, { 'if-match': '1' }))
  assert.equal(invalid.outcome, '400 bad_header')
})

test('refuses to archive a project with live items unless if_live_items is set', async () => {
  const made = await open()
  const risk = await ok(
    manager.post(`${at(made)}/risks`, { title: 'R', likelihood: 3, impact: 3 }),
    201,
  )
  const issue = await ok(manager.post(`${at(made)}/issues`, { title: 'I', severity: 2 }), 201)
  const task = await ok(manager.post(`${at(made)}/tasks`, { title: 'T' }), 201)
  const answer = await refused(manager.post(`${at(made)}/archive`, {}))
  assert.equal(answer.outcome, '409 project_has_live_items')
  assert.deepEqual([answer.live_risks, answer.open_issues, answer.open_tasks], [1, 1, 1])

  const archived = await ok(manager.post(`${at(made)}/archive`, { if_live_items: 'close' }))
  assert.equal(archived.status, 'archived')
  assert.equal((await ok(manager.get(`${at(made)}/risks/${risk.id}`))).status, 'closed')
  assert.equal((await ok(manager.get(`${at(made)}/issues/${issue.id}`))).close_reason, 'cancelled')
  assert.equal((await ok(manager.get(`${at(made)}/tasks/${task.id}`))).status, 'cancelled')
  assert.deepEqual(await ok(manager.post(`${at(made)}/archive`, undefined)), archived)
  const { data } = await ok(manager.get('/v1/projects?status=archived'))
  assert.ok(data.some(({ id }: Json) => id === made.id))

  const writes: [string, string, object][] = [
    ['POST', 'risks', { title: 'R', likelihood: 1, impact: 1 }],
    ['POST', 'issues', { title: 'I', severity: 1 }],
    ['POST', 'tasks', { title: 'T' }],
    ['POST', 'risks/batch', { data: [{ title: 'R', likelihood: 1, impact: 1 }] }],
    ['POST', `risks/${risk.id}/reopen`, {}],
    ['PATCH', `risks/${risk.id}`, { title: 'Other' }],
    ['POST', `issues/${issue.id}/reopen`, {}],
    ['PATCH', `tasks/${task.id}`, { status: 'todo' }],
  ]
  for (const [method, path, body] of writes) {
    const { status, body: problem } = await manager.send(method, `${at(made)}/${path}`, { body })
    assert.equal(`${status} ${problem.code}`, '409 project_archived', path)
  }
  assert.equal((await ok(manager.post(`${at(made)}/restore`, undefined))).status, 'active')
  assert.equal(
    (await ok(manager.post(`${at(made)}/risks/${risk.id}/reopen`, {}))).status,
    'identified',
  )
})

test('keeps the ref of transferred items, and recomputes their flags for the new project', async () => {
  const [from, to] = [await open(), await open({ risk_appetite: 5 })]
  const risk = await ok(
    manager.post(`${at(from)}/risks`, { title: 'R', likelihood: 3, impact: 3, tags: ['moved'] }),
    201,
  )
  const task = await ok(manager.post(`${at(from)}/tasks`, { title: 'T', risk_id: risk.id }), 201)
  const input = { if_live_items: 'transfer', to_project_id: to.id }
  await ok(manager.post(`${at(from)}/archive`, input))
  const moved = await ok(manager.get(`${at(to)}/risks/${risk.id}`))
  assert.equal(moved.ref, risk.ref)
  assert.deepEqual(moved.flags, ['above_appetite'])
  assert.equal((await ok(manager.get(`${at(to)}/tasks/${task.id}`))).risk_id, risk.id)
  assert.equal((await manager.get(`${at(from)}/risks/${risk.id}`)).status, 404)
  const next = await ok(
    manager.post(`${at(to)}/risks`, { title: 'N', likelihood: 1, impact: 1 }),
    201,
  )
  assert.equal(next.ref, `${to.code}-R1`)
  const summary = await ok(manager.get(`/v1/risks/summary?project_id=${to.id}`))
  assert.equal(summary.count, 2)
  assert.equal(summary.by_flag.above_appetite, 1)

  const third = await open()
  const cases: [object, string][] = [
    [{ if_live_items: 'transfer' }, '422 validation_failed'],
    [{ to_project_id: third.id }, '422 validation_failed'],
    [{ if_live_items: 'transfer', to_project_id: to.id }, '422 validation_failed'],
    [{ if_live_items: 'transfer', to_project_id: from.id }, '409 project_archived'],
    [
      { if_live_items: 'transfer', to_project_id: 'prj_01ktrr9d3hen4v9q9t9m2g8x5c' },
      '422 unknown_reference',
    ],
  ]
  for (const [body, outcome] of cases) {
    assert.equal((await refused(manager.post(`${at(to)}/archive`, body))).outcome, outcome)
  }
})

test('returns current counts with include=summary', async () => {
  const made = await open()
  for (const [likelihood, impact] of [
    [5, 5],
    [1, 1],
    [3, 4],
  ]) {
    await ok(manager.post(`${at(made)}/risks`, { title: 'R', likelihood, impact }), 201)
  }
  const issue = await ok(manager.post(`${at(made)}/issues`, { title: 'I', severity: 4 }), 201)
  const list = `/v1/projects?include=summary&id=${made.id}`
  const first = await manager.get(list)
  assert.deepEqual(first.body.data[0].summary, {
    live_risks: 3,
    highest_score: 25,
    risks_by_level: { low: 1, medium: 0, high: 1, critical: 1 },
    open_issues: 1,
    highest_severity: 4,
  })
  const etag = first.headers.get('etag') ?? ''
  assert.equal((await manager.get(list, { 'if-none-match': etag })).status, 304)
  await ok(manager.post(`${at(made)}/issues/${issue.id}/close`, { close_reason: 'resolved' }))
  const second = await manager.get(list, { 'if-none-match': etag })
  assert.equal(second.status, 200, 'changed risks or issues invalidate the ETag')
  assert.equal(second.body.data[0].summary.open_issues, 0)
  assert.equal(second.body.data[0].summary.highest_severity, null)
})

test('changes the ETag of roll-ups when a project is renamed', async () => {
  const made = await open()
  await ok(manager.post(`${at(made)}/risks`, { title: 'R', likelihood: 5, impact: 5 }), 201)
  const path = `/v1/risks?project_id=${made.id}`
  const { headers } = await manager.get(path)
  await ok(patch(at(made), { name: 'Quite another name' }))
  const again = await manager.get(path, { 'if-none-match': headers.get('etag') ?? '' })
  assert.equal(again.status, 200)
  assert.equal(again.body.data[0].project.name, 'Quite another name')
})

test('requires personnel.read for include=people, and reflects changes of the roster', async () => {
  const workspace = await newWorkspace(host)
  const all = await workspace.manager()
  const person = await ok(all.post('/v1/personnel', { name: 'Ada' }), 201)
  const project = await ok(all.post('/v1/projects', { code: 'PPL', name: 'People' }), 201)
  const risk = { title: 'R', likelihood: 2, impact: 2 }
  await ok(all.post(`${at(project)}/risks`, { ...risk, owner_user_id: person.id }), 201)
  await ok(all.post(`${at(project)}/risks`, risk), 201)
  const { body, headers } = await all.get('/v1/risks?include=people')
  assert.deepEqual(
    body.data.map(({ owner }: Json) => owner),
    [{ user_id: person.id, name: 'Ada' }, null],
  )
  const reader = await workspace.key('projects.read')
  const { status, body: problem } = await reader.get('/v1/risks?include=people')
  assert.equal(`${status} ${problem.required_scope}`, '403 personnel.read')
  await ok(all.post('/v1/personnel', { name: 'Bo' }), 201)
  const etag = headers.get('etag') ?? ''
  assert.equal((await all.get('/v1/risks?include=people', { 'if-none-match': etag })).status, 200)
})

test('sorts the highest code points last, so that a descending list starts with them', async () => {
  const last = await open({ name: `\u{10ffff}\u{10ffff}z` })
  const { data } = await ok(manager.get('/v1/projects?sort=-name&limit=1'))
  assert.equal(data[0].id, last.id)
})

test('refuses to archive a project with more than 1000 live items', async () => {
  const made = await open()
  const rows = Array.from({ length: 1000 }, (_, index) => ({
    title: `R${index}`,
    likelihood: 1,
    impact: 1,
  }))
  await ok(manager.post(`${at(made)}/risks/batch`, { data: rows }))
  await ok(manager.post(`${at(made)}/tasks`, { title: 'T' }), 201)
  const answer = await refused(manager.post(`${at(made)}/archive`, { if_live_items: 'close' }))
  assert.equal(answer.outcome, '409 too_many_items')
  assert.equal(answer.limit, 1000)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { Client, type Json, type Reply } from '#test/support/client'
import { createFixture } from '#test/support/fixture'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()
const { ids, fill } = await createFixture(manager)
const risks = fill('/v1/projects/{project_id}/risks')
const issues = fill('/v1/projects/{project_id}/issues')

async function createRisk(about: object = {}): Promise<Json> {
  const reply = await manager.post(risks, { title: 'R', likelihood: 4, impact: 3, ...about })
  assert.equal(reply.status, 201, reply.text)
  return reply.body
}

const patch = (risk: Json, body: object) => manager.send('PATCH', `${risks}/${risk.id}`, { body })
const act = (risk: Json, verb: string, body?: object) =>
  manager.post(`${risks}/${risk.id}/${verb}`, body)

async function ok(promised: Promise<Reply>): Promise<Json> {
  const reply = await promised
  assert.equal(reply.status, 200, reply.text)
  return reply.body
}

const outcome = ({ status, body }: Reply) => `${status} ${body.code}`
const events = async (risk: Json) =>
  (await ok(manager.get(`${risks}/${risk.id}/history`))).data.map(({ type }: Json) => type)

test('rates a risk again by a review, with a note', async () => {
  const risk = await createRisk({ review_on: '2020-01-01' })
  assert.deepEqual(risk.flags, ['review_overdue'])
  const refused = await patch(risk, { likelihood: 2 })
  assert.equal(outcome(refused), '422 read_only_field')
  assert.match(refused.body.detail, /POST …\/review/)
  const input = { likelihood: 2, note: 'Better than feared.', review_on: '2099-01-01' }
  const reviewed = await ok(act(risk, 'review', input))
  assert.deepEqual([reviewed.score, reviewed.previous_score, reviewed.flags], [6, 12, []])
  assert.equal(reviewed.score_changed_at, reviewed.last_reviewed_at)
  const swapped = await ok(act(risk, 'review', { likelihood: 3, impact: 2, note: 'Same score.' }))
  assert.deepEqual([swapped.score, swapped.previous_score], [6, 12])
  assert.equal(swapped.review_on, null)
  const { data } = await ok(manager.get(`${risks}/${risk.id}/history`))
  assert.equal(data[1].note, 'Better than feared.')
  assert.deepEqual(
    data[1].changes.find(({ field }: Json) => field === 'score'),
    { field: 'score', from: 12, to: 6 },
  )
  assert.equal(outcome(await act(risk, 'review', { likelihood: 2 })), '422 validation_failed')
})

test('moves between live statuses by PATCH, and names the operation for other statuses', async () => {
  const risk = await createRisk()
  for (const status of ['treating', 'monitoring', 'identified', 'monitoring']) {
    assert.equal((await ok(patch(risk, { status }))).status, status)
  }
  const closing = await patch(risk, { status: 'closed' })
  assert.equal(outcome(closing), '409 invalid_transition')
  const { from, to, allowed } = closing.body
  assert.deepEqual([from, to], ['monitoring', 'closed'])
  assert.deepEqual(allowed, ['identified', 'treating', 'monitoring'])
  assert.equal(outcome(await patch(risk, { response: 'accept' })), '409 invalid_transition')
  await ok(act(risk, 'close', { close_reason: 'treated' }))
  const back = await patch(risk, { status: 'treating' })
  assert.equal(outcome(back), '409 invalid_transition')
  assert.deepEqual(back.body.allowed, [])
  assert.equal((await ok(patch(risk, { title: 'Closed, and renamed' }))).status, 'closed')
})

test('keeps an accepted risk live, with approver, rationale and expiry', async () => {
  const risk = await createRisk({ response: 'reduce' })
  const input = {
    accepted_by_user_id: ids['user_id'],
    expires_on: '2099-12-31',
    rationale: 'Cheaper to repair.',
  }
  const accepted = await ok(act(risk, 'accept', input))
  assert.equal(accepted.response, 'accept')
  assert.equal(accepted.status, 'identified')
  assert.deepEqual(accepted.acceptance, {
    ...input,
    accepted_at: accepted.updated_at,
    risk_appetite: null,
    likelihood: 4,
    impact: 3,
    score: 12,
    level: 'high',
  })
  assert.deepEqual(
    await ok(act(risk, 'accept', input)),
    accepted,
    'a repeated acceptance changes nothing',
  )
  const past = await act(risk, 'accept', { ...input, expires_on: '2020-01-01' })
  assert.equal(past.body.errors[0].code, 'in_the_past')
  const unknownApprover = { ...input, accepted_by_user_id: 'usr_01ktrr9d3hen4v9q9t9m2g8x5c' }
  assert.equal(outcome(await act(risk, 'accept', unknownApprover)), '422 unknown_reference')
  const dropped = await ok(patch(risk, { response: 'avoid' }))
  assert.equal(dropped.acceptance, null)
})

test('creates one issue in the same write when a risk occurs', async () => {
  const risk = await createRisk({ impact: 5, owner_user_id: ids['user_id'], tags: ['b', 'a'] })
  assert.deepEqual(risk.tags, ['a', 'b'])
  const { risk: occurred, issue } = await ok(act(risk, 'occur', { note: 'In the night.' }))
  assert.equal(occurred.version, issue.version)
  assert.equal(occurred.status, 'occurred')
  assert.deepEqual(occurred.issue_ids, [issue.id])
  assert.equal(risk.occurred_at, null)
  assert.equal(occurred.occurred_at, occurred.updated_at)
  assert.deepEqual(
    [issue.severity, issue.assignee_user_id, issue.risk_id, issue.tags],
    [5, ids['user_id'], risk.id, ['a', 'b']],
  )
  const again = await ok(act(risk, 'occur'))
  assert.deepEqual(again.issue, issue)
  assert.deepEqual(await events(risk), ['risk.created', 'risk.occurred'])
  for (const verb of ['review', 'accept']) {
    const example = {
      review: { note: 'x' },
      accept: { accepted_by_user_id: ids['user_id'], expires_on: '2099-01-01', rationale: 'x' },
    }[verb]
    const { body, status } = await act(risk, verb, example)
    assert.equal(`${status} ${body.code} ${body.from}`, '409 invalid_transition occurred')
  }
  const reopened = await ok(act(risk, 'reopen', { note: 'Could happen again.' }))
  assert.equal(reopened.status, 'identified')
  assert.equal(reopened.occurred_at, occurred.occurred_at)
  const second = await ok(act(risk, 'occur'))
  assert.equal(second.risk.issue_ids.length, 2)
  assert.ok(second.risk.occurred_at > occurred.occurred_at)
})

test('reopens a closed risk with its rating', async () => {
  const risk = await createRisk()
  const closed = await ok(act(risk, 'close', { close_reason: 'avoided', close_note: 'Gone.' }))
  assert.deepEqual(
    [closed.status, closed.close_reason, closed.close_note, closed.closed_at],
    ['closed', 'avoided', 'Gone.', closed.updated_at],
  )
  assert.deepEqual(await ok(act(risk, 'close', { close_reason: 'other' })), closed)
  const listed = async () =>
    (await ok(manager.get(`/v1/risks?id=${risk.id}`))).data.map(({ id }: Json) => id)
  assert.deepEqual(await listed(), [])
  const reopened = await ok(act(risk, 'reopen'))
  assert.deepEqual(
    [reopened.status, reopened.close_reason, reopened.closed_at, reopened.score],
    ['identified', null, null, 12],
  )
  assert.deepEqual(await ok(act(risk, 'reopen')), reopened)
  assert.deepEqual(await listed(), [risk.id])
  assert.deepEqual(await events(risk), ['risk.created', 'risk.closed', 'risk.reopened'])
})

test('merges nested ratings and recomputes their scores', async () => {
  const risk = await createRisk({ inherent: { likelihood: 5, impact: 5 } })
  assert.deepEqual(risk.inherent, { likelihood: 5, impact: 5, score: 25 })
  const partly = await ok(patch(risk, { inherent: { likelihood: 4 } }))
  assert.deepEqual(partly.inherent, { likelihood: 4, impact: 5, score: 20 })
  const missing = await patch(risk, { target: { likelihood: 1 } })
  assert.equal(missing.body.errors[0].pointer, '/target/impact')
  const wrong = await patch(risk, { target: { likelihood: 1, impact: 2, score: 3 } })
  assert.equal(wrong.body.errors[0].code, 'wrong_score')
  const target = { likelihood: 1, impact: 2, due_on: '2030-01-01' }
  const aimed = await ok(patch(risk, { target }))
  assert.deepEqual(aimed.target, { likelihood: 1, impact: 2, score: 2, due_on: '2030-01-01' })
  const later = await ok(patch(risk, { target: { due_on: null } }))
  assert.deepEqual(later.target, { likelihood: 1, impact: 2, score: 2, due_on: null })
  assert.equal((await ok(patch(risk, { target: null }))).target, null)
})

test('accepts the whole body of a GET with an edit', async () => {
  const risk = await createRisk({ target: { likelihood: 1, impact: 1 }, metadata: { a: 'b' } })
  const { body } = await manager.get(`${risks}/${risk.id}`)
  assert.deepEqual(await ok(patch(risk, body)), body)
  const edited = await ok(patch(risk, { ...body, title: 'Edited' }))
  assert.equal(edited.title, 'Edited')
  assert.equal(outcome(await patch(risk, { ...body, title: 'Late' })), '412 version_mismatch')
})

test('creates, blocks, closes and reopens an issue', async () => {
  const made = (await manager.post(issues, { title: 'I', severity: 3, due_on: '2020-01-01' })).body
  assert.deepEqual(made.flags, ['overdue'])
  const path = `${issues}/${made.id}`
  const blocked = await ok(
    manager.send('PATCH', path, { body: { status: 'blocked', blocked_reason: 'Steel.' } }),
  )
  assert.equal(blocked.blocked_reason, 'Steel.')
  const wrong = await manager.send('PATCH', path, { body: { status: 'closed' } })
  assert.equal(outcome(wrong), '409 invalid_transition')
  const closed = await ok(manager.post(`${path}/close`, { close_reason: 'workaround' }))
  assert.deepEqual([closed.status, closed.flags], ['closed', []])
  assert.deepEqual(await ok(manager.post(`${path}/close`, { close_reason: 'resolved' })), closed)
  const reopened = await ok(manager.post(`${path}/reopen`, { note: 'It is back.' }))
  assert.deepEqual(
    [reopened.status, reopened.reopened_count, reopened.opened_at, reopened.flags],
    ['open', 1, made.opened_at, ['overdue']],
  )
  const { data } = await ok(manager.get(`${path}/history`))
  assert.deepEqual(
    data.map(({ type }: Json) => type),
    ['issue.created', 'issue.updated', 'issue.closed', 'issue.reopened'],
  )
  assert.equal(data[3].note, 'It is back.')
  const foreign = { risk_id: 'rsk_01ktrr9d3hen4v9q9t9m2g8x5c' }
  assert.equal(outcome(await manager.send('PATCH', path, { body: foreign })), '422 read_only_field')
})

test('returns the history of a person', async () => {
  const { data } = await ok(manager.get(fill('/v1/personnel/{user_id}/history')))
  assert.equal(data[0].type, 'person.created')
  assert.deepEqual(data[0].changes[0], { field: 'name', from: null, to: 'Ada fixture' })
  assert.equal(data[0].actor.type, 'key')
})

test('names the key of a change with include=keys, also a revoked key', async () => {
  const { id, token } = await home.issue({ name: 'Ferry office', scopes: ['projects.manage'] })
  const author = new Client(host.base, token)
  const { body: risk } = await author.post(risks, { title: 'R', likelihood: 1, impact: 1 })
  const path = `${risks}/${risk.id}/history`
  const actorIn = ({ data }: Json) => data[0].actor
  const actor = { type: 'key', id, user_id: null }
  assert.deepEqual(actorIn(await ok(author.get(path))), { ...actor, name: null })
  const named = `${path}?include=keys`
  assert.equal(outcome(await author.get(named)), '403 insufficient_scope')
  const auditor = await home.key('projects.read', 'keys.read')
  const first = await auditor.get(named)
  assert.deepEqual(actorIn(first.body), { ...actor, name: 'Ferry office' })
  await manager.send('PATCH', `/v1/keys/${id}`, { body: { name: 'Harbour' } })
  await ok(manager.post(`/v1/keys/${id}/revoke`, {}))
  const etag = { 'if-none-match': first.headers.get('etag') ?? '' }
  const second = await auditor.get(named, etag)
  assert.equal(second.status, 200, 'the ETag changes with the keys')
  assert.deepEqual(actorIn(second.body), { ...actor, name: 'Harbour' })
})

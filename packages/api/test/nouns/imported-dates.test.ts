import assert from 'node:assert/strict'
import { test } from 'node:test'

import { outcome } from '#test/auth/browser'
import type { Json } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

import { closedIssue, closedRisk, errorsOf, type Noun, openProject } from './imported-dates.ts'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()
const { path: project, create, created } = await openProject(manager)

const isRecent = (time: string) => Math.abs(Date.parse(time) - Date.now()) < 60_000

test('a risk has the time at which it was identified, in its id and in its history', async () => {
  const time = '2024-02-03T09:30:00.123+01:00'
  const risk = await created('risks', { identified_at: time })
  assert.equal(risk.identified_at, '2024-02-03T08:30:00.123Z')
  assert.ok(isRecent(risk.created_at) && isRecent(risk.updated_at))
  const usual = await created('risks', {})
  assert.ok(Date.parse(usual.identified_at) - Date.parse(usual.created_at) <= 1)
  assert.ok(risk.id < usual.id)
  const path = `${project}/risks/${risk.id}`
  await manager.send('PATCH', path, { body: { title: 'Uplift of the slab' } })
  const { data } = (await manager.get(`${path}/history`)).body
  const changes = data.map((entry: Json) =>
    entry.changes.filter(({ field }: Json) => field === 'identified_at'),
  )
  const { identified_at: to } = risk
  assert.deepEqual(changes, [[{ field: 'identified_at', from: null, to }], []])
})

test('the time at which a risk was identified cannot be corrected', async () => {
  const risk = await created('risks', { identified_at: '2024-02-03' })
  const path = `${project}/risks/${risk.id}`
  const change = (identified_at: string) => manager.send('PATCH', path, { body: { identified_at } })
  assert.equal((await change(risk.identified_at)).status, 200)
  const refused = await change('2024-02-04T00:00:00.000Z')
  assert.equal(outcome(refused), '422 read_only_field')
  assert.match(refused.body.detail, /only a new risk can state it/)
})

test('a new risk, issue or task keeps the times that it brings with it', async () => {
  const reviewed = await created('risks', {
    identified_at: '2024-02-03',
    last_reviewed_at: '2025-03-04T23:59:59-05:00',
  })
  assert.equal(reviewed.last_reviewed_at, '2025-03-05T04:59:59.000Z')
  const issue = await created('issues', { opened_at: '2024-02-03T00:00:00Z' })
  assert.equal(issue.opened_at, '2024-02-03T00:00:00.000Z')
  const task = await created('tasks', { status: 'done', completed_at: '2024-02-03' })
  assert.equal(task.completed_at, '2024-02-03T00:00:00.000Z')
  const done = await created('tasks', { status: 'done' })
  assert.equal(done.completed_at, done.created_at)
  assert.equal((await created('tasks', { status: 'cancelled' })).completed_at, null)
})

test('a risk and an issue can be created closed', async () => {
  const past = { closed_at: '2025-06-01', close_note: 'In the old register.' }
  const risk = await created('risks', { ...closedRisk, ...past, identified_at: '2024-02-03' })
  const expected = { ...past, closed_at: '2025-06-01T00:00:00.000Z' }
  assert.deepEqual(risk, { ...risk, ...closedRisk, ...expected, flags: [] })
  const issue = await created('issues', { ...closedIssue, ...past, opened_at: '2024-02-03' })
  assert.deepEqual(issue, { ...issue, ...closedIssue, ...expected, reopened_count: 0 })
  for (const [noun, closed] of [
    ['risks', closedRisk],
    ['issues', closedIssue],
  ] as const) {
    const now = await created(noun, closed)
    assert.deepEqual([now.closed_at, now.close_note], [now.created_at, null])
  }
  const reopened = await manager.post(`${project}/risks/${risk.id}/reopen`, {})
  assert.deepEqual([reopened.status, reopened.body.closed_at], [200, null])
})

test('null is the same as an omitted time', async () => {
  const none = { closed_at: null, close_reason: null, close_note: null }
  const risk = await created('risks', { ...none, last_reviewed_at: null })
  assert.deepEqual([risk.status, risk.last_reviewed_at], ['identified', null])
  assert.equal((await created('issues', none)).status, 'open')
  assert.equal((await created('tasks', { completed_at: null })).completed_at, null)
})

const future = '2999-01-01'
const refusals: readonly (readonly [Noun, object, string])[] = [
  ['risks', { identified_at: future }, '/identified_at in_the_future'],
  ['risks', { last_reviewed_at: future }, '/last_reviewed_at in_the_future'],
  ['risks', { ...closedRisk, closed_at: future }, '/closed_at in_the_future'],
  ['issues', { opened_at: future }, '/opened_at in_the_future'],
  ['issues', { ...closedIssue, closed_at: future }, '/closed_at in_the_future'],
  ['tasks', { status: 'done', completed_at: future }, '/completed_at in_the_future'],
  ['risks', { identified_at: '1969-12-31' }, '/identified_at too_early'],
  ['issues', { opened_at: '1970-01-01T00:00:00+00:01' }, '/opened_at too_early'],
  ['tasks', { status: 'done', completed_at: '1000-01-01' }, '/completed_at too_early'],
  [
    'risks',
    { identified_at: '2024-02-03', last_reviewed_at: '2024-02-02T23:59:59.999Z' },
    '/last_reviewed_at out_of_order',
  ],
  [
    'risks',
    {
      ...closedRisk,
      identified_at: '2024-02-03',
      last_reviewed_at: '2024-03-03',
      closed_at: '2024-03-02',
    },
    '/closed_at out_of_order',
  ],
  [
    'issues',
    { ...closedIssue, opened_at: '2024-02-03', closed_at: '2024-02-02' },
    '/closed_at out_of_order',
  ],
  ['risks', { last_reviewed_at: '2024-02-03' }, '/identified_at required'],
  ['risks', { ...closedRisk, closed_at: '2024-02-03' }, '/identified_at required'],
  ['issues', { ...closedIssue, closed_at: '2024-02-03' }, '/opened_at required'],
  ['risks', { status: 'closed' }, '/close_reason required'],
  ['issues', { status: 'closed', close_note: 'Mended.' }, '/close_reason required'],
  ['risks', { closed_at: '2024-02-03', identified_at: '2024-01-01' }, '/closed_at contradiction'],
  ['risks', { status: 'treating', close_reason: 'treated' }, '/close_reason contradiction'],
  ['issues', { close_note: 'Mended.' }, '/close_note contradiction'],
  ['tasks', { completed_at: '2024-02-03' }, '/completed_at contradiction'],
  ['tasks', { status: 'cancelled', completed_at: '2024-02-03' }, '/completed_at contradiction'],
  ['risks', { identified_at: '2024-02-30' }, '/identified_at wrong_form'],
  ['issues', { opened_at: '2023-02-29T10:00:00Z' }, '/opened_at wrong_form'],
  ['issues', { opened_at: '2024-02-03T24:00:00Z' }, '/opened_at wrong_form'],
  ['tasks', { status: 'done', completed_at: '2024-02-03T10:00:00' }, '/completed_at wrong_form'],
  ['risks', { ...closedRisk, close_reason: 'resolved' }, '/close_reason not_allowed'],
  ['risks', { status: 'occurred' }, '/status not_allowed'],
]

for (const [noun, fields, expected] of refusals) {
  test(`refuses a new record of ${noun} with ${JSON.stringify(fields)}`, async () => {
    const reply = await create(noun, fields)
    assert.equal(outcome(reply), '422 validation_failed')
    assert.deepEqual(errorsOf(reply), [expected])
  })
}

test('states what a time must be', async () => {
  const { body } = await create('risks', { identified_at: '3.2.2024' })
  const detail = 'must be a date, as 2026-11-18, or a time, as 2026-11-18T09:30:00+01:00'
  assert.ok(body.errors.every((each: Json) => each.detail === detail))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Json } from '#test/support/client'
import { createFixture } from '#test/support/fixture'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const manager = await (await newWorkspace(host)).manager()
const { ids, fill } = await createFixture(manager)
const path = fill('/v1/projects/{project_id}/tasks')

async function make(about: object): Promise<Json> {
  const reply = await manager.post(path, { title: 'T', ...about })
  assert.equal(reply.status, 201, reply.text)
  return reply.body
}

const patch = (task: Json, body: object) => manager.send('PATCH', `${path}/${task.id}`, { body })

test('creates, updates and completes a task', async () => {
  const task = await make({ due_on: '2027-01-31', assignee_user_id: ids['user_id'] })
  assert.equal(task.status, 'todo')
  assert.match(task.ref, /^S\d+-T\d+$/)
  const done = (await patch(task, { status: 'done' })).body
  assert.equal(done.completed_at, done.updated_at)
  const again = (await patch(task, { status: 'in_progress' })).body
  assert.equal(again.completed_at, null)
  assert.equal((await manager.get(`${path}/${task.id}`)).body.version, again.version)
})

test('does not rescore a risk when a task is completed', async () => {
  const risk = fill('/v1/projects/{project_id}/risks/{risk_id}')
  const before = (await manager.get(risk)).body
  const task = await make({ risk_id: ids['risk_id'] })
  await patch(task, { status: 'done' })
  assert.deepEqual((await manager.get(risk)).body, before)
})

test('links a task to at most one risk or issue, of its own project', async () => {
  const elsewhere = await createFixture(manager)
  const cases: [object, string][] = [
    [{ risk_id: ids['risk_id'], issue_id: ids['issue_id'] }, '422 validation_failed'],
    [{ risk_id: elsewhere.ids['risk_id'] }, '422 unknown_reference'],
    [{ issue_id: elsewhere.ids['issue_id'] }, '422 unknown_reference'],
    [{ assignee_user_id: 'usr_01ktrr9d3hen4v9q9t9m2g8x5c' }, '422 unknown_reference'],
    [{ status: 'closed' }, '422 validation_failed'],
  ]
  const task = await make({ issue_id: ids['issue_id'] })
  for (const [about, expected] of cases) {
    const { status, body } = await manager.post(path, { title: 'T', ...about })
    assert.equal(`${status} ${body.code}`, expected)
    const changed = await patch(task, { issue_id: null, ...about })
    assert.equal(`${changed.status} ${changed.body.code}`, expected)
  }
})

test('lists open tasks of all projects by due date, no date last, and filters them', async () => {
  const workspace = await newWorkspace(host)
  const all = await workspace.manager()
  const [one, two] = [await createFixture(all, 'one'), await createFixture(all, 'two')]
  const days = ['2027-03-01', null, '2026-12-01', '2027-03-01', null]
  const statuses = ['todo', 'in_progress', 'blocked', 'done', 'cancelled']
  for (const fixture of [one, two]) {
    for (const [index, due_on] of days.entries()) {
      const status = statuses[(index + (fixture === two ? 1 : 0)) % 5]
      const assignee_user_id = index % 2 === 0 ? fixture.ids['user_id'] : null
      const made = await all.post(fixture.fill('/v1/projects/{project_id}/tasks'), {
        title: `T${index}`,
        due_on,
        status,
        assignee_user_id,
      })
      assert.equal(made.status, 201)
    }
  }
  const everything: Json[] = []
  for (const fixture of [one, two]) {
    everything.push(...(await all.get(fixture.fill('/v1/projects/{project_id}/tasks'))).body.data)
  }
  const expected = (keep: (task: Json) => boolean) =>
    everything
      .filter(keep)
      .toSorted((a, b) => {
        const [x, y] = [a.due_on ?? '9999', b.due_on ?? '9999']
        return x === y ? (a.id < b.id ? -1 : 1) : x < y ? -1 : 1
      })
      .map(({ id }) => id)
  const isOpen = ({ status }: Json) => ['todo', 'in_progress', 'blocked'].includes(status)
  const has = (text: string) => (task: Json) =>
    `${task.ref} ${task.title}`.toLowerCase().includes(text)
  const cases: [string, (task: Json) => boolean][] = [
    ['q=T1', (task) => isOpen(task) && has('t1')(task)],
    ['q=task%20TWO', (task) => isOpen(task) && has('task two')(task)],
    ['q=t2&status=done,cancelled', (task) => !isOpen(task) && has('t2')(task)],
    [
      'q=t3&assignee_user_id=none',
      (task) => isOpen(task) && has('t3')(task) && task.assignee_user_id === null,
    ],
    ['', isOpen],
    ['status=done,cancelled', (task) => !isOpen(task)],
    [
      `assignee_user_id=${one.ids['user_id']}`,
      (task) => isOpen(task) && task.assignee_user_id === one.ids['user_id'],
    ],
    ['assignee_user_id=none', (task) => isOpen(task) && task.assignee_user_id === null],
    [
      `project_id=${two.ids['project_id']}&status=todo`,
      (task) => task.status === 'todo' && task.project_id === two.ids['project_id'],
    ],
    [
      `risk_id=${one.ids['risk_id']}`,
      (task) => isOpen(task) && task.risk_id === one.ids['risk_id'],
    ],
  ]
  for (const [query, keep] of cases) {
    const { body } = await all.get(`/v1/tasks?${query}&include=total_count`)
    assert.deepEqual(
      body.data.map(({ id }: Json) => id),
      expected(keep),
      query,
    )
    assert.equal(body.total_count, body.count)
    assert.ok(body.count > 0, query)
    const seen: string[] = []
    let cursor = ''
    do {
      const page = (await all.get(`/v1/tasks?${query}&limit=2${cursor}`)).body
      seen.push(...page.data.map(({ id }: Json) => id))
      cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`
    } while (cursor !== '')
    assert.deepEqual(seen, expected(keep), query)
  }
  const { usage } = (await all.get('/v1/whoami')).body
  assert.equal(usage.open_tasks, expected(isOpen).length)
})

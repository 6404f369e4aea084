import assert from 'node:assert/strict'
import { test } from 'node:test'

import { outcome } from '#test/auth/browser'
import type { Json, Reply } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

import { bodies, closedIssue, closedRisk, errorsOf, openProject } from './imported-dates.ts'

const host = await startHost()

const titles = ({ body }: Reply): string[] => body.data.map(({ title }: Json) => title)

test('the register has risks of equal rating in the order in which they were identified', async () => {
  const manager = await (await newWorkspace(host)).manager()
  const { created } = await openProject(manager)
  const days = ['2025-01-01', '2024-06-01', undefined, '2024-06-01', '2024-06-01', '2023-12-31']
  for (const [index, identified_at] of days.entries()) {
    await created('risks', { title: `${index}`, ...(identified_at && { identified_at }) })
  }
  assert.equal(titles(await manager.get('/v1/risks')).join(''), '513402')
})

test('many risks of one day keep the order of creation', async () => {
  const manager = await (await newWorkspace(host)).manager()
  const { path: here } = await openProject(manager)
  const data = Array.from({ length: 1000 }, (_, index) => ({
    ...bodies.risks,
    title: String(index),
    identified_at: '2024-06-01',
  }))
  const reply = await manager.post(`${here}/risks/batch`, { data })
  assert.equal(reply.status, 200, reply.text)
  assert.equal(new Set(reply.body.data.map(({ id }: Json) => id)).size, 1000)
  const times = new Set(reply.body.data.map(({ identified_at }: Json) => identified_at))
  assert.deepEqual([...times], ['2024-06-01T00:00:00.000Z'])
  const list = await manager.get('/v1/risks')
  assert.deepEqual(
    titles(list),
    data.map(({ title }) => title),
  )
})

test('a risk and an issue that are created closed are in no register, count or quota', async () => {
  const other = await newWorkspace(host)
  const own = await other.manager()
  const { path: here, create } = await openProject(own)
  await own.send('PATCH', here, { body: { risk_appetite: 1 } })
  await host.sql.query(
    'update workspace_counters set live_risks_max = 1, open_issues_max = 1 where workspace_id = $1',
    [other.uuid],
  )
  const state = async () => {
    const paths = ['/v1/risks', '/v1/risks/summary', '/v1/issues', '/v1/issues/summary']
    const all = await Promise.all(paths.map((path) => own.get(path)))
    return all.map(({ body }) => ({ ...body, as_of: null }))
  }
  const before = await state()
  const days = ['2025-03-01', '2025-01-01', '2025-02-01']
  for (const closed_at of days) {
    const past = { title: closed_at, closed_at, tags: ['ice'] }
    const identified_at = '2024-01-01'
    const risk = await create('risks', { ...closedRisk, ...past, identified_at })
    assert.deepEqual([risk.status, risk.body.flags], [201, []], risk.text)
    const opened = { opened_at: '2024-01-01', due_on: '2024-02-01' }
    const issue = await create('issues', { ...closedIssue, ...past, ...opened })
    assert.deepEqual([issue.status, issue.body.flags], [201, []], issue.text)
  }
  assert.deepEqual(await state(), before)
  const latestFirst = days.toSorted().toReversed()
  assert.deepEqual(titles(await own.get('/v1/risks/closed')), latestFirst)
  assert.deepEqual(titles(await own.get('/v1/issues/closed')), latestFirst)
  assert.equal((await create('risks', {})).status, 201)
  assert.equal(outcome(await create('risks', {})), '403 quota_exceeded')
  assert.equal((await create('risks', closedRisk)).status, 201)
})

const starts = [
  ['America/New_York', '2024-02-03', '2024-02-03T05:00:00.000Z'],
  // The clock goes forward on the first of these days, and back on the second.
  ['America/New_York', '2024-03-10', '2024-03-10T05:00:00.000Z'],
  ['America/New_York', '2024-11-03', '2024-11-03T04:00:00.000Z'],
  ['America/New_York', '2024-11-04', '2024-11-04T05:00:00.000Z'],
  ['Asia/Kathmandu', '2024-02-03', '2024-02-02T18:15:00.000Z'],
  // The first day has no midnight, and the second has two.
  ['America/Havana', '2024-03-10', '2024-03-10T05:00:00.000Z'],
  ['America/Havana', '2024-11-03', '2024-11-03T04:00:00.000Z'],
  ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'],
] as const

test('a day is its start in the time zone of the workspace', async () => {
  const own = await (await newWorkspace(host)).manager()
  const { create } = await openProject(own)
  for (const [time_zone, day, start] of starts) {
    await own.send('PATCH', '/v1/workspace', { body: { time_zone } })
    const { body } = await create('issues', { opened_at: day })
    assert.equal(body.opened_at, start, `${day} in ${time_zone}`)
    const risk = await create('risks', { identified_at: day })
    assert.equal(risk.body.identified_at, start)
  }
})

test('today is not in the future, in any time zone', async () => {
  const own = await (await newWorkspace(host)).manager()
  const { create } = await openProject(own)
  for (const time_zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    await own.send('PATCH', '/v1/workspace', { body: { time_zone } })
    const day = (days: number) =>
      new Intl.DateTimeFormat('sv', { timeZone: time_zone }).format(Date.now() + days * 86_400_000)
    assert.equal((await create('issues', { opened_at: day(0) })).status, 201)
    const tomorrow = await create('issues', { opened_at: day(1) })
    assert.deepEqual(errorsOf(tomorrow), ['/opened_at in_the_future'])
  }
})

test('a file that is imported twice changes nothing the second time', async () => {
  const own = await (await newWorkspace(host)).manager()
  const { path: here } = await openProject(own)
  await own.send('PATCH', '/v1/workspace', { body: { time_zone: 'Asia/Kathmandu' } })
  const rows = {
    risks: [
      { identified_at: '2024-02-03', last_reviewed_at: '2024-03-04T10:00:00+05:45' },
      { ...closedRisk, identified_at: '2024-02-03', closed_at: '2024-05-06' },
      closedRisk,
    ],
    issues: [{ ...closedIssue, opened_at: '2024-02-03', closed_at: '2024-05-06' }],
    tasks: [{ status: 'done', completed_at: '2024-02-03' }],
  }
  for (const noun of ['risks', 'issues', 'tasks'] as const) {
    const path = `${here}/${noun}/batch?match=external_id`
    const data = rows[noun].map((row, index) => ({
      ...bodies[noun],
      ...row,
      external_id: `${noun}-${index}`,
    }))
    const first = await own.post(path, { data })
    assert.deepEqual([first.status, first.body.created], [200, data.length], first.text)
    const second = await own.post(path, { data })
    assert.deepEqual([second.status, second.body.unchanged], [200, data.length], second.text)
    assert.deepEqual(second.body.data, first.body.data)
  }
  const { id } = (await own.get(`${here}/risks`)).body.data[0]
  const other = { data: [{ id, identified_at: '2024-02-04' }] }
  const refused = await own.post(`${here}/risks/batch`, other)
  assert.deepEqual(errorsOf(refused), ['/data/0/identified_at read_only_field'])
})

test('an export of closed and reviewed items can be imported into another workspace', async () => {
  const [from, to] = [await newWorkspace(host), await newWorkspace(host)]
  const [one, two] = [await from.manager(), await to.manager()]
  const { path: here, create } = await openProject(one)
  const { path: there } = await openProject(two)
  await create('risks', { ...closedRisk, close_note: 'Gone.', title: 'A' })
  const reviewed = { identified_at: '2024-02-03', last_reviewed_at: '2024-03-04', title: 'B' }
  await create('risks', reviewed)
  await create('issues', { opened_at: '2024-02-03' })
  await create('tasks', { status: 'done', completed_at: '2024-02-03' })
  for (const noun of ['risks', 'issues', 'tasks'] as const) {
    const { data } = (await one.get(`${here}/${noun}`)).body
    const rows = data.map((item: Json) => {
      const { id: _, ref: __, project_id: ___, version: ____, ...row } = item
      return { ...row, created_at: undefined, updated_at: undefined }
    })
    const reply = await two.post(`${there}/${noun}/batch`, { data: rows })
    assert.equal(reply.status, 200, reply.text)
    const times = (items: Json[]) =>
      items.map(({ title, identified_at, opened_at, last_reviewed_at, ...item }) => [
        title,
        identified_at,
        opened_at,
        last_reviewed_at,
        item['closed_at'],
        item['close_reason'],
        item['close_note'],
        item['completed_at'],
      ])
    assert.deepEqual(times(reply.body.data), times(data))
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { closeDays } from '#domain/time/closing'
import { findFigureDrift } from '#test/drift/figures'
import { seed } from '#test/support/size'

import { countLists, newHome, noFlows, startClocked } from './clocked.ts'
import { Writer } from './writers.ts'

const clocked = await startClocked('2026-10-20T08:00:00Z')
const { clock, database, sweep, host } = clocked
const dayMs = 86_400_000

const advance = (days: number) => {
  clock.now = new Date(clock.now.getTime() + days * dayMs)
}

const today = () => clock.now.toISOString().slice(0, 10)

async function daysOf(uuid: string): Promise<string[]> {
  const query = 'select day::text from days where workspace_id = $1 order by day'
  return (await host.sql.query(query, [uuid])).rows.map(({ day }) => day)
}

async function figuresOf(uuid: string): Promise<object[]> {
  const query = `select * from daily_figures where workspace_id = $1 order by project_id, day`
  return (await host.sql.query(query, [uuid])).rows
}

const allDue = `update workspaces set sweep_due_at = '-infinity' where id = $1`

test('a sweep closes the ten days of which there was none, and reads show them before', async () => {
  const home = await newHome(clocked, 'UTC')
  const writer = new Writer(home, seed)
  await writer.start(['ONE', 'TWO'])
  await sweep()
  const first = today()
  const expected: object[] = []
  for (let index = 0; index < 10; index++) {
    for (let change = 0; change < 4; change++) await writer.change(today())
    const flows = writer.takeFlows().get('')
    expected.push({ day: today(), ...(await countLists(home, today())), ...noFlows, ...flows })
    advance(1)
  }
  const read = async () => home.points(`from=${first}&to=${lastDay()}`)
  const lastDay = () => new Date(clock.now.getTime() - dayMs).toISOString().slice(0, 10)
  const isClosed = (closed: boolean) => expected.map((point) => ({ ...point, is_closed: closed }))
  assert.deepEqual(await read(), isClosed(false))
  assert.deepEqual(await daysOf(home.uuid), [])
  await sweep()
  assert.deepEqual(await read(), isClosed(true))
  assert.equal((await daysOf(home.uuid)).length, 10)
})

test('a day without a change has no row, and a task becomes overdue without one', async () => {
  const home = await newHome(clocked, 'UTC')
  const { id } = await home.send('POST', '/v1/projects', { code: 'ONE', name: 'One' })
  const due_on = new Date(clock.now.getTime() + 2 * dayMs).toISOString().slice(0, 10)
  await home.send('POST', `/v1/projects/${id}/tasks`, { title: 'T', due_on })
  const start = today()
  advance(6)
  await sweep()
  const { rows } = await host.sql.query(
    `select day::text, tasks_open, tasks_overdue from daily_figures
     where workspace_id = $1 and project_id = $2 order by day`,
    [home.uuid, (await projectUuids(home.uuid))[0]],
  )
  const overdue = new Date(Date.parse(due_on) + dayMs).toISOString().slice(0, 10)
  assert.deepEqual(rows, [
    { day: start, tasks_open: 1, tasks_overdue: 0 },
    { day: overdue, tasks_open: 1, tasks_overdue: 1 },
  ])
  const points = await home.points(`from=${start}`)
  assert.deepEqual(
    points.map(({ tasks_overdue }) => tasks_overdue),
    [0, 0, 0, 1, 1, 1, 1],
  )
})

const projectUuids = async (uuid: string) =>
  (await host.sql.query('select id from projects where workspace_id = $1', [uuid])).rows.map(
    ({ id }) => id,
  )

test('sweeps at the same time close each day once, with the same figures', async () => {
  const home = await newHome(clocked, 'UTC')
  const writer = new Writer(home, seed + 1)
  await writer.start(['ONE', 'TWO'])
  const first = today()
  for (let index = 0; index < 4; index++) {
    for (let change = 0; change < 6; change++) await writer.change(today())
    advance(1)
  }
  // More days than one batch has.
  advance(600)
  const close = () => closeDays(database, home.id)
  assert.deepEqual(await Promise.all([close(), close(), close()]), [true, true, true])
  const days = await daysOf(home.uuid)
  const kept = await figuresOf(home.uuid)
  assert.equal(days.length, 604)
  assert.equal(days[0], first)
  for (const table of ['days', 'daily_figures'])
    await host.sql.query(`delete from ${table} where workspace_id = $1`, [home.uuid])
  assert.equal(await closeDays(database, home.id), true)
  assert.deepEqual(await figuresOf(home.uuid), kept)
  assert.deepEqual(await daysOf(home.uuid), days)
  advance(-600)
})

test('an interrupted sweep is continued, and a closed day is not counted again', async () => {
  const home = await newHome(clocked, 'UTC')
  const writer = new Writer(home, seed + 2)
  await writer.start(['ONE'])
  for (let change = 0; change < 6; change++) await writer.change(today())
  advance(1)
  assert.equal(await closeDays(database, home.id, AbortSignal.abort()), false)
  assert.deepEqual(await daysOf(home.uuid), [])
  assert.equal(await closeDays(database, home.id), true)
  const kept = await figuresOf(home.uuid)
  await host.sql.query(allDue, [home.uuid])
  await sweep()
  assert.deepEqual(await figuresOf(home.uuid), kept)
})

test('a wrong figure of a closed day is drift', async () => {
  const home = await newHome(clocked, 'UTC')
  const { id } = await home.send('POST', '/v1/projects', { code: 'ONE', name: 'One' })
  await home.send('POST', `/v1/projects/${id}/issues`, { title: 'I', severity: 1 })
  const day = today()
  advance(1)
  await sweep()
  const drift = () => findFigureDrift(host.sql, { workspace: home.uuid, days: 5 })
  assert.deepEqual(await drift(), [])
  const change = (by: number) =>
    host.sql.query(
      `update daily_figures set issues_open = issues_open + $2, entered = entered + $2
       where workspace_id = $1 and project_id <> '00000000-0000-0000-0000-000000000000'`,
      [home.uuid, by],
    )
  await change(1)
  const messages = (await drift()).map((message) => message.replace(/of .* on/, 'of it on'))
  assert.deepEqual(messages.toSorted(), [
    `The figure entered of it on ${day} is 1, and should be 0.`,
    `The figure issues_open of it on ${day} is 2, and should be 1.`,
  ])
  await change(-1)
})

test('a changed time zone moves no closed day, and leaves none out', async () => {
  const home = await newHome(clocked, 'Etc/GMT+12')
  const { id } = await home.send('POST', '/v1/projects', { code: 'ONE', name: 'One' })
  const zones = ['Pacific/Kiritimati', 'Etc/GMT+12', 'Europe/Stockholm', 'Pacific/Kiritimati']
  for (const time_zone of zones) {
    await home.send('POST', `/v1/projects/${id}/risks`, { title: 'R', likelihood: 1, impact: 1 })
    advance(0.9)
    await sweep()
    await home.send('PATCH', '/v1/workspace', { time_zone })
    await home.send('POST', `/v1/projects/${id}/risks`, { title: 'R', likelihood: 1, impact: 1 })
    advance(0.4)
    await sweep()
    advance(1.1)
    await sweep()
  }
  const { rows } = await host.sql.query(
    `select day - lag(day) over (order by day) as gap, ends_at >= lag(ends_at) over (order by day)
       as is_later, last_seq >= lag(last_seq) over (order by day) as is_higher
     from days where workspace_id = $1 order by day`,
    [home.uuid],
  )
  assert.ok(rows.length > 8)
  for (const row of rows.slice(1)) {
    assert.deepEqual(row, { gap: 1, is_later: true, is_higher: true })
  }
  const points = await home.points(`from=${(await daysOf(home.uuid))[0]}`)
  assert.equal(
    points.reduce((sum, { entered }) => sum + entered, 0),
    8,
  )
  assert.equal(points.at(-1)?.live_risks, 8)
})

test('days before the states of tasks were kept have no task figures', async () => {
  const home = await newHome(clocked, 'UTC')
  const { id } = await home.send('POST', '/v1/projects', { code: 'ONE', name: 'One' })
  const first = today()
  const make = async () => (await home.send('POST', `/v1/projects/${id}/tasks`, { title: 'T' })).id
  const task = await make()
  advance(1)
  await home.send('PATCH', `/v1/projects/${id}/tasks/${task}`, { title: 'U' })
  await host.sql.query(`delete from history where workspace_id = $1 and noun = 'task'`, [home.uuid])
  await host.sql.query(
    'update workspace_counters set has_task_states = false where workspace_id = $1',
    [home.uuid],
  )
  advance(1)
  await make()
  advance(1)
  await host.sql.query(allDue, [home.uuid])
  await sweep()
  const points = await home.points(`from=${first}`)
  assert.deepEqual(
    points.map(({ tasks_open }) => tasks_open),
    [null, 1, 2, 2],
  )
})

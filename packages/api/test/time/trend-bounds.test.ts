import assert from 'node:assert/strict'
import { test } from 'node:test'

import { limits } from '@muster/contract'

import { newHome, startClocked } from './clocked.ts'

const clocked = await startClocked('2026-05-04T08:00:00Z', true)
const { clock, host } = clocked
const dayMs = 86_400_000

test('days after the last closed one are counted, unless more than 20 000 writes followed', async () => {
  const home = await newHome(clocked, 'UTC')
  assert.equal((await home.points('')).length, 1)
  await host.sql.query(
    'update workspace_counters set seq = seq + 20000 where workspace_id = $1 and seq < 20000',
    [home.uuid],
  )
  assert.deepEqual(await home.points(''), [])
})

test('days after the last closed one are counted, unless there are more than 400 days', async () => {
  const home = await newHome(clocked, 'UTC')
  const from = clock.now.toISOString().slice(0, 10)
  clock.now = new Date(clock.now.getTime() + 400 * dayMs)
  assert.equal((await home.points(`from=${from}`)).length, 401)
  clock.now = new Date(clock.now.getTime() + dayMs)
  assert.deepEqual(await home.points(`from=${from}`), [])
  clock.now = new Date(clock.now.getTime() - 401 * dayMs)
})

test('include=projects is refused with advice when it would return too many values', async () => {
  const home = await newHome(clocked, 'UTC')
  const projects = Math.floor(limits.trendValuesMax / limits.trendPointsMax) + 1
  await host.sql.query(
    `insert into days (workspace_id, day, ends_at, last_seq)
     select $1, '2024-01-01'::date + n, '2024-01-01'::timestamptz + make_interval(days => n + 1), 0
     from generate_series(0, 799) as n`,
    [home.uuid],
  )
  await host.sql.query(
    `insert into daily_figures select $1, gen_random_uuid(), '2024-01-01', array_fill(1, '{25}'),
       0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
     from generate_series(1, $2)`,
    [home.uuid, projects],
  )
  const to = new Date(Date.parse('2024-01-01') + 799 * dayMs).toISOString().slice(0, 10)
  const asked = `/v1/trend?from=2024-01-01&to=${to}`
  assert.equal((await home.read(asked)).points.length, limits.trendPointsMax)
  const { status, body } = await home.client.get(`${asked}&include=projects`)
  assert.deepEqual([status, body.code, body.parameter], [400, 'invalid_parameter', 'include'])
  assert.match(body.detail, /Use a longer `step`, a later `from`, or `project_id`\.$/)
})

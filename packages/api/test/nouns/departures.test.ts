import assert from 'node:assert/strict'
import { test } from 'node:test'

import { resumeWorkspace, suspendWorkspace } from '#domain/workspace/workspace-lifecycle'
import { code } from '#test/nouns/assigned-work'
import type { Json } from '#test/support/client'
import { sweepDue } from '#test/support/sweep'
import { startHost } from '#test/support/workspace'

import { setup, startClock } from './departures.ts'

const host = await startHost()
const clocked = await startClock(host)

const fri = '2025-11-28'
const afterFri = '2025-11-29T00:01:00Z'

test('a departure sets the last day to today, and keeps one that has passed', async () => {
  const { depart, view, make, bo, manager } = await setup(clocked, 'Pacific/Auckland')
  assert.equal((await depart({})).body.person.end_on, '2025-11-19', 'the day of the workspace')
  assert.equal((await view()).end_on, '2025-11-19')
  for (const [end_on, expected] of [
    ['2025-11-02', '2025-11-02'],
    ['2026-02-28', '2025-11-19'],
  ]) {
    const person = await make('/v1/personnel', { name: 'Cy', end_on })
    const gone = await make(`/v1/personnel/${person.id}/depart`, {})
    assert.equal(gone.person.end_on, expected)
  }
  const late = await make('/v1/personnel', { name: 'Di', start_on: '2026-01-01' })
  assert.equal((await make(`/v1/personnel/${late.id}/depart`, {})).person.end_on, null)
  const past = await manager.post(`/v1/personnel/${bo}/depart`, { departs_on: '2025-11-13' })
  assert.deepEqual([past.body.person.status, past.body.person.end_on], ['departed', '2025-11-13'])
  assert.equal(past.body.planned, null)
})

test('refuses a day before the first one, and another day for a departed person', async () => {
  const { depart, make, manager } = await setup(clocked)
  const late = await make('/v1/personnel', { name: 'Di', start_on: '2025-12-03' })
  const early = await manager.post(`/v1/personnel/${late.id}/depart`, { departs_on: fri })
  assert.deepEqual([early.status, early.body.errors[0].pointer], [422, '/departs_on'])
  await depart({ departs_on: '2025-11-18' })
  assert.equal(await code(depart({ departs_on: '2025-11-18' })), '200')
  assert.equal(await code(depart({ departs_on: '2025-11-17' })), '409 invalid_transition')
  assert.equal(await code(depart({ departs_on: fri })), '409 invalid_transition')
})

test('rejoining clears a last day that has passed', async () => {
  const { depart, manager, make, ada } = await setup(clocked)
  await depart({})
  assert.equal((await make(`/v1/personnel/${ada}/rejoin`, {})).end_on, null)
  await depart({})
  await manager.send('PATCH', `/v1/personnel/${ada}`, { body: { end_on: '2026-06-30' } })
  assert.equal((await make(`/v1/personnel/${ada}/rejoin`, {})).end_on, '2026-06-30')
})

test('a planned departure is carried out when its day has ended, by its planner', async () => {
  const { depart, plan, view, history, sweepAt, manager, make, ada, uuid } = await setup(clocked)
  await make('/v1/groups', { name: 'Crew', member_user_ids: [ada] })
  const before = await view()
  const planned = await depart({ departs_on: fri, status_reason: 'Agreed with HR.' })
  assert.equal(planned.status, 200, planned.text)
  assert.deepEqual(planned.body.person, before, 'the person is unchanged')
  const { key } = (await manager.get('/v1/whoami')).body
  const planned_by = { type: 'key', id: key.id, user_id: null }
  const expected = { user_id: ada, departs_on: fri, status_reason: 'Agreed with HR.' }
  assert.partialDeepStrictEqual(planned.body.planned, { ...expected, planned_by, refusal: null })
  assert.partialDeepStrictEqual(await plan(), { ...expected, handover: null })
  assert.deepEqual((await manager.get('/v1/departures')).body.data, [planned.body.planned])

  await sweepAt('2025-11-28T23:59:59Z')
  assert.deepEqual(await view(), before, 'the person can work until midnight')
  await sweepAt(afterFri)
  const after = await view()
  assert.partialDeepStrictEqual(after, {
    status: 'departed',
    status_reason: 'Agreed with HR.',
    end_on: fri,
    group_ids: [],
  })
  assert.equal(await plan(), null)
  const [last] = (await history()).slice(-1)
  assert.partialDeepStrictEqual(last, { type: 'person.departed', is_planned: true })
  assert.deepEqual({ ...last.actor, name: undefined }, { ...planned_by, name: undefined })
  assert.ok(last.changes.some(({ field, to }: Json) => field === 'end_on' && to === fri))
  const { rows } = await host.sql.query(
    'select type, data from events where workspace_id = $1 and seq = $2 order by position',
    [uuid, after.version],
  )
  assert.deepEqual(
    rows.map(({ type, data }) => [type, data.is_planned]),
    [
      ['person.departed', true],
      ['group.member_removed', true],
    ],
  )
  const audit = (await manager.get('/v1/audit?type=person.departed')).body.data
  assert.equal(audit.length, 1)
  assert.partialDeepStrictEqual(audit[0], { user_id: ada, actor: planned_by })
  assert.equal(audit[0].reason, `planned ${planned.body.planned.planned_at}`)

  await sweepAt('2025-11-30T00:01:00Z')
  assert.deepEqual(await view(), after, 'a repeated sweep changes nothing')
})

test('planning again replaces the plan, cancelling ends it, and departing at once too', async () => {
  const { depart, plan, view, sweepAt, manager, planPath, ada } = await setup(clocked)
  assert.equal(await code(manager.get(planPath)), '404 not_found')
  assert.equal(await code(manager.send('DELETE', planPath)), '404 not_found')
  await depart({ departs_on: fri, status_reason: 'First' })
  await depart({ departs_on: '2025-12-05', if_assigned: 'fail' })
  assert.partialDeepStrictEqual(await plan(), {
    departs_on: '2025-12-05',
    status_reason: null,
    if_assigned: 'fail',
  })
  await sweepAt(afterFri)
  assert.equal((await view()).status, 'active')
  const cancelled = await manager.send('DELETE', planPath)
  assert.partialDeepStrictEqual(cancelled.body, { user_id: ada, departs_on: '2025-12-05' })
  await sweepAt('2025-12-06T00:01:00Z')
  assert.equal((await view()).status, 'active')
  await depart({ departs_on: '2025-12-11' })
  await depart({})
  assert.deepEqual((await manager.get('/v1/departures')).body.data, [])
})

test('end_on plans nothing', async () => {
  const { manager, plan, view, sweepAt, ada } = await setup(clocked)
  await manager.send('PATCH', `/v1/personnel/${ada}`, { body: { end_on: fri } })
  assert.equal(await plan(), null)
  await sweepAt(afterFri)
  assert.equal((await view()).status, 'active')
})

const zones: [zone: string, day: string, before: string, after: string][] = [
  // UTC+13 in summer.
  ['Pacific/Auckland', fri, '2025-11-28T10:59:59Z', '2025-11-28T11:00:00Z'],
  ['America/Los_Angeles', fri, '2025-11-29T07:59:59Z', '2025-11-29T08:00:00Z'],
  // The days on which clocks change: 23 and 25 hours.
  ['America/Los_Angeles', '2026-03-08', '2026-03-09T06:59:59Z', '2026-03-09T07:00:00Z'],
  ['Pacific/Auckland', '2026-04-05', '2026-04-05T11:59:59Z', '2026-04-05T12:00:00Z'],
  // Clocks change at midnight: the next day begins at 01:00.
  ['Africa/Cairo', '2026-04-23', '2026-04-23T21:59:59Z', '2026-04-23T22:00:00Z'],
]
for (const [zone, departs_on, before, after] of zones) {
  test(`carries out a departure when ${departs_on} ends in ${zone}`, async () => {
    const { depart, view, sweepAt } = await setup(clocked, zone)
    assert.equal((await depart({ departs_on })).body.planned.departs_on, departs_on)
    await sweepAt(before)
    assert.equal((await view()).status, 'active')
    await sweepAt(after)
    const { status, end_on } = await view()
    assert.deepEqual([status, end_on], ['departed', departs_on])
  })
}

test('today is the day of the workspace: it departs at once, and tomorrow is planned', async () => {
  const { depart, make, manager } = await setup(clocked, 'Pacific/Auckland')
  clocked.clock.now = new Date('2025-11-18T11:00:00Z')
  assert.equal((await depart({ departs_on: '2025-11-19' })).body.person.status, 'departed')
  const cy = await make('/v1/personnel', { name: 'Cy' })
  const later = await manager.post(`/v1/personnel/${cy.id}/depart`, { departs_on: '2025-11-20' })
  assert.equal(later.body.person.status, 'active')
})

test('the sweep finds the workspace, also after its zone changed and after a suspension', async () => {
  const { depart, view, manager, make, id, uuid, admin } = await setup(clocked, 'Pacific/Auckland')
  const { sweeper, clock } = clocked
  const sweepAt = async (time: string) => {
    clock.now = new Date(time)
    await sweepDue(sweeper)
  }
  await depart({ departs_on: fri })
  await sweepAt('2025-11-27T11:01:00Z')
  await manager.send('PATCH', '/v1/workspace', { body: { time_zone: 'America/Los_Angeles' } })
  await sweepAt('2025-11-28T11:01:00Z')
  assert.equal((await view()).status, 'active')
  await sweepAt('2025-11-29T08:01:00Z')
  assert.equal((await view()).status, 'departed')

  const cy = await make('/v1/personnel', { name: 'Cy' })
  await make(`/v1/personnel/${cy.id}/depart`, { departs_on: '2025-12-02' })
  await suspendWorkspace(admin)
  await sweepAt('2025-12-03T08:01:00Z')
  const statusOf = async () =>
    (
      await host.sql.query(`select status from people where workspace_id = $1 and name = 'Cy'`, [
        uuid,
      ])
    ).rows[0]
  assert.equal((await statusOf()).status, 'active', `${id} is suspended: its people wait`)
  await resumeWorkspace(admin)
  await sweepAt('2025-12-03T09:01:00Z')
  assert.equal((await view(cy.id)).status, 'departed')
})

test('the handover is checked when it is planned and applied with the departure', async () => {
  const { depart, plan, view, sweepAt, make, manager, ada, bo, client } = await setup(clocked)
  const project = await make('/v1/projects', { code: 'DAM', name: 'Dam', owner_user_id: ada })
  const task = async (title: string) =>
    make(`/v1/projects/${project.id}/tasks`, { title, assignee_user_id: ada })
  const [one, two] = [await task('One'), await task('Two')]
  const items = [
    { type: 'project', id: project.id, to_user_id: bo },
    ...[one, two].map(({ id }) => ({ type: 'task', id, to_user_id: bo })),
  ]
  const roster = await client('personnel.manage')
  const lacking = await depart({ departs_on: fri, handover: { items } }, roster)
  assert.equal(`${lacking.status} ${lacking.body.required_scope}`, '403 projects.manage')
  const self = await depart({ departs_on: fri, handover: { to_user_id: ada } })
  assert.equal(self.body.errors[0].pointer, '/handover/to_user_id')
  const other = [{ ...items[0], id: (await make('/v1/projects', { code: 'BAY', name: 'Bay' })).id }]
  const unknown = await depart({ departs_on: fri, handover: { items: other } })
  assert.equal(unknown.body.errors[0].pointer, '/handover/items/0/id')

  const planned = await depart({ departs_on: fri, handover: { items } })
  assert.deepEqual(planned.body.open_assignments, { projects: 0, risks: 0, issues: 0, tasks: 0 })
  assert.deepEqual((await plan()).handover, { items })
  const ownerOf = async () => (await manager.get(`/v1/projects/${project.id}`)).body.owner_user_id
  assert.equal(await ownerOf(), ada, 'nothing is reassigned yet')
  await manager.send('PATCH', `/v1/projects/${project.id}/tasks/${two.id}`, {
    body: { status: 'done' },
  })
  const third = await task('Three')
  await sweepAt(afterFri)
  assert.equal((await view()).status, 'departed')
  assert.equal(await ownerOf(), bo)
  const tasks = (await manager.get('/v1/tasks?status=todo,done')).body.data as Json[]
  const assignees = new Map(tasks.map(({ id, assignee_user_id }) => [id, assignee_user_id]))
  assert.deepEqual(
    [one, two, third].map(({ id }) => assignees.get(id)),
    [bo, ada, ada],
    'work that is done or new stays',
  )
  const steps = (await manager.get(`/v1/projects/${project.id}/history`)).body.data as Json[]
  assert.partialDeepStrictEqual(steps.at(-1), { type: 'project.updated', is_planned: true })
})

test('a departure at once reassigns the work in the same write', async () => {
  const { depart, make, manager, ada, bo } = await setup(clocked)
  const project = await make('/v1/projects', { code: 'DAM', name: 'Dam', owner_user_id: ada })
  await make('/v1/projects', { code: 'BAY', name: 'Bay', owner_user_id: ada })
  const handover = { to_user_id: bo, project_id: project.id }
  const refused = await depart({ handover, if_assigned: 'fail' })
  assert.deepEqual(refused.body.open_assignments, { projects: 1, risks: 0, issues: 0, tasks: 0 })
  assert.equal((await manager.get(`/v1/projects/${project.id}`)).body.owner_user_id, ada)
  const { body } = await depart({ handover })
  assert.equal(body.open_assignments.projects, 1)
  const after = (await manager.get(`/v1/projects/${project.id}`)).body
  assert.deepEqual([after.owner_user_id, after.version], [bo, body.person.version])
  assert.equal(await code(depart({ handover })), '409 invalid_transition')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { makeDemoKeys, seed } from '@muster/api/seed'

import { Sweeper } from '#domain/workspace/sweep'
import { createPool } from '#storage/connection/pool'
import { Database } from '#storage/transaction/database'
import { findDrift } from '#test/drift/drift'
import { Client, type Json } from '#test/support/client'
import { longTimeouts } from '#test/support/long-timeouts'
import { startHost } from '#test/support/workspace'

const host = await startHost()
const { workspaceId, isNew } = await seed(host.owner)
const keys = await makeDemoKeys(host.owner, workspaceId)
const reader = new Client(host.base, keys.reader)

const all = async (path: string): Promise<Json[]> => {
  const { status, body, text } = await reader.get(path)
  assert.equal(status, 200, text)
  return body.data
}

const refs = (items: Json[]) => items.map(({ ref }): string => ref)

/** Every risk or issue of any status, by ref. */
const everyItem = async (noun: 'risks' | 'issues'): Promise<Map<string, Json>> => {
  const projects = [...(await all('/v1/projects')), ...(await all('/v1/projects?status=archived'))]
  const items: Json[] = []
  for (const { id } of projects) items.push(...(await all(`/v1/projects/${id}/${noun}`)))
  return new Map(items.map((item) => [item.ref, item]))
}

test('seeds a database once', async () => {
  assert.ok(isNew)
  assert.deepEqual(await seed(host.owner), { workspaceId, isNew: false })
})

test('seeds 40 people, groups, eight projects, and risks in every cell of the matrix', async () => {
  const { usage } = (await reader.get('/v1/whoami')).body
  assert.equal(usage.people, 40)
  assert.equal(usage.projects, 8)
  const risks = await all('/v1/risks')
  const cells = new Set(risks.map((risk: Json) => `${risk.likelihood}x${risk.impact}`))
  assert.equal(cells.size, 25)
  assert.equal(usage.live_risks, risks.length)
  const issues = await all('/v1/issues')
  assert.equal(usage.open_issues, issues.length)
  const severities = new Set(issues.map(({ severity }: Json) => severity))
  assert.equal(severities.size, 5)
  assert.equal((await all('/v1/groups')).length, usage.groups)
  assert.equal(usage.groups, 7)
  const { rows } = await host.sql.query(
    `select count(*) filter (where status = 'closed')::int as closed from issues`,
  )
  assert.ok(rows[0].closed > 0, 'some issues are closed')
})

test('contains the examples of the documentation', async () => {
  const uplift = (await all('/v1/risks?q=DAM-R12'))[0]
  assert.equal(uplift.title, 'Uplift under the stilling basin')
  assert.equal(uplift.score, 12)
  assert.equal(uplift.previous_score, 16)
  const crane = (await all('/v1/issues?q=crane'))[0]
  assert.equal(crane.ref, 'DAM-I7')
  const mara = await all('/v1/personnel?q=lind')
  assert.ok(mara.some(({ name }: Json) => name === 'Mara Lindqvist'))
})

test('seeds about 40 tasks: for risks, issues and neither; open and closed', async () => {
  const open = await all('/v1/tasks')
  const over = await all('/v1/tasks?status=done,cancelled')
  const tasks = [...open, ...over]
  assert.ok(tasks.length >= 40)
  assert.ok(tasks.some(({ risk_id }) => risk_id !== null))
  assert.ok(tasks.some(({ issue_id }) => issue_id !== null))
  assert.ok(tasks.some(({ risk_id, issue_id }) => risk_id === null && issue_id === null))
  const statuses = new Set(tasks.map(({ status }) => status))
  assert.equal(statuses.size, 5)
  assert.ok(over.every(({ status, completed_at }) => (status === 'done') === !!completed_at))
})

test('seeds reviewed, accepted, reopened and occurred risks', async () => {
  const risks = await everyItem('risks')
  const issues = await everyItem('issues')
  const tunnel = risks.get('TUN-R1')
  assert.deepEqual([tunnel.score, tunnel.previous_score], [25, 20])
  const history = await all(`/v1/projects/${tunnel.project_id}/risks/${tunnel.id}/history`)
  const reviews = history.filter(({ type }) => type === 'risk.reviewed')
  assert.equal(reviews.length, 4)
  assert.ok(reviews.every(({ note }) => typeof note === 'string'))
  const accepted = [...risks.values()].filter(({ acceptance }) => acceptance !== null)
  assert.ok(accepted.length >= 5)
  assert.ok(accepted.every(({ response }) => response === 'accept'))
  const occurred = [...risks.values()].filter(({ status }) => status === 'occurred')
  assert.deepEqual(refs(occurred).toSorted(), ['BRG-R14', 'DAM-R17', 'MOVE-R5'])
  for (const { id, issue_ids } of occurred) {
    const became = [...issues.values()].filter(({ risk_id }) => risk_id === id)
    assert.deepEqual(
      became.map((issue) => issue.id),
      issue_ids,
    )
  }
  assert.equal(risks.get('TUN-R3').status, 'identified')
  assert.equal(risks.get('CTRL-R7').issue_ids[0], issues.get('CTRL-I4').id)
  assert.equal(issues.get('CTRL-I4').close_reason, 'resolved')
  assert.equal(issues.get('DAM-I1').reopened_count, 1)
})

test('seeds people who were promoted, suspended and rejoined, with reasons', async () => {
  const roster = await all('/v1/personnel')
  const named = (name: string) => roster.find((person) => person.name === name)
  const typesOf = async ({ id }: Json) =>
    (await all(`/v1/personnel/${id}/history`)).map(({ type }): string => type)
  const suspended = roster.filter(({ status }) => status === 'suspended')
  assert.equal(suspended.length, 2)
  assert.ok(suspended.every(({ status_reason, assignable }) => status_reason && !assignable))
  const leila = named('Leïla Benhaddou')
  assert.equal(leila.title, 'Senior instrumentation engineer')
  assert.equal(leila.manager_user_id, named('Åsa Öhman').id)
  assert.ok((await typesOf(leila)).includes('person.updated'))
  const lena = named('Lena Grünwald')
  assert.deepEqual([lena.status, lena.status_reason], ['active', 'The trial is over.'])
  const aino = named('Aino Mäkelä')
  assert.equal(aino.status, 'active')
  const life = (await typesOf(aino)).filter((type) => type.startsWith('person.'))
  assert.deepEqual(life, ['person.created', 'person.departed', 'person.rejoined'])
  assert.equal(aino.group_ids.length, 1, 'she left all groups and joined one again')
})

test('seeds three departed people: without assignments, with assignments, and erased', async () => {
  const [viggo, tuuli, otmar, ...others] = await all('/v1/personnel?status=departed')
  assert.deepEqual([viggo.name, tuuli.name], ['Viggo Brandt-Nielsen', 'Tuuli Rannamäe'])
  assert.deepEqual([otmar.name, otmar.email], ['Erased person', null])
  assert.equal(otmar.end_on, otmar.status_changed_at.slice(0, 10), 'he left on his last day')
  assert.equal(others.length, 0)
  assert.ok([viggo, tuuli, otmar].every(({ group_ids }) => group_ids.length === 0))
  const heldBy = async ({ id }: Json) => refs(await all(`/v1/personnel/${id}/assignments`))
  assert.deepEqual(await heldBy(viggo), [])
  assert.deepEqual(await heldBy(tuuli), ['TUN-I2', 'TUN-T2'])
  const [plate] = await all('/v1/risks?q=BRG-R4&include=people')
  assert.equal(plate.owner.name, 'Bartosz Święcicki')
  const history = await all(`/v1/projects/${plate.project_id}/risks/${plate.id}/history`)
  const { changes } = history.at(-1)
  assert.deepEqual([changes[0].field, changes[0].from], ['owner_user_id', viggo.id])
  const done = await all(`/v1/tasks?status=done&assignee_user_id=${otmar.id}`)
  assert.deepEqual(refs(done), ['FLOOD-T1'], 'completed tasks of the erased person stay assigned')
})

test('seeds an archived group whose leads are on the roster', async () => {
  const [archived, ...others] = await all('/v1/groups?status=archived')
  assert.deepEqual([archived.name, others.length], ['Flood-warning handover', 0])
  const members = await all(`/v1/groups/${archived.id}/members`)
  assert.equal(archived.member_count, 3)
  assert.equal(members.length, 3)
  const leads = members.filter(({ is_lead }) => is_lead).map(({ user_id }) => user_id)
  assert.deepEqual(leads, archived.lead_user_ids)
  const [zoe] = await all(`/v1/personnel?user_id=${leads.join(',')}`)
  assert.equal(zoe.name, 'Zoë van Rijn')
})

test('seeds an archived project whose transferred items keep their refs', async () => {
  const [archived, ...others] = await all('/v1/projects?status=archived')
  assert.deepEqual([archived.code, others.length], ['PIPE', 0])
  const [pump] = await all('/v1/projects?q=PUMP')
  const here = `project_id=${pump.id}`
  assert.ok(refs(await all(`/v1/risks?${here}`)).includes('PIPE-R1'))
  assert.ok(refs(await all(`/v1/issues?${here}`)).includes('PIPE-I1'))
  assert.ok(refs(await all(`/v1/tasks?${here}`)).includes('PIPE-T1'))
  const left = await all(`/v1/projects/${archived.id}/risks`)
  assert.deepEqual(
    left.map(({ ref, status }) => [ref, status]),
    [['PIPE-R3', 'closed']],
  )
})

test('leaves no workspace for the sweeper', async () => {
  const overdue = await all('/v1/risks?flag=review_overdue')
  assert.ok(refs(overdue).includes('TUN-R5'))
  const above = await all('/v1/risks?flag=above_appetite')
  assert.equal(above[0].ref, 'TUN-R1')
  assert.ok(refs(await all('/v1/issues?flag=overdue')).includes('FLOOD-I3'))

  await using service = new Database(
    createPool({ url: host.url, role: 'muster_app', max: 2, timeouts: longTimeouts }),
  )
  assert.deepEqual(await new Sweeper(service).due(null, 10), [])
})

test('returns a summary equal to the register', async () => {
  const { body } = await reader.get('/v1/risks/summary')
  const risks = await all('/v1/risks')
  const flagged = risks.filter(({ flags }) => flags.includes('above_appetite'))
  assert.equal(body.count, risks.length)
  assert.equal(body.by_flag.above_appetite, flagged.length)
  assert.equal(body.cells.length, 25)
  const counts = body.by_project.map(({ count }: Json) => count)
  assert.equal(
    counts.reduce((sum: number, count: number) => sum + count, 0),
    risks.length,
  )
})

test('finds no drift in the seed data', async () => {
  const today = new Date().toISOString().slice(0, 10)
  assert.deepEqual(await findDrift(host.sql, { today }), [])
})

test('issues demo keys with the documented scopes, and revokes older ones', async () => {
  const unprivileged = new Client(host.base, keys.unscoped)
  assert.equal((await unprivileged.get('/v1/personnel')).status, 403)
  assert.equal((await reader.post('/v1/personnel', { name: 'x' })).status, 403)
  const manager = new Client(host.base, keys.manager)
  assert.equal((await manager.post('/v1/personnel', { name: 'x' })).status, 201)
  await makeDemoKeys(host.owner, workspaceId)
  assert.equal((await manager.get('/v1/whoami')).body.code, 'key_revoked')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { bindKey } from '#test/auth/views/bound-keys'
import type { Json, Reply } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()

const risks = '/v1/projects/risks/batch'
const issues = '/v1/projects/issues/batch'
const tasks = '/v1/projects/tasks/batch'
const projects = '/v1/projects/batch'
const risk = { title: 'Any', likelihood: 1, impact: 1 }

async function done(reply: Promise<Reply>): Promise<Json> {
  const { status, body, text } = await reply
  assert.equal(status, 200, text)
  return body
}

/** The errors of a batch, as pointer and code. */
function errorsOf({ status, body, text }: Reply): string[] {
  assert.equal(status, 422, text)
  return body.errors.map(({ pointer, code }: Json) => `${pointer} ${code}`)
}

let codes = 0
async function newProjects(count: number): Promise<{ id: string; code: string }[]> {
  const data = Array.from({ length: count }, () => ({ code: `A${(codes += 1)}`, name: 'Any' }))
  return (await done(manager.post(projects, { data }))).data
}

const tagOf = async (path: string) => (await manager.get(path)).headers.get('etag')

test('rows name their projects by code or id, and take the next numbers of each', async () => {
  const [one, two] = (await newProjects(2)) as [Json, Json]
  const data = [
    { ...risk, project_code: one.code, external_id: 'across-1' },
    { ...risk, project_id: two.id, external_id: 'across-2' },
    { ...risk, project_id: one.id, project_code: one.code, external_id: 'across-3' },
  ]
  const made = await done(manager.post(`${risks}?match=external_id`, { data }))
  assert.deepEqual(
    made.data.map(({ ref }: Json) => ref),
    [`${one.code}-R1`, `${two.code}-R1`, `${one.code}-R2`],
  )
  const tag = await tagOf('/v1/risks')
  const again = await done(manager.post(`${risks}?match=external_id`, { data }))
  assert.equal(again.unchanged, 3)
  assert.equal(await tagOf('/v1/risks'), tag)
  // A row that finds its record needs no project.
  const [, , { project_code: _, project_id: __, ...row }] = data as [Json, Json, Json]
  const changed = await done(
    manager.post(`${risks}?match=external_id`, { data: [{ ...row, title: 'Other' }] }),
  )
  assert.deepEqual(changed.outcomes, ['changed'])
  const next = await manager.post(`/v1/projects/${one.id}/risks`, risk)
  assert.equal(next.body.ref, `${one.code}-R3`)
})

test('the register and the lists of open items go back unchanged as CSV', async () => {
  const [one, two] = (await newProjects(2)) as [Json, Json]
  for (const { id } of [one, two]) {
    await manager.post(`/v1/projects/${id}/issues`, { title: 'Any', severity: 2 })
    await manager.post(`/v1/projects/${id}/tasks`, { title: 'Any' })
  }
  const paths = { '/v1/risks': risks, '/v1/issues': issues, '/v1/tasks': tasks }
  for (const [list, batch] of Object.entries(paths)) {
    const { text } = await manager.get(list, { accept: 'text/csv' })
    const tag = await tagOf(list)
    const headers = { 'content-type': 'text/csv' }
    const back = await done(manager.send('POST', batch, { body: text, headers }))
    assert.ok(back.count > 1, list)
    assert.equal(back.unchanged, back.count, list)
    assert.equal(await tagOf(list), tag, list)
  }
})

test('each row without a project, or with a wrong one, has its error', async () => {
  const [one, two] = (await newProjects(2)) as [Json, Json]
  const here = await done(manager.post(risks, { data: [{ ...risk, project_id: one.id }] }))
  const [{ id }] = here.data
  const archived = (await newProjects(1))[0] as Json
  await manager.post(`/v1/projects/${archived.id}/archive`, {})
  const refused = await manager.post(risks, {
    data: [
      risk,
      { ...risk, project_code: 'NONE' },
      { ...risk, project_id: 'prj_01ktrr9d3hen4v9q9t9m2g8x5c' },
      { ...risk, project_id: one.id, project_code: two.code },
      { id, project_id: two.id },
      { id, project_code: two.code },
      { ...risk, project_code: archived.code },
      { id: 'rsk_01ktrr9d3hen4v9q9t9m2g8x5c', title: 'Any' },
    ],
  })
  assert.deepEqual(errorsOf(refused), [
    '/data/0/project_code required',
    '/data/1/project_code unknown_reference',
    '/data/2/project_id unknown_reference',
    '/data/3/project_code conflicting_fields',
    '/data/4/project_id read_only_field',
    '/data/5/project_code read_only_field',
    '/data/6 project_archived',
    '/data/7/id not_found',
  ])
})

test('the rows are of at most 50 projects', async () => {
  const many = await newProjects(51)
  const rowsOf = (count: number) => ({
    data: many.slice(0, count).map(({ code }) => ({ ...risk, project_code: code })),
  })
  assert.equal((await done(manager.post(risks, rowsOf(50)))).created, 50)
  const refused = await manager.post(risks, rowsOf(51))
  assert.equal(`${refused.status} ${refused.body.code}`, '409 too_many_items')
  assert.deepEqual([refused.body.count, refused.body.limit], [51, 50])
})

test('tasks name risks and issues by reference', async () => {
  const [one, two] = (await newProjects(2)) as [Json, Json]
  const made = await done(manager.post(risks, { data: [{ ...risk, project_id: one.id }] }))
  const issue = { title: 'Any', severity: 1, project_id: two.id }
  const opened = await done(manager.post(issues, { data: [issue] }))
  const [{ ref: riskRef, id: riskId }] = made.data
  const [{ ref: issueRef, id: issueId }] = opened.data
  const data = [
    { title: 'Treat', project_id: one.id, risk_ref: riskRef, external_id: 'treat' },
    { title: 'Solve', project_id: two.id, issue_ref: issueRef, external_id: 'solve' },
  ]
  const upsert = (rows: object[]) => manager.post(`${tasks}?match=external_id`, { data: rows })
  const added = await done(upsert(data))
  assert.deepEqual([added.data[0].risk_id, added.data[1].issue_id], [riskId, issueId])
  assert.equal((await done(upsert(data))).unchanged, 2)
  const [first, second] = data as [Json, Json]
  const errors = await upsert([
    { ...first, risk_ref: `${one.code}-R99` },
    { ...second, risk_ref: riskRef },
    { ...first, external_id: 'both', issue_id: issueId },
  ])
  assert.deepEqual(errorsOf(errors), [
    '/data/0/risk_ref unknown_reference',
    '/data/1/risk_ref unknown_reference',
    '/data/2/issue_id contradiction',
  ])
  const other = (await manager.post(`/v1/projects/${one.id}/risks`, risk)).body
  const both = { ...first, risk_id: other.id }
  assert.deepEqual(errorsOf(await upsert([both])), ['/data/0/risk_ref conflicting_fields'])
  const elsewhere = { title: 'Far', project_id: two.id, risk_ref: riskRef, external_id: 'far' }
  assert.deepEqual(errorsOf(await upsert([elsewhere])), ['/data/0/risk_ref unknown_reference'])
  const cleared = await done(upsert([{ ...first, risk_ref: null }]))
  assert.equal(cleared.data[0].risk_id, null)
})

test('projects are matched by code and by external id', async () => {
  const owner = { name: 'Owner', email: 'across.owner@example.com' }
  const { id: ownerId } = (await manager.post('/v1/personnel', owner)).body
  const data = [
    { code: 'MATCH1', name: 'One', owner_email: owner.email, external_id: 'match-1' },
    { code: 'MATCH2', name: 'Two' },
  ]
  const made = await done(manager.post(`${projects}?match=code`, { data }))
  assert.deepEqual(made.outcomes, ['created', 'created'])
  assert.equal(made.data[0].owner_user_id, ownerId)
  const edited = [{ ...data[0], name: 'First' }, data[1]]
  const again = await done(manager.post(`${projects}?match=code`, { data: edited }))
  assert.deepEqual(again.outcomes, ['changed', 'unchanged'])
  const byId = { external_id: 'match-1', name: 'One' }
  const changed = await done(manager.post(`${projects}?match=external_id`, { data: [byId] }))
  assert.deepEqual([changed.outcomes[0], changed.data[0].code], ['changed', 'MATCH1'])
  const { text } = await manager.get('/v1/projects', { accept: 'text/csv' })
  const headers = { 'content-type': 'text/csv' }
  const back = await done(manager.send('POST', projects, { body: text, headers }))
  assert.equal(back.unchanged, back.count)
})

test('each wrong row of projects has its error', async () => {
  const [one, two, gone] = (await newProjects(3)) as [Json, Json, Json]
  await manager.post(`/v1/projects/${gone.id}/archive`, {})
  const refused = await manager.post(projects, {
    data: [
      { code: one.code, name: 'Taken' },
      { code: 'TWICE', name: 'A' },
      { code: 'TWICE', name: 'B' },
      { id: one.id, code: 'OTHER' },
      { id: two.id, status: 'archived' },
      { id: gone.id, name: 'Other' },
      { code: 'DATES', name: 'A', starts_on: '2027-02-01', due_on: '2027-01-01' },
      { name: 'No code' },
      { code: 'HEALTH', name: 'A', health_set_at: '2026-01-01T00:00:00.000Z' },
      { code: 'ARCHIVED', name: 'A', status: 'archived' },
    ],
  })
  assert.deepEqual(errorsOf(refused), [
    '/data/0/code project_code_taken',
    '/data/2/code project_code_taken',
    '/data/3/code read_only_field',
    '/data/4/status not_allowed',
    '/data/5 project_archived',
    '/data/6/due_on out_of_order',
    '/data/7/code required',
    '/data/8/health_set_at read_only_field',
    '/data/9/status not_allowed',
  ])
  const { text } = await manager.get('/v1/projects?status=archived', { accept: 'text/csv' })
  const headers = { 'content-type': 'text/csv' }
  const back = await done(manager.send('POST', projects, { body: text, headers }))
  assert.equal(back.unchanged, back.count)
})

test('an appetite needs the right to change it, in a batch too', async () => {
  const [one] = (await newProjects(1)) as [Json]
  const key = await home.key('projects.manage')
  const alone = await key.send('PATCH', `/v1/projects/${one.id}`, { body: { risk_appetite: 5 } })
  const { status, body } = await key.post(projects, { data: [{ id: one.id, risk_appetite: 5 }] })
  assert.deepEqual(
    [alone.status, status, body.errors?.[0].code],
    alone.status === 200 ? [200, 200, undefined] : [403, 422, alone.body.code],
  )
})

test('a key bound to projects changes these, creates none, and learns nothing of others', async () => {
  const [mine, hidden] = (await newProjects(2)) as [Json, Json]
  const item = { ...risk, project_id: hidden.id, external_id: 'hidden-risk' }
  const { data } = await done(manager.post(risks, { data: [item] }))
  const { client } = await bindKey(manager, [mine.id])
  const send = (path: string, row: object) => client.post(path, { data: [row] })
  const own = await done(send(risks, { ...risk, project_code: mine.code }))
  assert.equal(own.created, 1)
  const unknown = { id: 'rsk_01ktrr9d3hen4v9q9t9m2g8x5c', ref: 'ZZ-R1', code: 'ZZ' }
  const pairs: [string, Json, Json][] = [
    [risks, { ...risk, project_code: hidden.code }, { ...risk, project_code: unknown.code }],
    [risks, { id: data[0].id, title: 'A' }, { id: unknown.id, title: 'A' }],
    [`${risks}?match=ref`, { ref: data[0].ref, title: 'A' }, { ref: unknown.ref, title: 'A' }],
    [
      `${tasks}?match=external_id`,
      { title: 'A', external_id: 'x', project_id: mine.id, risk_ref: data[0].ref },
      { title: 'A', external_id: 'x', project_id: mine.id, risk_ref: unknown.ref },
    ],
    [`${projects}?match=code`, { code: hidden.code, name: 'A' }, { code: 'ZZ', name: 'A' }],
  ]
  for (const [path, row, made] of pairs) {
    const [refused, missing] = [await send(path, row), await send(path, made)]
    const plain = ({ text }: Reply, sent: Json) =>
      Object.values(sent)
        .reduce((rest: string, value) => rest.replaceAll(String(value), 'VALUE'), text)
        .replaceAll(/req_\w+/g, 'REQ')
    assert.equal(refused.status, 422, refused.text)
    assert.equal(plain(refused, row), plain(missing, made), path)
  }
  // That an external id is taken is all that a bound key learns.
  const taken = { ...risk, project_id: mine.id, external_id: 'hidden-risk' }
  const refused = await send(`${risks}?match=external_id`, taken)
  assert.deepEqual(errorsOf(refused), ['/data/0/external_id external_id_taken'])
  assert.ok(!refused.text.includes(hidden.id) && !refused.text.includes(data[0].id))
})

test('a closed row with an empty time has the same effect once and twice', async () => {
  const [one] = (await newProjects(1)) as [Json]
  const closed = { status: 'closed', closed_at: null, project_code: one.code }
  const rows: Record<string, [Json, string]> = {
    [risks]: [{ ...risk, ...closed, close_reason: 'treated' }, 'closed_at'],
    [issues]: [{ title: 'Any', severity: 1, ...closed, close_reason: 'resolved' }, 'closed_at'],
    [tasks]: [
      { title: 'Any', status: 'done', completed_at: null, project_code: one.code },
      'completed_at',
    ],
  }
  for (const [path, [row, field]] of Object.entries(rows)) {
    const data = [{ ...row, external_id: 'twice' }]
    const first = await done(manager.post(`${path}?match=external_id`, { data }))
    assert.ok(first.data[0][field])
    const again = await done(manager.post(`${path}?match=external_id`, { data }))
    assert.deepEqual([again.unchanged, again.data], [1, first.data], path)
  }
})

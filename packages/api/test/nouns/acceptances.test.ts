import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

import { Client, type Json, type Reply } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()

async function ok(promised: Promise<Reply>): Promise<Json> {
  const reply = await promised
  assert.ok(reply.status < 300, reply.text)
  return reply.body
}

const make = (path: string, body: object) => ok(manager.post(path, body))
const ada = await make('/v1/personnel', { name: 'Ada' })
const bo = await make('/v1/personnel', { name: 'Bo' })

let projects = 0
async function newProject(about: object = {}): Promise<string> {
  projects += 1
  const project = await make('/v1/projects', { code: `P${projects}`, name: 'Dam', ...about })
  return `/v1/projects/${project.id}`
}

const newRisk = async (project: string, about: object = {}) =>
  make(`${project}/risks`, { title: 'Uplift', likelihood: 3, impact: 4, ...about })

const accept = (project: string, risk: Json, about: object = {}) =>
  make(`${project}/risks/${risk.id}/accept`, {
    accepted_by_user_id: ada.id,
    expires_on: '2099-12-31',
    rationale: 'Cheaper to repair.',
    ...about,
  })

const list = async (query = '') => (await ok(manager.get(`/v1/acceptances${query}`))).data
const ofRisk = (risk: Json, also = '') => list(`?risk_id=${risk.id}${also}`)
const inProject = (path: string) => path.replace('/v1/projects/', '')

test('keeps the appetite and the score of the time of the acceptance', async () => {
  const project = await newProject({ risk_appetite: 10 })
  const risk = await newRisk(project)
  const { acceptance, ...accepted } = await accept(project, risk)
  const kept = { risk_appetite: 10, likelihood: 3, impact: 4, score: 12, level: 'high' }
  assert.partialDeepStrictEqual(acceptance, kept)
  await ok(manager.send('PATCH', project, { body: { risk_appetite: 20, name: 'Weir' } }))
  const title = 'Uplift of the slab'
  await ok(manager.send('PATCH', `${project}/risks/${risk.id}`, { body: { title } }))
  const review = { likelihood: 1, note: 'Drains are clear.' }
  const reviewed = await make(`${project}/risks/${risk.id}/review`, review)
  assert.deepEqual([reviewed.score, reviewed.acceptance], [4, acceptance])
  const [listed, ...others] = await ofRisk(risk, '&include=people')
  assert.deepEqual(others, [])
  assert.deepEqual(listed, {
    risk_id: risk.id,
    ref: risk.ref,
    title: 'Uplift',
    project_id: risk.project_id,
    project: { id: risk.project_id, code: accepted.ref.split('-')[0], name: 'Weir' },
    accepted_by: { user_id: ada.id, name: 'Ada' },
    status: 'active',
    ...acceptance,
    ended_at: null,
    end_reason: null,
  })
  const { data } = await ok(manager.get(`${project}/risks/${risk.id}/history`))
  const { changes } = data.find(({ type }: Json) => type === 'risk.accepted')
  const { level: _, ...stored } = acceptance
  assert.deepEqual(
    changes.find(({ field }: Json) => field === 'acceptance'),
    { field: 'acceptance', from: null, to: stored },
  )
})

test('lists renewed, withdrawn and closed acceptances with their end', async () => {
  const project = await newProject({ risk_appetite: 10 })
  const risk = await newRisk(project)
  const one = await accept(project, risk)
  const same = await accept(project, risk)
  assert.equal(same.version, one.version, 'the same acceptance again changes nothing')
  await make(`${project}/risks/${risk.id}/review`, { impact: 5, note: 'Worse.' })
  const two = await accept(project, risk)
  assert.equal(two.acceptance.score, 15, 'the same words at another score are a new acceptance')
  const patch = { response: 'reduce' }
  const back = await ok(manager.send('PATCH', `${project}/risks/${risk.id}`, { body: patch }))
  const three = await accept(project, risk, { accepted_by_user_id: bo.id })
  const path = `${project}/risks/${risk.id}`
  const closed = await make(`${path}/close`, { close_reason: 'avoided' })
  const shown = async () =>
    (await ofRisk(risk)).map((each: Json) => [
      each.accepted_at,
      each.score,
      each.status,
      each.end_reason,
      each.ended_at,
    ])
  const past = [
    [two.updated_at, 15, 'ended', 'withdrawn', back.updated_at],
    [one.updated_at, 12, 'ended', 'superseded', two.updated_at],
  ]
  assert.deepEqual(await shown(), [
    [three.updated_at, 15, 'ended', 'closed', closed.closed_at],
    ...past,
  ])
  await make(`${path}/reopen`, {})
  assert.deepEqual(await shown(), [[three.updated_at, 15, 'active', null, null], ...past])
  const { risk: occurred } = await make(`${path}/occur`, {})
  assert.deepEqual((await shown())[0]?.slice(2), ['ended', 'occurred', occurred.occurred_at])
})

test('gives concurrent acceptances of a risk different times', async () => {
  const project = await newProject()
  const risk = await newRisk(project)
  const reasons = Array.from({ length: 8 }, (_, index) => `Reason ${index}`)
  await Promise.all(reasons.map((rationale) => accept(project, risk, { rationale })))
  const listed = await ofRisk(risk)
  assert.deepEqual(listed.map(({ rationale }: Json) => rationale).toSorted(), reasons)
  assert.equal(listed.filter(({ status }: Json) => status === 'active').length, 1)
  assert.equal(
    listed.find(({ status }: Json) => status === 'active').accepted_at,
    (await ok(manager.get(`${project}/risks/${risk.id}`))).acceptance.accepted_at,
  )
})

test('filters by project, person, status and day, in pages and as CSV', async () => {
  const project = await newProject({ risk_appetite: 25 })
  const risks = [await newRisk(project), await newRisk(project), await newRisk(project)]
  for (const [index, risk] of risks.entries())
    await accept(project, risk, index === 1 ? { accepted_by_user_id: bo.id } : {})
  await make(`${project}/risks/${risks[0]?.id}/close`, { close_reason: 'other' })
  const here = `project_id=${inProject(project)}`
  const refs = async (query: string) =>
    (await list(`?${here}&${query}`)).map(({ ref }: Json) => ref.split('-')[1])
  const day = (shift: number) =>
    new Date(Date.now() + shift * 86_400_000).toISOString().slice(0, 10)
  assert.deepEqual(await refs(''), ['R3', 'R2', 'R1'])
  assert.deepEqual(await refs(`accepted_by_user_id=${bo.id}`), ['R2'])
  assert.deepEqual(await refs('status=ended'), ['R1'])
  assert.deepEqual(await refs('status=active,expired'), ['R3', 'R2'])
  assert.deepEqual(await refs(`accepted_from=${day(-1)}&accepted_before=${day(2)}`), [
    'R3',
    'R2',
    'R1',
  ])
  assert.deepEqual(await refs(`accepted_from=${day(2)}`), [])
  assert.deepEqual(await refs(`accepted_before=${day(-1)}`), [])
  const first = await ok(manager.get(`/v1/acceptances?${here}&limit=2&include=total_count`))
  assert.deepEqual([first.total_count, first.count], [3, 2])
  const next = `cursor=${encodeURIComponent(first.next_cursor)}&include=total_count`
  const second = await ok(manager.get(`/v1/acceptances?${here}&limit=2&${next}`))
  assert.deepEqual([second.data[0].ref, second.next_cursor], [risks[0]?.['ref'], null])
  const csv = await manager.get(`/v1/acceptances?${here}&include=people`, { accept: 'text/csv' })
  const [header = '', row = ''] = csv.text.split('\r\n')
  for (const column of ['ref', 'risk_appetite', 'score', 'level', 'accepted_by_name', 'status'])
    assert.ok(header.split(',').includes(column), column)
  assert.match(row, /Cheaper to repair\.,25,3,4,12,high,/)
})

test('moves with its risk to another project', async () => {
  const [from, to] = [await newProject(), await newProject()]
  const risk = await newRisk(from)
  for (const rationale of ['One', 'Two']) await accept(from, risk, { rationale })
  const to_project_id = inProject(to)
  await make(`${from}/archive`, { if_live_items: 'transfer', to_project_id })
  const moved = await ofRisk(risk)
  assert.deepEqual(
    moved.map(({ project_id }: Json) => project_id),
    [to_project_id, to_project_id],
  )
})

test('is empty for another workspace, and needs projects.read', async () => {
  const other = await newWorkspace(host)
  const { data } = await ok((await other.manager()).get('/v1/acceptances'))
  assert.deepEqual(data, [])
  const { token } = await home.issue({ scopes: ['personnel.read'] })
  const refused = await new Client(host.base, token).get('/v1/acceptances')
  assert.equal(refused.status, 403)
})

const migrations = new URL('../../migrations/', import.meta.url)
const file = readdirSync(migrations).find((name) => name.endsWith('_earlier_acceptances.sql'))

test('the migration finds earlier acceptances, their scores and appetites in the history', async () => {
  const { sql } = host
  const rows = async () => {
    const listed = `select to_jsonb(a) as row from acceptances a order by risk_id, accepted_at`
    const risks = `select id, acceptance_appetite, acceptance_likelihood, acceptance_impact,
      acceptance_rated_at from risks order by id`
    const states = `select id, from_seq, data from history order by id, from_seq`
    return [await sql.query(listed), await sql.query(risks), await sql.query(states)].map(
      (result) => result.rows,
    )
  }
  const before = await rows()
  assert.ok((before[0]?.length ?? 0) > 10)
  const text = readFileSync(new URL(file ?? '', migrations), 'utf8')
  await sql.query('begin')
  try {
    await sql.query(`delete from acceptances; update risks set acceptance_appetite = null,
      acceptance_likelihood = null, acceptance_impact = null, acceptance_rated_at = null;
      update history set data = data #- '{acceptance,score}' #- '{acceptance,risk_appetite}'
        #- '{acceptance,likelihood}' #- '{acceptance,impact}' where noun = 'risk'`)
    assert.notDeepEqual(await rows(), before)
    await sql.query(`set local role muster_owner; ${text}; set local role none`)
    assert.deepEqual(await rows(), before)
  } finally {
    await sql.query('rollback')
  }
})

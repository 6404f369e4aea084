import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Client, Json } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()

/** Two projects in which Ada is assigned open items of every type, and some closed ones. */
async function setup() {
  const home = await newWorkspace(host)
  const manager = await home.manager()
  const make = async (path: string, body: object): Promise<Json> => {
    const reply = await manager.post(path, body)
    assert.ok(reply.status < 300, reply.text)
    return reply.body
  }
  const ada = (await make('/v1/personnel', { name: 'Ada' })).id
  const bo = (await make('/v1/personnel', { name: 'Bo' })).id
  const projects: Json[] = []
  for (const code of ['DAM', 'BAY']) {
    const project = await make('/v1/projects', { code, name: code, owner_user_id: ada })
    projects.push(project)
    const here = `/v1/projects/${project.id}`
    const owned = { owner_user_id: ada, review_on: '2030-01-01' }
    await make(`${here}/risks`, { title: 'Small', likelihood: 1, impact: 1, ...owned })
    await make(`${here}/risks`, { title: 'Large', likelihood: 5, impact: 5, ...owned })
    const given = { assignee_user_id: ada, due_on: '2031-01-01' }
    await make(`${here}/issues`, { title: 'Crane', severity: 3, ...given })
    const over = await make(`${here}/issues`, { title: 'Over', severity: 5, ...given })
    await make(`${here}/issues/${over.id}/close`, { close_reason: 'resolved' })
    await make(`${here}/tasks`, { title: 'Flush', ...given })
    await make(`${here}/tasks`, { title: 'Done', status: 'done', ...given })
  }
  const list = async (userId: string, query = '') =>
    (await manager.get(`/v1/personnel/${userId}/assignments${query}`)).body
  const reassign = (userId: string, body: object) =>
    manager.post(`/v1/personnel/${userId}/reassign`, body)
  return { ...home, manager, make, ada, bo, projects, list, reassign }
}

const code = async (reply: ReturnType<Client['get']>) => {
  const { status, body } = await reply
  return status < 300 ? String(status) : `${status} ${body.code}`
}

const refs = [
  ['project', 'DAM'],
  ['project', 'BAY'],
  ['risk', 'DAM-R2'],
  ['risk', 'BAY-R2'],
  ['risk', 'DAM-R1'],
  ['risk', 'BAY-R1'],
  ['issue', 'DAM-I1'],
  ['issue', 'BAY-I1'],
  ['task', 'DAM-T1'],
  ['task', 'BAY-T1'],
]
const named = (data: Json[]) => data.map(({ type, ref }) => [type, ref])

test('lists every open assignment of a person and no closed one, complete and by pages', async () => {
  const { ada, bo, list } = await setup()
  const complete = await list(ada, '?include=total_count')
  assert.deepEqual(named(complete.data), refs)
  assert.equal(complete.total_count, refs.length)
  assert.deepEqual(
    complete.data.map(({ due_on }: Json) => due_on),
    [null, null, ...Array(4).fill('2030-01-01'), ...Array(4).fill('2031-01-01')],
  )
  for (const limit of [1, 2, 3, 4, 6, 10, 11]) {
    const pages: Json[] = []
    let cursor = ''
    do {
      const page = await list(ada, `?limit=${limit}${cursor}`)
      pages.push(page)
      cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`
    } while (cursor !== '')
    assert.deepEqual(named(pages.flatMap(({ data }) => data)), refs, `pages of ${limit}`)
    assert.equal(pages.length, Math.ceil(refs.length / limit), 'no page is empty')
  }
  assert.deepEqual((await list(bo)).data, [])
})

test('changes the ETag of the assignments when any listed item changes', async () => {
  const { manager, ada, list } = await setup()
  const path = `/v1/personnel/${ada}/assignments`
  for (const { type, id, project_id } of (await list(ada)).data as Json[]) {
    const { headers, body } = await manager.get(path)
    const ifNoneMatch = { 'if-none-match': headers.get('etag') ?? '' }
    assert.equal((await manager.get(path, ifNoneMatch)).status, 304)
    const item = type === 'project' ? '' : `/${type}s/${id}`
    const place = `/v1/projects/${project_id}${item}`
    const field = type === 'project' ? 'name' : 'title'
    const { body: changed } = await manager.send('PATCH', place, { body: { [field]: 'Other' } })
    const fresh = await manager.get(path, ifNoneMatch)
    assert.equal(fresh.status, 200, type)
    assert.equal(fresh.body.as_of, changed.version)
    assert.ok(fresh.body.as_of > body.as_of)
  }
})

test('reassigns work in one write, all of it or that of one project', async () => {
  const { ada, bo, projects, list, reassign, uuid } = await setup()
  const one = await reassign(ada, { to_user_id: bo, project_id: projects[1].id })
  assert.deepEqual(one.body, {
    user_id: ada,
    to_user_id: bo,
    reassigned: { projects: 1, risks: 2, issues: 1, tasks: 1 },
  })
  const isDam = ([, ref = '']: string[]) => ref.startsWith('DAM')
  assert.deepEqual(named((await list(ada)).data), refs.filter(isDam))
  assert.deepEqual(
    named((await list(bo)).data),
    refs.filter((ref) => !isDam(ref)),
  )
  await reassign(ada, { to_user_id: bo })
  assert.deepEqual(named((await list(bo)).data), refs)
  assert.deepEqual((await list(ada)).data, [])
  const { rows } = await host.sql.query(
    `select seq, array_agg(distinct type order by type) as types from events
     where workspace_id = $1 and changed && '{owner_user_id,assignee_user_id}'
       and type like '%.updated' group by seq`,
    [uuid],
  )
  const types = ['issue.updated', 'project.updated', 'risk.updated', 'task.updated']
  assert.deepEqual(
    rows.map((row) => row.types),
    [types, types],
    'two sequence numbers, each with events of all four types',
  )
  const nothing = await reassign(ada, { to_user_id: bo })
  assert.deepEqual(nothing.body.reassigned, { projects: 0, risks: 0, issues: 0, tasks: 0 })
})

test('reassigns the work of a departed person, and only to an active person', async () => {
  const { manager, ada, bo, list, reassign } = await setup()
  await manager.post(`/v1/personnel/${ada}/depart`, {})
  await manager.post(`/v1/personnel/${bo}/suspend`, {})
  assert.equal(await code(reassign(ada, { to_user_id: bo })), '422 not_assignable')
  await manager.post(`/v1/personnel/${bo}/resume`, {})
  const unknownUser = 'usr_00000000000000000000000000'
  assert.equal(await code(reassign(ada, { to_user_id: unknownUser })), '422 unknown_reference')
  assert.equal(await code(reassign(unknownUser, { to_user_id: bo })), '404 not_found')
  assert.equal(await code(reassign(ada, { to_user_id: ada })), '422 validation_failed')
  const unknownProject = { to_user_id: bo, project_id: 'prj_00000000000000000000000000' }
  assert.equal(await code(reassign(ada, unknownProject)), '422 unknown_reference')
  assert.equal(await code(reassign(ada, { to_user_id: bo })), '200')
  assert.equal((await list(bo)).count, refs.length)
})

test('refuses to reassign more than 1000 items at once, and accepts it project by project', async () => {
  const { make, ada, bo, projects, list, reassign } = await setup()
  const row = { title: 'Leak', severity: 1, assignee_user_id: ada }
  const path = `/v1/projects/${projects[0].id}/issues/batch`
  await make(path, { data: Array.from({ length: 995 }, () => row) })
  const refused = await reassign(ada, { to_user_id: bo })
  assert.equal(`${refused.status} ${refused.body.code}`, '409 too_many_items')
  assert.match(refused.body.detail, /project_id/)
  assert.equal((await list(bo)).count, 0)
  for (const { id } of projects) {
    assert.equal(await code(reassign(ada, { to_user_id: bo, project_id: id })), '200')
  }
  assert.equal((await list(bo)).count, 995 + refs.length)
})

test('requires projects.read to list assignments and projects.manage to reassign them', async () => {
  const { key, ada, bo } = await setup()
  const hr = await key('personnel.manage')
  const lead = await key('projects.manage')
  assert.equal(await code(hr.get(`/v1/personnel/${ada}/assignments`)), '403 insufficient_scope')
  assert.equal(await code(lead.get(`/v1/personnel/${ada}/assignments`)), '200')
  const body = { to_user_id: bo }
  assert.equal(await code(hr.post(`/v1/personnel/${ada}/reassign`, body)), '403 insufficient_scope')
  assert.equal(await code(lead.post(`/v1/personnel/${ada}/reassign`, body)), '200')
})

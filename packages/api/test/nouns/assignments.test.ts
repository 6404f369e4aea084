import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Json } from '#test/support/client'
import { startHost } from '#test/support/workspace'

import { assignWork, code, named, refs } from './assigned-work.ts'

const host = await startHost()

const setup = () => assignWork(host)

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

test('lists assigned work with its rating, its flags and its project', async () => {
  const { ada, list, make, manager, projects } = await setup()
  const [dam] = projects
  await make(`/v1/projects/${dam.id}/issues`, {
    title: 'Late',
    severity: 5,
    assignee_user_id: ada,
    due_on: '2020-01-01',
  })
  await make(`/v1/projects/${dam.id}/risks`, {
    title: 'Late',
    likelihood: 3,
    impact: 4,
    owner_user_id: ada,
    review_on: '2020-01-01',
  })
  await manager.send('PATCH', `/v1/projects/${dam.id}`, { body: { name: 'Dam' } })
  const { data } = await list(ada)
  assert.deepEqual(
    data
      .filter(({ project_id }: Json) => project_id === dam.id)
      .map(({ ref, score, level, severity, flags }: Json) => [ref, score, level, severity, flags]),
    [
      ['DAM', null, null, null, []],
      ['DAM-R2', 25, 'critical', null, []],
      ['DAM-R3', 12, 'high', null, ['review_overdue']],
      ['DAM-R1', 1, 'low', null, []],
      ['DAM-I3', null, null, 5, ['overdue']],
      ['DAM-I1', null, null, 3, []],
      ['DAM-T1', null, null, null, []],
    ],
  )
  for (const { project_id, project } of data) {
    const isDam = project_id === dam.id
    const [codeOf, name] = isDam ? ['DAM', 'Dam'] : ['BAY', 'BAY']
    assert.deepEqual(project, { id: project_id, code: codeOf, name })
  }
  const csv = await manager.get(`/v1/personnel/${ada}/assignments`, { accept: 'text/csv' })
  assert.match(
    csv.text,
    /DAM-R3,Late,DAM,Dam,risk,identified,2020-01-01,12,high,,review_overdue,rsk_\w+,prj_\w+/,
  )
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
  const reassigned = { projects: 1, risks: 2, issues: 1, tasks: 1 }
  assert.deepEqual(one.body, {
    user_id: ada,
    to_user_id: bo,
    reassigned,
    handovers: [{ to_user_id: bo, reassigned }],
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

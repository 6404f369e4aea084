import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { ListedProject, Person, Task } from '@muster/contract'

import { randomFrom } from '#test/support/bulk'
import type { Json } from '#test/support/client'
import { seed } from '#test/support/size'
import { newWorkspace, startHost } from '#test/support/workspace'

import { folded, type Keys, sorted, sortsOf } from './sorted-expected.ts'

const host = await startHost()
const workspace = await newWorkspace(host)
const client = await workspace.manager()
const random = randomFrom(seed)

async function post(path: string, body: object): Promise<Json> {
  const { status, text, body: made } = await client.post(path, body)
  assert.ok(status < 300, `${path} ${text}`)
  return made
}

const read = async (path: string): Promise<Json> => {
  const { status, text, body } = await client.get(path)
  assert.equal(status, 200, text)
  return body
}

/** The same name twice, names that differ in case and accents, and one that is long. */
const names = ['Åsa Berg', 'asa berg', 'Asa Berg', 'Zoë', 'zoe 2', 'Örjan', 'x'.repeat(199)]
const people: string[] = []
for (const name of [...names, ...names]) {
  const title = random.pick([
    null,
    'Engineer',
    'engineer 2',
    'Ärztin',
    `${'t'.repeat(90)}${name[0]}`,
  ])
  const department = random.pick([null, 'Civil', 'civil', 'Locks'])
  people.push((await post('/v1/personnel', { name, title, department })).id)
}
const someone = () => random.pick([null, ...people.slice(0, 9)])
const day = () => random.pick([null, '2027-01-31', '2027-02-01', '2030-12-31'])

const projects: string[] = []
const statuses = ['planned', 'active', 'active', 'on_hold', 'completed', 'cancelled'] as const
for (let n = 0; n < 24; n++) {
  const project = await post('/v1/projects', {
    code: `P${n}`,
    name: random.pick(names.slice(0, 4)),
    status: statuses[n % statuses.length],
    health: random.pick([null, 'on_track', 'at_risk', 'off_track']),
    owner_user_id: someone(),
    due_on: day(),
  })
  projects.push(project.id)
  const rating = () => ({ likelihood: 1 + random.below(5), impact: 1 + random.below(5) })
  for (let risk = random.below(3); risk > 0; risk--) {
    await post(`/v1/projects/${project.id}/risks`, { title: 'Uplift', ...rating() })
  }
}
const [home = ''] = projects
for (let n = 0; n < 40; n++) {
  await post(`/v1/projects/${random.pick(projects.slice(0, 3))}/tasks`, {
    title: random.pick(['Åtgärd', 'atgard', 'Flush', 'flush 2', 'x'.repeat(200)]),
    assignee_user_id: someone(),
    due_on: day(),
  })
}

const userNames = new Map<string | null, string>(
  (await read('/v1/personnel')).data.map(({ id, name }: Person) => [id, folded(name).slice(0, 64)]),
)
const nameOf = (userId: string | null) => userNames.get(userId) ?? null

const healths = ['off_track', 'at_risk']
const worst = ({ status, health, summary }: ListedProject) => {
  const place = healths.indexOf(health ?? '')
  return [
    Number(['completed', 'cancelled'].includes(status)),
    place === -1 ? healths.length : place,
    String(99 - (summary?.highest_score ?? 0)),
  ].join(' ')
}

const bounded = (text: string | null) => text && folded(text).slice(0, 64)

const personKeys: Keys<Person> = {
  created_at: ({ created_at }) => created_at,
  name: ({ name }) => bounded(name),
  updated_at: ({ version }) => version,
  title: ({ title }) => bounded(title),
  department: ({ department }) => bounded(department),
}
const projectKeys: Keys<ListedProject> = {
  created_at: ({ created_at }) => created_at,
  name: ({ name }) => bounded(name),
  updated_at: ({ version }) => version,
  owner: ({ owner_user_id }) => nameOf(owner_user_id),
  due_on: ({ due_on }) => due_on,
}
const taskKeys: Keys<Task> = {
  due_on: ({ due_on }) => due_on,
  title: ({ title }) => bounded(title),
  assignee: ({ assignee_user_id }) => nameOf(assignee_user_id),
  updated_at: ({ version }) => version,
}

/** Asserts the complete list, its pages, and its CSV. */
async function assertOrder(path: string, expected: readonly { id: string }[]) {
  const ids = expected.map(({ id }) => id)
  const { data } = await read(path)
  assert.deepEqual(
    data.map(({ id }: Json) => id),
    ids,
    path,
  )
  const paged: string[] = []
  let cursor = ''
  do {
    const page = await read(`${path}&limit=5${cursor}`)
    paged.push(...page.data.map(({ id }: Json) => id))
    cursor = page.next_cursor && `&cursor=${page.next_cursor}`
  } while (cursor)
  assert.deepEqual(paged, ids, `${path} by pages`)
  const csv = (await client.get(path, { accept: 'text/csv' })).text.split('\r\n').slice(1, -1)
  assert.equal(csv.length, ids.length)
  for (const [index, id] of ids.entries()) assert.ok(csv[index]?.includes(id), `${path} as CSV`)
}

test('sorts people, complete, by pages and as CSV', async () => {
  const { data } = await read('/v1/personnel')
  for (const sort of sortsOf('personnel.list')) {
    await assertOrder(`/v1/personnel?sort=${sort}`, sorted(data, personKeys, sort))
  }
  const some = data.filter(({ department }: Person) => department?.toLowerCase() === 'civil')
  await assertOrder(
    '/v1/personnel?department=civil&sort=-title',
    sorted(some, personKeys, '-title'),
  )
  const found = data.filter(({ name }: Person) => folded(name).includes('asa'))
  assert.ok(found.length > 2)
  await assertOrder('/v1/personnel?q=asa&sort=department', sorted(found, personKeys, 'department'))
})

test('sorts tasks of all projects and of one', async () => {
  for (const path of ['/v1/tasks', `/v1/projects/${home}/tasks`]) {
    const { data } = await read(path)
    assert.ok(data.length > 5)
    for (const sort of sortsOf('tasks.list')) {
      await assertOrder(`${path}?sort=${sort}`, sorted(data, taskKeys, sort))
    }
  }
  const { data } = await read(`/v1/tasks?assignee_user_id=none&q=flush`)
  await assertOrder(
    '/v1/tasks?assignee_user_id=none&q=flush&sort=-title',
    sorted(data, taskKeys, '-title'),
  )
})

test('sorts projects', async () => {
  const { data } = await read('/v1/projects?include=summary')
  for (const sort of sortsOf('projects.list').filter((each) => !each.includes('worst'))) {
    await assertOrder(`/v1/projects?sort=${sort}`, sorted(data, projectKeys, sort))
  }
})

test('lists the worst projects first: health, then the highest score; ended ones last', async () => {
  const { data } = await read('/v1/projects?include=summary&sort=worst')
  const order = data.map(worst)
  assert.deepEqual(order, order.toSorted())
  assert.ok(new Set(order).size > 8)
  await assertOrder('/v1/projects?sort=worst', data)
  await assertOrder('/v1/projects?sort=-worst', data.toReversed())
})

test('changes the ETag of the worst projects with a risk, and of other orders not', async () => {
  const tags = async () => {
    const replies = await Promise.all(
      ['name', 'worst'].map((sort) => client.get(`/v1/projects?sort=${sort}&limit=5`)),
    )
    return replies.map(({ headers }) => headers.get('etag'))
  }
  const [name, byWorst] = await tags()
  await post(`/v1/projects/${projects[1]}/risks`, { title: 'Seep', likelihood: 5, impact: 5 })
  const [nameAfter, worstAfter] = await tags()
  assert.equal(nameAfter, name)
  assert.notEqual(worstAfter, byWorst)
})

test('sorts by the name of a person only with personnel.read, and follows a new name', async () => {
  const reader = await workspace.key('projects.read')
  for (const path of [
    '/v1/risks?sort=owner',
    '/v1/issues?sort=-assignee',
    '/v1/tasks?sort=assignee',
    '/v1/projects?sort=owner',
  ]) {
    const { status, body } = await reader.get(path)
    assert.equal(
      `${status} ${body.code} ${body.required_scope}`,
      '403 insufficient_scope personnel.read',
    )
  }
  assert.equal((await reader.get('/v1/risks?sort=title')).status, 200)
  const path = '/v1/tasks?sort=-assignee&limit=1'
  const before = await client.get(path)
  const first = people.find((id) => id !== before.body.data[0].assignee_user_id) ?? ''
  await post(`/v1/projects/${home}/tasks`, { title: 'T', assignee_user_id: first })
  const changed = await client.get(path)
  await client.send('PATCH', `/v1/personnel/${first}`, { body: { name: 'Žžž' } })
  const after = await client.get(path, { 'if-none-match': changed.headers.get('etag') ?? '' })
  assert.equal(after.status, 200)
  assert.equal(after.body.data[0].assignee_user_id, first)
})

test('rejects a cursor of another order, and an order that the list does not have', async () => {
  for (const [path, other] of [
    ['/v1/risks?sort=title', '/v1/risks?sort=-title'],
    ['/v1/risks?sort=title', '/v1/risks?'],
    ['/v1/risks?', '/v1/risks?sort=score'],
    ['/v1/tasks?sort=title', '/v1/tasks?sort=due_on'],
  ] as const) {
    const { next_cursor } = await read(`${path}&limit=1`)
    const { status, body } = await client.get(`${other}&cursor=${next_cursor}`)
    assert.equal(`${status} ${body.code}`, '400 cursor_mismatch', other)
  }
  const { status, body } = await client.get('/v1/risks?sort=due_on')
  assert.equal(`${status} ${body.code}`, '400 invalid_parameter')
})

test('lists a history newest first with sort=-seq', async () => {
  const made = await client.post('/v1/projects', { code: 'HIST', name: 'Zero' })
  const path = `/v1/projects/${made.body.id}`
  for (const name of ['One', 'Two', 'Three']) await client.send('PATCH', path, { body: { name } })
  const seqsOf = async (query: string) => {
    const { data, next_cursor } = await read(`${path}/history?${query}`)
    return { seqs: data.map(({ seq }: Json) => seq) as number[], next: next_cursor }
  }
  const { seqs } = await seqsOf('')
  assert.equal(seqs.length, 4)
  assert.deepEqual((await seqsOf('sort=seq')).seqs, seqs)
  assert.deepEqual((await seqsOf('sort=-seq')).seqs, seqs.toReversed())
  const first = await seqsOf('sort=-seq&limit=3')
  const rest = await seqsOf(`sort=-seq&limit=3&cursor=${first.next}`)
  assert.deepEqual([...first.seqs, ...rest.seqs], seqs.toReversed())
  assert.equal(rest.next, null)
  const csv = (await client.get(`${path}/history?sort=-seq`, { accept: 'text/csv' })).text
  const lines = csv.split('\r\n').slice(1, -1)
  assert.deepEqual(
    lines.map((line) => Number(/^\d+/.exec(line)?.[0])),
    seqs.toReversed(),
  )
  const [last] = (await read(`${path}/history?sort=-seq&limit=1`)).data
  assert.deepEqual(last.changes, [{ field: 'name', from: 'Two', to: 'Three' }])
})

test('lists closed items oldest first with sort=closed_at', async () => {
  const { data: risks } = await read('/v1/risks?limit=3')
  for (const { project_id, id } of risks) {
    await post(`/v1/projects/${project_id}/risks/${id}/close`, { close_reason: 'treated' })
  }
  const { data } = await read('/v1/risks/closed')
  assert.equal(data.length, 3)
  await assertOrder('/v1/risks/closed?sort=-closed_at', data)
  await assertOrder('/v1/risks/closed?sort=closed_at', data.toReversed())
})

test('keeps the place of items without a value while pages are read', async () => {
  const path = '/v1/tasks?sort=-due_on&limit=3'
  const { next_cursor } = await read('/v1/tasks?sort=-due_on&limit=38')
  const { data } = await read(`${path}&cursor=${next_cursor}`)
  assert.ok(data.length > 0)
  assert.ok(data.every(({ due_on }: Task) => due_on === null))
})

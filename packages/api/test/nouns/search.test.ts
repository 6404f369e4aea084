import assert from 'node:assert/strict'
import { test } from 'node:test'

import { searchedNouns } from '@muster/contract'

import { bindKey } from '#test/auth/views/bound-keys'
import type { Client, Json } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()

async function post(path: string, body: object): Promise<Json> {
  const reply = await manager.post(path, body)
  assert.ok(reply.status < 300, `${path} ${reply.text}`)
  return reply.body
}

async function find(q: string, query = '', client = manager): Promise<Json> {
  const { status, body, text } = await client.get(`/v1/search?q=${encodeURIComponent(q)}${query}`)
  assert.equal(status, 200, text)
  return body
}

const titlesOf = async (q: string, query = '', client: Client = manager) =>
  (await find(q, query, client)).data.map(({ title }: Json) => title)

const project = await post('/v1/projects', {
  code: 'DAM',
  name: 'Norrfors dam renewal',
  description: 'New spillway gates.',
})
const here = `/v1/projects/${project.id}`
const risk = await post(`${here}/risks`, {
  title: 'Uplift under the stilling basin',
  description: 'Drains are clogged.',
  likelihood: 4,
  impact: 5,
  tags: ['groundwater', 'gates'],
})
const issue = await post(`${here}/issues`, { title: 'Crane foundation cracked', severity: 4 })
const task = await post(`${here}/tasks`, { title: 'Flush the drains' })
const person = await post('/v1/personnel', {
  name: 'Ångström Élodie',
  email: 'elodie.angstrom@example.com',
})
const group = await post('/v1/groups', { name: 'Night shift', description: 'Locks and gates.' })

test('finds each noun by the words of its texts, from their beginnings', async () => {
  const found: Record<string, [string, string]> = {
    uplift: [risk.id, 'title'],
    'basin UPL': [risk.id, 'title'],
    clogged: [risk.id, 'text'],
    groundw: [risk.id, 'text'],
    'uplift clogged': [risk.id, 'text'],
    crane: [issue.id, 'title'],
    flush: [task.id, 'title'],
    angstrom: [person.id, 'title'],
    'élodie.angstrom@example.com': [person.id, 'title'],
    'night locks': [group.id, 'text'],
    norrfors: [project.id, 'title'],
    spillway: [project.id, 'text'],
  }
  for (const [q, [id, matched]] of Object.entries(found)) {
    const { data, is_complete } = await find(q)
    assert.deepEqual([data[0]?.id, data[0]?.matched], [id, matched], q)
    assert.equal(is_complete, true)
  }
  assert.deepEqual((await find('uplifts')).data, [])
  assert.deepEqual((await find('--')).data, [])
})

test('shows what a list of results needs', async () => {
  const [hit] = (await find('uplift')).data
  assert.deepEqual(hit, {
    noun: 'risk',
    id: risk.id,
    ref: 'DAM-R1',
    title: 'Uplift under the stilling basin',
    project_id: project.id,
    project_code: 'DAM',
    status: 'identified',
    is_live: true,
    score: 20,
    level: 'critical',
    severity: null,
    matched: 'title',
  })
})

test('a whole reference or code comes first, also of what is closed', async () => {
  await post(`${here}/risks`, { title: 'As DAM-R1 says', likelihood: 1, impact: 1 })
  const { data } = await find('dam-r1')
  assert.deepEqual([data[0].id, data[0].matched, data.length], [risk.id, 'ref', 2])
  const other = await post(`${here}/risks`, { title: 'Closed one', likelihood: 1, impact: 1 })
  await post(`${here}/risks/${other.id}/close`, { close_reason: 'duplicate' })
  const [closed] = (await find(` ${other.ref} `)).data
  assert.deepEqual([closed.id, closed.is_live, closed.status], [other.id, false, 'closed'])
  assert.deepEqual((await find('DAM')).data[0].id, project.id)
})

test('orders titles before other texts, then what is live, then the newest', async () => {
  const add = (title: string, description: string | null = null) =>
    post(`${here}/issues`, { title, description, severity: 1 })
  await add('Some text', 'Ordering')
  const closed = await add('Ordering closed')
  await post(`${here}/issues/${closed.id}/close`, { close_reason: 'resolved' })
  await add('Ordering first')
  await add('Ordering second')
  assert.deepEqual(await titlesOf('ordering'), [
    'Ordering second',
    'Ordering first',
    'Ordering closed',
    'Some text',
  ])
  assert.deepEqual(await titlesOf('ordering', '&noun=risk,task'), [])
  const { data, is_complete } = await find('ordering', '&limit=2')
  assert.deepEqual([data.length, is_complete], [2, false])
})

test('follows each change, and forgets a person whose data was erased', async () => {
  await manager.send('PATCH', `${here}/tasks/${task.id}`, { body: { title: 'Rinse the pipes' } })
  assert.deepEqual(await titlesOf('flush'), [])
  assert.deepEqual(await titlesOf('rinse'), ['Rinse the pipes'])
  const leaver = await post('/v1/personnel', { name: 'Quentin Leaver', email: 'q@leaver.example' })
  await post(`/v1/personnel/${leaver.id}/depart`, {})
  assert.equal((await find('quentin')).data[0].is_live, false)
  await post(`/v1/personnel/${leaver.id}/erase`, { confirm: leaver.id })
  for (const q of ['quentin', 'leaver', 'q@leaver.example']) assert.deepEqual(await titlesOf(q), [])
})

test('returns what the scopes and the projects of the caller allow', async () => {
  const nounsOf = async (client: Client): Promise<ReadonlySet<string>> => {
    const all = await Promise.all(
      ['uplift', 'crane', 'rinse', 'angstrom', 'night', 'norrfors', 'dam'].map((q) =>
        find(q, '', client),
      ),
    )
    const found = new Set(all.flatMap(({ data }) => data.map(({ noun }: Json) => noun)))
    return new Set(searchedNouns.filter((noun) => found.has(noun)))
  }
  assert.deepEqual(await nounsOf(manager), new Set(searchedNouns))
  assert.deepEqual(await nounsOf(await home.key('personnel.read')), new Set(['person', 'group']))
  const projects = await nounsOf(await home.key('projects.read'))
  assert.deepEqual(projects.isDisjointFrom(new Set(['person', 'group'])), true)
  assert.equal((await nounsOf(await home.key('keys.read'))).size, 0)
  const other = await post('/v1/projects', { code: 'OTHER', name: 'Other' })
  const { client } = await bindKey(manager, [other.id], ['projects.read'])
  assert.equal((await nounsOf(client)).size, 0)
  for (const q of ['DAM-R1', 'DAM']) assert.deepEqual((await find(q, '', client)).data, [])
  const stranger = await (await newWorkspace(host)).manager()
  assert.equal((await nounsOf(stranger)).size, 0)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { outcome } from '#test/auth/browser'
import { bindKey } from '#test/auth/views/bound-keys'
import type { Json } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()
const other = await (await newWorkspace(host)).manager()

let codes = 0
async function newProject(): Promise<string> {
  codes += 1
  const made = await manager.post('/v1/projects', { code: `E${codes}`, name: 'Any' })
  assert.equal(made.status, 201, made.text)
  return made.body.id
}
const [one, two] = [await newProject(), await newProject()]

interface Noun {
  readonly name: string
  readonly path: (projectId: string) => string
  readonly body: () => object
}

const under = (name: string) => (projectId: string) => `/v1/projects/${projectId}/${name}`

const nouns: readonly Noun[] = [
  {
    name: 'projects',
    path: () => '/v1/projects',
    body: () => ({ code: `E${++codes}`, name: 'Any' }),
  },
  {
    name: 'risks',
    path: under('risks'),
    body: () => ({ title: 'Any', likelihood: 1, impact: 1 }),
  },
  { name: 'issues', path: under('issues'), body: () => ({ title: 'Any', severity: 1 }) },
  { name: 'tasks', path: under('tasks'), body: () => ({ title: 'Any' }) },
]

for (const { name, path, body } of nouns) {
  const create = (projectId: string, external_id: string | null, by = manager) =>
    by.post(path(projectId), { ...body(), external_id })
  const change = (record: Json, external_id: string | null) =>
    manager.send('PATCH', `${path(record.project_id ?? '')}/${record.id}`, {
      body: { external_id },
    })

  test(`${name}: no two have the same external id`, async () => {
    const first = (await create(one, 'a-1')).body
    assert.equal(first.external_id, 'a-1')
    const taken = await create(two, 'a-1')
    assert.equal(outcome(taken), '409 external_id_taken')
    assert.equal(taken.body.conflicting_id, first.id)
    assert.equal(taken.body.pointer, '/external_id')
    const second = (await create(two, 'a-2')).body
    assert.equal(outcome(await change(second, 'a-1')), '409 external_id_taken')
    assert.equal(outcome(await change(second, 'a-2')), '200')
    assert.equal(outcome(await change(first, null)), '200')
    assert.equal(outcome(await change(second, 'a-1')), '200')
    assert.equal(outcome(await create(one, null)), '201')
  })

  test(`${name}: of two at the same time, one is refused`, async () => {
    const both = await Promise.all([create(one, 'race'), create(two, 'race')])
    const statuses = both.map(outcome).toSorted()
    assert.deepEqual(statuses, ['201', '409 external_id_taken'])
  })

  test(`${name}: another workspace has its own external ids`, async () => {
    const made = await other.post('/v1/projects', { code: `E${++codes}`, name: 'Any' })
    await create(one, 'shared')
    assert.equal(outcome(await create(made.body.id, 'shared', other)), '201')
  })

  test(`${name}: external ids find records, whatever characters they have`, async () => {
    const given = ['b-1', 'b "2"', 'b;3|é']
    const made = await Promise.all(given.map((external_id) => create(one, external_id)))
    const found = await manager.get(
      `/v1/${name}?external_id=${encodeURIComponent([...given, 'b-4'].join())}`,
    )
    const ids = (records: Json[]) => records.map(({ id }): string => id).toSorted()
    assert.deepEqual(ids(found.body.data), ids(made.map((reply) => reply.body)))
  })
}

test('a closed risk keeps its external id, and a reader finds it among the closed ones', async () => {
  const made = await manager.post(`/v1/projects/${one}/risks`, {
    title: 'Any',
    likelihood: 1,
    impact: 1,
    external_id: 'closed-1',
  })
  const at = `/v1/projects/${one}/risks/${made.body.id}`
  await manager.post(`${at}/close`, { close_reason: 'treated' })
  const again = { title: 'Any', likelihood: 1, impact: 1, external_id: 'closed-1' }
  const taken = await manager.post(`/v1/projects/${two}/risks`, again)
  assert.equal(outcome(taken), '409 external_id_taken')
  const closed = await manager.get('/v1/risks/closed?external_id=closed-1')
  assert.deepEqual(
    closed.body.data.map(({ id }: Json) => id),
    [made.body.id],
  )
})

test('a batch refuses external ids that are repeated or taken', async () => {
  const row = (external_id: string) => ({ title: 'Any', likelihood: 1, impact: 1, external_id })
  const taken = await manager.post(`/v1/projects/${one}/risks`, row('c-1'))
  const data = [row('c-2'), row('c-2'), row('c-1'), row('c-3')]
  const refused = await manager.post(`/v1/projects/${two}/risks/batch`, { data })
  const errors = refused.body.errors.map(({ pointer, code }: Json) => `${pointer} ${code}`)
  assert.deepEqual(errors, [
    '/data/1/external_id external_id_taken',
    '/data/2/external_id external_id_taken',
  ])
  assert.match(refused.text, new RegExp(taken.body.id))
})

test('a bound key learns only that an external id is taken', async () => {
  const hidden = { title: 'Any', severity: 1, external_id: 'hidden-1' }
  const made = await manager.post(`/v1/projects/${two}/issues`, hidden)
  const { client } = await bindKey(manager, [one])
  const taken = await client.post(`/v1/projects/${one}/issues`, hidden)
  assert.equal(outcome(taken), '409 external_id_taken')
  assert.ok(!taken.text.includes(made.body.id) && !taken.text.includes(two), taken.text)
  assert.equal((await client.get('/v1/issues?external_id=hidden-1')).body.count, 0)
})

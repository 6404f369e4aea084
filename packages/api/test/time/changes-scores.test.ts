import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Json } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

import { entriesIn, numberOf, patched, sent } from './changes-history.ts'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()
const project = await sent(manager, '/v1/projects', { code: 'DAM', name: 'Dam' })

/** A risk with these scores one after the other, each with an edit in between. */
async function riskWith(likelihoods: readonly number[]) {
  const [first, ...rest] = likelihoods
  const body = { title: 'Uplift', likelihood: first, impact: 2 }
  const risk = await sent(manager, `/v1/projects/${project.id}/risks`, body)
  const path = `/v1/projects/${project.id}/risks/${risk.id}`
  const states: Json[] = [risk]
  for (const likelihood of rest) {
    await patched(manager, path, { title: `Uplift ${states.length}` })
    states.push(await sent(manager, `${path}/review`, { likelihood, note: 'Seen.' }))
  }
  return { id: risk.id, states }
}

/** What `include=scores` promises, from a plain list of states. */
function scoresOf(states: readonly Json[]) {
  const changes = states.filter(({ score }, index) => score !== states[index - 1]?.score)
  return changes.slice(-13).map(({ score, score_changed_at, created_at }) => ({
    score,
    changed_at: score_changed_at ?? created_at,
  }))
}

const many = await riskWith([1, 2, 2, 3, 4, 5, 1, 2, 3, 3, 4, 5, 4, 3, 2, 1, 5])
const middle = await numberOf(host, home.uuid)
const few = await riskWith([3, 3, 4])
const single = await riskWith([5])

test('the register shows the last 12 changes of the score and the score before', async () => {
  const { data } = await sent(manager, '/v1/risks?include=scores&limit=100')
  const byId = new Map(data.map(({ id, scores }: Json) => [id, scores]))
  for (const { id, states } of [many, few, single]) {
    assert.deepEqual(byId.get(id), scoresOf(states))
  }
  assert.equal(scoresOf(many.states).length, 13)
  const sorted = await sent(manager, '/v1/risks?include=scores&limit=1&sort=title')
  assert.ok(sorted.data[0].scores.length > 0)
  const plain = await sent(manager, '/v1/risks?limit=100')
  assert.equal('scores' in plain.data[0], false)
})

test('a page continues with scores, and names of people can be beside them', async () => {
  const first = await sent(manager, '/v1/risks?include=scores,people&limit=2')
  const query = `include=scores,people&limit=2&cursor=${first.next_cursor}`
  const second = await sent(manager, `/v1/risks?${query}`)
  const found = [...first.data, ...second.data]
  assert.equal(found.length, 3)
  assert.ok(found.every(({ scores, owner }) => scores.length > 0 && owner === null))
})

test('refuses scores without a limit of at most 100', async () => {
  for (const query of ['', '&limit=101', '&format=csv', '&format=ndjson']) {
    const { status, body } = await manager.get(`/v1/risks?include=scores${query}`)
    assert.deepEqual([status, body.type], [400, '/problems/invalid_parameter'], query)
    assert.match(body.detail, /`limit` to at most 100/)
  }
})

test('a CSV file has a column of scores only if they were asked for', async () => {
  const columns = async (query: string) =>
    (await manager.get(`/v1/risks?format=csv&${query}`)).text.split('\r\n')[0]?.split(',') ?? []
  assert.ok((await columns('include=scores&limit=10')).includes('scores'))
  assert.ok(!(await columns('include=people')).includes('scores'))
})

test('changes show the scores up to the second point', async () => {
  const path = '/v1/changes?since=0&include=scores'
  const { risks } = await sent(manager, `${path}&until=${middle}`)
  assert.deepEqual(
    entriesIn(risks).map(({ id, scores }) => [id, scores]),
    [[many.id, scoresOf(many.states)]],
  )
  const [{ steps, step_count }] = entriesIn(risks)
  assert.deepEqual([steps.length, step_count], [10, 2 * many.states.length - 1])
  assert.equal(steps.at(-1).seq, middle)
  const all = await sent(manager, path)
  const byId = new Map(entriesIn(all.risks).map(({ id, scores }) => [id, scores]))
  for (const { id, states } of [many, few, single]) {
    assert.deepEqual(byId.get(id), scoresOf(states))
  }
})

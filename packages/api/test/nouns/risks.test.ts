import assert from 'node:assert/strict'
import { test } from 'node:test'

import { liveRiskStatuses, riskStatuses, scale } from '@muster/contract'

import {
  type BulkRisk,
  insertPeople,
  insertProjects,
  insertRisks,
  nextUuid,
  randomFrom,
  typeId,
} from '#test/support/bulk'
import type { Client, Json } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost({ skipsDriftCheck: true })
const seed = Date.now() % 1_000_000
const random = randomFrom(seed)

const home = await newWorkspace(host)
const reader = await home.key('projects.read')
const projects = await insertProjects(host.sql, home.uuid, 30)
const people = await insertPeople(host.sql, home.uuid, 5)
const risks: BulkRisk[] = Array.from({ length: 1500 }, (_, index) => ({
  id: nextUuid(),
  project: random.below(projects.length),
  likelihood: 1 + random.below(5),
  impact: 1 + random.below(5),
  status: random.pick(riskStatuses),
  owner: random.pick([...people, null]),
  title: `Risk ${index} ${random.pick(['uplift', 'flood', 'strike'])}`,
}))
// Inserted in another order than id order, so that heap order cannot pass for rank order.
await insertRisks(host.sql, { uuid: home.uuid, projects }, shuffled(risks))

/** The expected order: score descending, impact descending, oldest first. */
function register(keep: (risk: BulkRisk) => boolean): string[] {
  return risks
    .filter((risk) => liveRiskStatuses.some((status) => status === risk.status) && keep(risk))
    .toSorted(
      (a, b) =>
        b.likelihood * b.impact - a.likelihood * a.impact ||
        b.impact - a.impact ||
        (a.id < b.id ? -1 : 1),
    )
    .map(({ id }) => typeId('rsk', id))
}

const ids = (list: Json) => list.data.map(({ id }: Json) => id)

async function walk(who: Client, query: string, limit: number): Promise<string[]> {
  const seen: string[] = []
  let cursor = ''
  do {
    const { status, body } = await who.get(`/v1/risks?${query}&limit=${limit}${cursor}`)
    assert.equal(status, 200)
    seen.push(...ids(body))
    cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`
  } while (cursor !== '')
  return seen
}

test(`lists exactly the live risks of all projects, ranked (seed ${seed})`, async () => {
  const expected = register(() => true)
  const complete = await reader.get('/v1/risks')
  assert.equal(complete.status, 200)
  assert.deepEqual(ids(complete.body), expected)
  assert.deepEqual(await walk(reader, '', 37), expected)
  assert.deepEqual(await walk(reader, '', 1000), expected)

  const scores = complete.body.data.map(({ score }: Json) => score)
  const ties = scores.filter((score: number, index: number) => score === scores[index - 1]).length
  assert.ok(ties > 300, `only ${ties} ties: too few to test the order of equal scores`)
})

test('returns score, level and the project of each entry', async () => {
  const { body } = await reader.get('/v1/risks?limit=1000')
  for (const entry of body.data) {
    assert.equal(entry.score, entry.likelihood * entry.impact)
    const band = scale.levels.find(({ level }) => level === entry.level)
    assert.ok(band && entry.score >= band.score_min && entry.score <= band.score_max)
    const number = projects.findIndex((uuid) => typeId('prj', uuid) === entry.project_id)
    const project = { id: entry.project_id, code: `P${number}`, name: `Project ${number}` }
    assert.deepEqual(entry.project, project)
  }
})

const level = (risk: BulkRisk) =>
  scale.levels.find(({ score_max }) => risk.likelihood * risk.impact <= score_max)?.level

const filters: { query: string; keep: (risk: BulkRisk) => boolean }[] = [
  ...scale.levels.map((band) => ({
    query: `level=${band.level}`,
    keep: (risk: BulkRisk) => level(risk) === band.level,
  })),
  {
    query: 'level=low,critical',
    keep: (risk) => ['low', 'critical'].includes(level(risk) ?? ''),
  },
  { query: 'score_min=12', keep: (risk) => risk.likelihood * risk.impact >= 12 },
  { query: 'likelihood=5', keep: (risk) => risk.likelihood === 5 },
  { query: 'impact=1,4', keep: (risk) => [1, 4].includes(risk.impact) },
  {
    query: 'likelihood=2,3&impact=3,5&score_min=7',
    keep: (risk) =>
      [2, 3].includes(risk.likelihood) &&
      [3, 5].includes(risk.impact) &&
      risk.likelihood * risk.impact >= 7,
  },
  { query: 'status=monitoring', keep: ({ status }) => status === 'monitoring' },
  { query: 'status=treating,identified', keep: ({ status }) => status !== 'monitoring' },
  { query: 'category=other', keep: () => true },
  { query: 'category=legal,people', keep: () => false },
  { query: 'response=undecided&status=treating', keep: ({ status }) => status === 'treating' },
  {
    query: 'score_min=9&level=medium,critical',
    keep: (risk) =>
      risk.likelihood * risk.impact >= 9 && ['medium', 'critical'].includes(level(risk) ?? ''),
  },
  { query: 'q=UPLIFT', keep: (risk) => risk.title.includes('uplift') },
  { query: `project_id=${typeId('prj', projects[3] ?? '')}`, keep: (risk) => risk.project === 3 },
  {
    query: `project_id=${projects
      .slice(0, 20)
      .map((uuid) => typeId('prj', uuid))
      .join(',')}`,
    keep: (risk) => risk.project < 20,
  },
  { query: 'owner_user_id=none', keep: (risk) => risk.owner === null },
  {
    query: `owner_user_id=none,${typeId('usr', people[0] ?? '')}`,
    keep: (risk) => risk.owner === null || risk.owner === people[0],
  },
  {
    query: `owner_user_id=${typeId('usr', people[1] ?? '')}&level=high&q=flood&project_id=${projects
      .slice(5)
      .map((uuid) => typeId('prj', uuid))
      .join(',')}`,
    keep: (risk) =>
      risk.owner === people[1] &&
      level(risk) === 'high' &&
      risk.title.includes('flood') &&
      risk.project >= 5,
  },
  { query: 'level=low&score_min=20', keep: () => false },
  { query: 'project_id=prj_00000000000000000000000000', keep: () => false },
]

for (const { query, keep } of filters) {
  test(`filters by ${query.slice(0, 60)} (seed ${seed})`, async () => {
    const expected = register(keep)
    const complete = await reader.get(`/v1/risks?${query}&include=total_count`)
    assert.deepEqual(ids(complete.body), expected)
    assert.equal(complete.body.total_count, expected.length)
    assert.deepEqual(await walk(reader, query, 23), expected)
    const { body } = await reader.get(`/v1/risks?${query}&include=total_count&limit=1`)
    assert.equal(body.total_count, expected.length)
  })
}

test('refuses parameters that would widen the register', async () => {
  for (const query of ['is_live=false', 'closed=true']) {
    const { status, body } = await reader.get(`/v1/risks?${query}`)
    assert.equal(`${status} ${body.code}`, '400 unknown_parameter', query)
  }
  const wrong = [
    'sort=rank',
    'status=closed',
    'status=occurred',
    'status=all',
    'level=any',
    'score_min=0',
  ]
  for (const query of [...wrong, 'score_min=26', 'owner_user_id=all', 'impact=6', 'tag=a%20b']) {
    const { status, body } = await reader.get(`/v1/risks?${query}`)
    assert.equal(`${status} ${body.code}`, '400 invalid_parameter', query)
  }
})

test('returns the rank within the requested list, continued by the cursor', async () => {
  const ranks: number[] = []
  let cursor = ''
  do {
    const { body } = await reader.get(`/v1/risks?status=treating&limit=50${cursor}`)
    ranks.push(...body.data.map(({ rank }: Json) => rank))
    cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`
  } while (cursor !== '')
  assert.deepEqual(
    ranks,
    ranks.map((_, index) => index + 1),
  )
})

test('refuses to write to the register', async () => {
  const manager = await home.manager()
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const { status, headers, body } = await manager.send(method, '/v1/risks', { body: {} })
    assert.equal(`${status} ${body.code}`, '405 method_not_allowed')
    assert.equal(headers.get('allow'), 'GET, HEAD')
  }
})

test('publishes the scale', async () => {
  const { status, body, headers } = await (await home.key()).get('/v1/scale')
  assert.equal(status, 200)
  assert.deepEqual(body, scale)
  const again = await reader.get('/v1/scale', { 'if-none-match': headers.get('etag') ?? '' })
  assert.equal(again.status, 304)
})

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, at: random.below(1_000_000) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ value }) => value)
}

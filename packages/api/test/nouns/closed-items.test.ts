import assert from 'node:assert/strict'
import { test } from 'node:test'

import { type Issue, type Project, projectStatuses, type Risk } from '@muster/contract'

import { advanceClock, newModelRun, startFixture } from '#test/model/projects/model-run'
import type { Json } from '#test/support/client'
import { seed } from '#test/support/size'
import { startHost } from '#test/support/workspace'

import { closedIssues, closedRisks, withProject } from './rollup-expected.ts'
import { createRegister } from './rollup-fixture.ts'

const host = await startHost()
const fixture = await startFixture(host)
const run = await newModelRun(fixture, 'UTC')
const { client } = run
await createRegister(run, seed)
await closeWithoutPerson()

const read = async (path: string): Promise<Json> => {
  const { status, text, body } = await client.get(path)
  assert.equal(status, 200, text)
  return body
}

const all: Project[] = (await read(`/v1/projects?status=${projectStatuses.join(',')}`)).data
const projects = new Map(all.map((project) => [project.id, project]))
const risks: Risk[] = []
const issues: Issue[] = []
for (const { id } of all) {
  risks.push(...(await read(`/v1/projects/${id}/risks`)).data)
  issues.push(...(await read(`/v1/projects/${id}/issues`)).data)
}

/** Closes a risk without an owner and an issue without an assignee. */
async function closeWithoutPerson(): Promise<void> {
  const { id } = await send('POST', '/v1/projects', { code: 'FREE', name: 'Free' })
  const here = `/v1/projects/${id}`
  const risk = await send('POST', `${here}/risks`, { title: 'Uplift', likelihood: 1, impact: 1 })
  await send('POST', `${here}/risks/${risk.id}/close`, { close_reason: 'other' })
  const issue = await send('POST', `${here}/issues`, { title: 'Uplift', severity: 1 })
  await send('POST', `${here}/issues/${issue.id}/close`, { close_reason: 'resolved' })
}

async function send(method: string, path: string, body: object): Promise<Json> {
  const reply = await client.send(method, path, { body })
  assert.ok(reply.status < 300, reply.text)
  return reply.body
}

/** A filter: its text in the query, and which items it leaves. */
type Filters<T> = readonly (readonly [query: string, isLeft: (item: T) => boolean])[]

/** The project and the person with most of these items. */
function mostOf<T>(items: readonly T[], keyOf: (item: T) => string | null): string {
  const groups = Map.groupBy(items, keyOf)
  groups.delete(null)
  const [most] = [...groups].toSorted(([, a], [, b]) => b.length - a.length)
  return most?.[0] ?? ''
}

const commonFilters = (items: readonly (Risk | Issue)[]): Filters<Risk | Issue> => {
  const projectId = mostOf(items, ({ project_id }) => project_id)
  // Some projects have no such item: the most frequent one is always among them.
  const others = [...new Set([projectId, ...all.slice(0, 5).map(({ id }) => id)])]
  const ref = items[0]?.ref ?? ''
  return [
    ['', () => true],
    [`project_id=${projectId}`, (item) => item.project_id === projectId],
    [`project_id=${others.join(',')}`, (item) => others.includes(item.project_id)],
    ['q=UPLIFT', ({ title }) => title.toLowerCase().includes('uplift')],
    [`q=${ref.toLowerCase()}`, (item) => item.ref.includes(ref)],
  ]
}

const peopleFilters = <T>(
  name: string,
  items: readonly T[],
  userIdOf: (item: T) => string | null,
): Filters<T> => {
  const userId = mostOf(items, userIdOf)
  return [
    [`${name}=${userId}`, (item) => userIdOf(item) === userId],
    [`${name}=${userId},none`, (item) => [userId, null].includes(userIdOf(item))],
  ]
}

/** Asserts every filter alone and every pair, complete and by pages. */
async function assertFilters<T extends Risk | Issue>(
  path: string,
  items: readonly T[],
  filters: Filters<T>,
): Promise<void> {
  for (const [one, isLeft] of filters) {
    for (const [other, isAlsoLeft] of filters) {
      const names = [one, other].map((text) => text.split('=')[0])
      if (names[0] === names[1] && one !== other) continue
      const query = [...new Set([one, other])].join('&')
      const left = items.filter((item) => isLeft(item) && isAlsoLeft(item))
      const expected = withProject(left, projects)
      assert.deepEqual((await read(`${path}?${query}`)).data, expected, query)
      assert.deepEqual(await readPages(path, query, expected.length), expected, `${query} by pages`)
    }
    assert.ok(items.some(isLeft), `${one} finds nothing`)
  }
}

async function readPages(path: string, query: string, total: number): Promise<Json[]> {
  const found: Json[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const after: string = cursor && `&cursor=${cursor}`
    const body: Json = await read(`${path}?${query}&limit=7&include=total_count${after}`)
    assert.equal(body.total_count, total, query)
    found.push(...body.data)
    cursor = body.next_cursor
  }
  return found
}

test('lists the occurred and closed risks of all projects, the latest first', async () => {
  const expected = closedRisks(risks)
  const ties = expected.filter(
    ({ closed_at }, index) => closed_at !== null && closed_at === expected[index - 1]?.closed_at,
  )
  assert.ok(expected.length > 20 && ties.length > 5, `${expected.length} risks`)
  await assertFilters('/v1/risks/closed', expected, [
    ...commonFilters(expected),
    ...peopleFilters('owner_user_id', expected, ({ owner_user_id }) => owner_user_id),
    ['status=occurred', ({ status }) => status === 'occurred'],
    ['status=closed', ({ status }) => status === 'closed'],
    ['status=occurred,closed', () => true],
  ])
})

test('lists the closed issues of all projects, the latest first', async () => {
  const expected = closedIssues(issues)
  assert.ok(expected.length > 10, `${expected.length} issues`)
  await assertFilters('/v1/issues/closed', expected, [
    ...commonFilters(expected),
    ...peopleFilters('assignee_user_id', expected, ({ assignee_user_id }) => assignee_user_id),
  ])
})

test('names owner and assignee with include=people, null when there is none', async () => {
  const people: Json[] = (await read('/v1/personnel')).data
  const names = new Map(people.map(({ user_id, name }) => [user_id, { user_id, name }]))
  const nameOf = (id: string | null) => names.get(id) ?? null
  const owned = withProject(closedRisks(risks), projects).map((risk) => ({
    ...risk,
    owner: nameOf(risk.owner_user_id),
  }))
  assert.deepEqual((await read('/v1/risks/closed?include=people')).data, owned)
  const assigned = withProject(closedIssues(issues), projects).map((issue) => ({
    ...issue,
    assignee: nameOf(issue.assignee_user_id),
  }))
  assert.deepEqual((await read('/v1/issues/closed?include=people')).data, assigned)
  assert.ok(owned.some(({ owner }) => owner === null))
  assert.ok(assigned.some(({ assignee }) => assignee === null))
})

test('an occurred risk keeps its place when it changes, and moves when it is closed', async () => {
  const project = await send('POST', '/v1/projects', { code: 'LAST', name: 'Last' })
  const here = `/v1/projects/${project.id}/risks`
  const later = async (verb: string, body = {}) => {
    advanceClock(run, 60)
    await send('POST', `${here}/${verb}`, body)
  }
  const rating = { likelihood: 2, impact: 2 }
  const first = await send('POST', here, { title: 'First', ...rating })
  const second = await send('POST', here, { title: 'Second', ...rating })
  const titles = async () =>
    (await read(`/v1/risks/closed?project_id=${project.id}`)).data.map(({ title }: Json) => title)
  await later(`${first.id}/occur`)
  await later(`${second.id}/occur`)
  assert.deepEqual(await titles(), ['Second', 'First'])
  advanceClock(run, 60)
  await send('PATCH', `${here}/${first.id}`, { title: 'Changed' })
  assert.deepEqual(await titles(), ['Second', 'Changed'])
  await later(`${first.id}/close`, { close_reason: 'other' })
  assert.deepEqual(await titles(), ['Changed', 'Second'])
  await later(`${second.id}/reopen`)
  assert.deepEqual(await titles(), ['Changed'])
})

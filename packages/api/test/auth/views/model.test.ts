import assert from 'node:assert/strict'
import { test } from 'node:test'

import {
  type Issue,
  openTaskStatuses,
  type Project,
  projectStatuses,
  type Risk,
  riskCategories,
  riskFlags,
  type Task,
  taskStatuses,
} from '@muster/contract'
import * as fc from 'fast-check'

import { newModelRun, startFixture } from '#test/model/projects/model-run'
import {
  closedIssues,
  closedRisks,
  issueSummary,
  projectSummary,
  rankedIssues,
  rankedRisks,
  riskSummary,
  taskSummary,
  viewed,
  withProject,
} from '#test/nouns/rollup-expected'
import {
  few,
  type Filter,
  filterOf,
  matches,
  ofIssues,
  ofRisks,
  queryOf,
} from '#test/nouns/rollup-filters'
import { createRegister, words } from '#test/nouns/rollup-fixture'
import type { Client, Json } from '#test/support/client'
import { seed, size } from '#test/support/size'
import { startHost } from '#test/support/workspace'

import { bindKey } from './bound-keys.ts'

/**
 * What bound keys read of a random register, compared with a second implementation: the items of
 * their projects, filtered, ranked and counted one by one.
 */
const keyCount = size(20, 200)

const host = await startHost()
const fixture = await startFixture(host)
const run = await newModelRun(fixture, 'UTC')
const manager = run.client
await createRegister(run, seed)

async function read(client: Client, path: string): Promise<Json> {
  const { status, text, body } = await client.get(path)
  assert.equal(status, 200, text)
  return body
}

const everyStatus = `status=${projectStatuses.join(',')}`
const all: Project[] = (await read(manager, `/v1/projects?${everyStatus}`)).data
const projects = new Map(all.map((project) => [project.id, project]))
const risks: Risk[] = []
const issues: Issue[] = []
for (const { id } of all) {
  risks.push(...(await read(manager, `/v1/projects/${id}/risks`)).data)
  issues.push(...(await read(manager, `/v1/projects/${id}/issues`)).data)
}
const tasks: Task[] = (await read(manager, `/v1/tasks?status=${taskStatuses.join(',')}`)).data
const people: Json[] = (await read(manager, '/v1/personnel')).data
const today = fixture.clock.now.toISOString().slice(0, 10)

const projectIds = [...projects.keys()]
const userIds = [...people.map(({ user_id }) => user_id), 'none']
const both = {
  project_id: few(projectIds, 8),
  tag: few(['flood', 'gates', 'Åska']),
  q: fc.constantFrom(...words).map((word) => [word]),
}
const riskFilters = filterOf({
  ...both,
  owner_user_id: few(userIds, 20),
  category: few(riskCategories, 5),
  flag: few(riskFlags, 2),
  score_min: fc.integer({ min: 1, max: 25 }).map((score) => [score]),
})
const issueFilters = filterOf({ ...both, assignee_user_id: few(userIds, 20) })

/** All pages of a list, with its total. */
async function walk(client: Client, address: string, total: number): Promise<Json[]> {
  const found: Json[] = []
  let cursor = ''
  for (;;) {
    const page = `${address}${address.includes('?') ? '&' : '?'}limit=7&include=total_count${cursor}`
    const body = await read(client, page)
    assert.equal(body.total_count, total, page)
    found.push(...body.data)
    if (body.next_cursor === null) return found
    cursor = `&cursor=${body.next_cursor}`
  }
}

async function assertList(client: Client, address: string, expected: readonly object[]) {
  const body = await read(client, address)
  assert.deepEqual(body.data, expected, address)
  assert.equal(body.count, expected.length)
  const pages = await walk(client, address, expected.length)
  assert.deepEqual(pages, expected, `${address} by pages`)
}

async function assertSummary(client: Client, path: string, expected: object) {
  const { as_of: _, ...summary } = await read(client, path)
  assert.deepEqual(summary, expected, path)
}

interface Seen {
  readonly client: Client
  readonly inView: <T extends { project_id: string }>(items: readonly T[]) => T[]
}

async function assertRisks({ client, inView }: Seen, filter: Filter) {
  const query = queryOf(filter)
  const left = rankedRisks(inView(risks)).filter(matches(ofRisks, filter))
  await assertList(client, `/v1/risks?${query}`, viewed(left, projects))
  const expected = riskSummary(left, { projects, basis: 'current' })
  await assertSummary(client, `/v1/risks/summary?${query}`, expected)
  return left.length
}

async function assertIssues({ client, inView }: Seen, filter: Filter) {
  const query = queryOf(filter)
  const left = rankedIssues(inView(issues)).filter(matches(ofIssues, filter))
  await assertList(client, `/v1/issues?${query}`, viewed(left, projects))
  await assertSummary(client, `/v1/issues/summary?${query}`, issueSummary(left, projects))
}

async function assertOthers({ client, inView }: Seen) {
  await assertList(client, '/v1/risks/closed', withProject(closedRisks(inView(risks)), projects))
  await assertList(client, '/v1/issues/closed', withProject(closedIssues(inView(issues)), projects))
  const open = inView(tasks).filter(({ status }) => openTaskStatuses.some((one) => one === status))
  await assertList(client, '/v1/tasks', open)
  await assertSummary(client, '/v1/tasks/summary', taskSummary(open, { projects, today }))
}

async function assertProjects({ client, inView }: Seen, shown: ReadonlySet<string>) {
  const here = all.filter(({ id }) => shown.has(id))
  await assertList(client, `/v1/projects?${everyStatus}`, here)
  const counted = await read(client, `/v1/projects?${everyStatus}&include=summary`)
  const summaries = here.map((project) => {
    const own = <T extends { project_id: string }>(items: readonly T[]) =>
      inView(items).filter(({ project_id }) => project_id === project.id)
    return { ...project, summary: projectSummary(own(risks), own(issues)) }
  })
  assert.deepEqual(counted.data, summaries)
}

test(`bound keys see what the model has of their projects (seed ${seed})`, async (t) => {
  const sizes = [1, 2, 3, 5, 6, 12, 50]
  const random = fc.sample(fc.shuffledSubarray(projectIds, { minLength: 50 }), {
    seed,
    numRuns: keyCount,
  })
  const [ofRisk, ofIssue] = [riskFilters, issueFilters].map((filters) =>
    fc.sample(filters, { seed, numRuns: keyCount }),
  )
  let matched = 0
  for (const [index, shuffled] of random.entries()) {
    const chosen = shuffled.slice(0, sizes[index % sizes.length])
    const shown = new Set(chosen)
    const { client } = await bindKey(manager, chosen)
    const inView: Seen['inView'] = (items) =>
      items.filter(({ project_id }) => shown.has(project_id))
    const seen = { client, inView }
    for (const filter of [{}, ofRisk?.[index] ?? {}]) matched += await assertRisks(seen, filter)
    for (const filter of [{}, ofIssue?.[index] ?? {}]) await assertIssues(seen, filter)
    await assertOthers(seen)
    await assertProjects(seen, shown)
  }
  assert.ok(matched > keyCount * 5, `${matched} risks`)
  t.diagnostic(`${keyCount} keys, ${matched} risks`)
})

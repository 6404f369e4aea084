import assert from 'node:assert/strict'
import { test } from 'node:test'

import {
  bases,
  type Issue,
  levels,
  liveRiskStatuses,
  openIssueStatuses,
  type Project,
  projectStatuses,
  type Risk,
  riskCategories,
  riskFlags,
  riskResponses,
} from '@muster/contract'
import * as fc from 'fast-check'

import { findDrift } from '#test/drift/drift'
import { newModelRun, startFixture } from '#test/model/projects/model-run'
import { isLive } from '#test/model/projects/risks'
import type { Json } from '#test/support/client'
import { seed, size } from '#test/support/size'
import { startHost } from '#test/support/workspace'

import {
  isAcceptanceValid,
  issueSummary,
  projectSummary,
  rankedIssues,
  rankedRisks,
  riskSummary,
  viewed,
} from './rollup-expected.ts'
import {
  few,
  type Filter,
  filterOf,
  matches,
  ofIssues,
  ofRisks,
  queryOf,
  type Tests,
  type Values,
} from './rollup-filters.ts'
import { createRegister, words } from './rollup-fixture.ts'
import { issueKeys, type Keys, riskKeys, sorted, sortsOf } from './sorted-expected.ts'

// RUNS=1000 for a long run; SEED repeats a run.
const runs = Number(process.env['RUNS'] ?? size(20, 200))

const host = await startHost()
const fixture = await startFixture(host)
const run = await newModelRun(fixture, 'UTC')
const { client } = run
await createRegister(run, seed)

const read = async (path: string): Promise<Json> => {
  const { status, text, body } = await client.get(path)
  assert.equal(status, 200, text)
  return body
}

/** All items, read per project, where no status is filtered out. */
const all: Project[] = (await read(`/v1/projects?status=${projectStatuses.join(',')}`)).data
const projects = new Map(all.map((project) => [project.id, project]))
const risks: Risk[] = []
const issues: Issue[] = []
for (const { id } of all) {
  risks.push(...(await read(`/v1/projects/${id}/risks`)).data)
  issues.push(...(await read(`/v1/projects/${id}/issues`)).data)
}
const people: Json[] = (await read('/v1/personnel')).data
const names = new Map(people.map(({ user_id, name }) => [user_id, { user_id, name }]))

const ratings = [1, 2, 3, 4, 5]
const userIds = [...names.keys(), 'none']
const projectIds = [...projects.keys(), 'prj_01ktrr9d3hen4v9q9t9m2g8x5c']
const textsOf = (items: readonly { ref: string }[]) =>
  fc.oneof(
    fc.constantFrom(...words, 'ÅSKA', 'uber', 'dam', 'xyz').map((word) => [word]),
    fc.constantFrom(...items.map(({ ref }) => [ref.toLowerCase()])),
  )

const valuesOf = (items: readonly { id: string; ref: string }[]) => ({
  id: few(
    items.map(({ id }) => id),
    50,
  ),
  project_id: few(projectIds, 8),
  tag: few(['flood', 'gates', 'Åska', 'unused']),
  q: textsOf(items),
})

const ofRisk = {
  ...valuesOf(risks),
  owner_user_id: few(userIds, 20),
  category: few(riskCategories, 5),
  response: few(riskResponses),
  status: few(liveRiskStatuses, 2),
  flag: few(riskFlags, 2),
  accepted: fc.constantFrom(['true'], ['false']),
  level: few(levels, 2),
  likelihood: few(ratings),
  impact: few(ratings),
  score_min: fc.integer({ min: 1, max: 25 }).map((score) => [score]),
}
/** Days on which issues were opened, adjacent days, and distant days. */
const days = fc
  .record({
    day: fc.constantFrom(...new Set(issues.map(({ opened_at }) => opened_at.slice(0, 10)))),
    apart: fc.constantFrom(-1, 0, 1, -15, 15, -700_000, 2_900_000),
  })
  .map(({ day, apart }) => [
    new Date(Date.parse(day) + apart * 86_400_000).toISOString().slice(0, 10),
  ])
const ofIssue = {
  ...valuesOf(issues),
  assignee_user_id: few(userIds, 20),
  status: few(openIssueStatuses, 2),
  flag: fc.constant(['overdue']),
  severity: few(ratings),
  opened_from: days,
  opened_before: days,
}

/** Reads all pages, and checks the counts of each. */
async function walk(path: string, query: string, total: number): Promise<Json[]> {
  const limit = query.includes('sort=') ? 31 : 7
  const found: Json[] = []
  let cursor = ''
  for (;;) {
    const body = await read(`${path}?${query}&limit=${limit}&include=total_count${cursor}`)
    assert.equal(body.count, body.data.length)
    assert.equal(body.total_count, total)
    found.push(...body.data)
    if (body.next_cursor === null) return found
    assert.equal(body.count, limit, 'only the last page is short')
    cursor = `&cursor=${body.next_cursor}`
  }
}

async function assertList(path: string, query: string, expected: readonly object[]) {
  const body = await read(`${path}?${query}`)
  assert.deepEqual(body.data, expected, `${path}?${query}`)
  assert.equal(body.count, expected.length)
  assert.equal(body.next_cursor, null)
  assert.deepEqual(await walk(path, query, expected.length), expected, `${path}?${query} by pages`)
  return body.as_of
}

const check = (filter: fc.Arbitrary<Filter>, same: (filter: Filter) => Promise<void>) =>
  fc.assert(fc.asyncProperty(filter, same), { seed, numRuns: runs, examples: [[{}]] })

/** How many filters matched anything: a test with only empty lists proves nothing. */
const hits = { risks: 0, issues: 0 }

test('creates a register with ties, flags, owners, tags, closed items, and more than a summary shows', () => {
  const live = rankedRisks(risks)
  assert.ok(live.length >= 200 && live.length < risks.length, `${live.length} live risks`)
  assert.ok(rankedIssues(issues).length >= 100 && issues.some(({ status }) => status === 'closed'))
  for (const flag of riskFlags)
    assert.ok(
      live.some(({ flags }) => flags.includes(flag)),
      flag,
    )
  const above = live.filter(({ flags }) => flags.includes('above_appetite'))
  assert.ok(above.some(isAcceptanceValid), 'a risk above the appetite is accepted')
  assert.ok(
    above.some((risk) => risk.acceptance !== null && !isAcceptanceValid(risk)),
    'the acceptance of a risk above the appetite has expired',
  )
  assert.ok(issues.some(({ flags }) => flags.includes('overdue')))
  const ties = live.filter(
    ({ score, impact }, index) =>
      score === live[index - 1]?.score && impact === live[index - 1]?.impact,
  )
  assert.ok(ties.length > 100, `${ties.length} ties of the rank`)
  const open = new Set(rankedIssues(issues).map((issue) => `${issue.severity} ${issue.opened_at}`))
  assert.ok(open.size < 30, `${open.size} pairs of severity and instant`)
  assert.ok(new Set(live.map(({ project_id }) => project_id)).size > 50, 'more than 50 projects')
  assert.ok(
    new Set(live.map(({ owner_user_id }) => owner_user_id)).size > 50,
    'more than 50 owners',
  )
  assert.ok(
    all.some(({ status }) => status === 'archived'),
    'some projects are archived',
  )
})

test(`ranks and filters the register, complete and by pages (seed ${seed})`, async () => {
  await check(filterOf(ofRisk), async (filter) => {
    const left = rankedRisks(risks).filter(matches(ofRisks, filter))
    const query = queryOf(filter)
    const as_of = await assertList('/v1/risks', query, viewed(left, projects))
    for (const basis of bases) {
      const summary = await read(`/v1/risks/summary?${query}&basis=${basis}`)
      assert.deepEqual(summary, { as_of, ...riskSummary(left, { projects, basis }) }, query)
    }
    if (left.length > 0) hits.risks += 1
  })
})

test(`ranks and filters open issues, complete and by pages (seed ${seed})`, async () => {
  await check(filterOf(ofIssue), async (filter) => {
    const left = rankedIssues(issues).filter(matches(ofIssues, filter))
    const query = queryOf(filter)
    const as_of = await assertList('/v1/issues', query, viewed(left, projects))
    const summary = await read(`/v1/issues/summary?${query}`)
    assert.deepEqual(summary, { as_of, ...issueSummary(left, projects) }, query)
    if (left.length > 0) hits.issues += 1
  })
})

const nameOf = (id: string | null): string | null => names.get(id)?.name ?? null

/** Every order in both directions: all items, and what a filter leaves. */
async function assertSorted<T extends { id: string; project_id: string }>(
  list: 'risks.list' | 'issues.list',
  {
    ranked,
    tests,
    values,
    keys,
  }: {
    readonly ranked: readonly T[]
    readonly tests: Tests<T>
    readonly values: Record<string, fc.Arbitrary<Values>>
    readonly keys: Keys<T>
  },
) {
  const sorts = sortsOf(list)
  const filters = fc.sample(filterOf(values), { numRuns: sorts.length, seed })
  for (const [index, sort] of sorts.entries()) {
    for (const filter of [{}, filters[index] ?? {}]) {
      const left = viewed(ranked.filter(matches(tests, filter)), projects)
      const query = `${queryOf(filter)}&sort=${sort}`
      const path = `/v1/${list.replace('.list', '')}`
      await assertList(path, query, sorted(left, keys, sort))
    }
  }
}

test(`sorts the register and keeps the rank, complete and by pages (seed ${seed})`, () =>
  assertSorted('risks.list', {
    ranked: rankedRisks(risks),
    tests: ofRisks,
    values: ofRisk,
    keys: riskKeys(nameOf),
  }))

test(`sorts open issues and keeps the rank, complete and by pages (seed ${seed})`, () =>
  assertSorted('issues.list', {
    ranked: rankedIssues(issues),
    tests: ofIssues,
    values: ofIssue,
    keys: issueKeys(nameOf),
  }))

test('has matches for most filters', () => {
  assert.ok(hits.risks > runs / 2 && hits.issues > runs / 2, JSON.stringify(hits))
})

test('sums the selected projects in a summary, for any number of them', async () => {
  for (const count of [1, 2, 50]) {
    const some = projectIds.slice(0, count)
    const project_id = some.join(',')
    const here = rankedRisks(risks).filter((risk) => some.includes(risk.project_id))
    const { as_of: _, ...summary } = await read(`/v1/risks/summary?project_id=${project_id}`)
    assert.deepEqual(summary, riskSummary(here, { projects, basis: 'current' }))
    const open = rankedIssues(issues).filter((issue) => some.includes(issue.project_id))
    const { as_of: __, ...ofOpen } = await read(`/v1/issues/summary?project_id=${project_id}`)
    assert.deepEqual(ofOpen, issueSummary(open, projects))
  }
})

test('lists the issues of every summary cell, and the cells add up to the total', async () => {
  const { cells, count } = await read('/v1/issues/summary')
  let sum = 0
  for (const { severity, month, count: held } of cells) {
    const [from, before] = [0, 1].map((later) => {
      const [year, number] = month.split('-').map(Number)
      return new Date(Date.UTC(year, number - 1 + later)).toISOString().slice(0, 10)
    })
    const query = `severity=${severity}&opened_from=${from}&opened_before=${before}`
    const { data } = await read(`/v1/issues?${query}`)
    assert.equal(data.length, held, query)
    assert.ok(data.every((issue: Json) => issue.opened_at.startsWith(month)))
    sum += held
  }
  assert.ok(cells.length > 10)
  assert.equal(sum, count)
})

test('names owner and assignee with include=people, null when there is none', async () => {
  const personOf = (id: string | null) => names.get(id) ?? null
  const entries = viewed(rankedRisks(risks), projects)
  const owned = entries.map((risk) => ({ ...risk, owner: personOf(risk.owner_user_id) }))
  assert.deepEqual((await read('/v1/risks?include=people')).data, owned)
  assert.deepEqual((await read('/v1/risks?include=people&limit=9')).data, owned.slice(0, 9))
  const open = viewed(rankedIssues(issues), projects)
  const assigned = open.map((issue) => ({ ...issue, assignee: personOf(issue.assignee_user_id) }))
  assert.deepEqual((await read('/v1/issues?include=people')).data, assigned)
  assert.deepEqual((await read('/v1/issues?include=people&limit=9')).data, assigned.slice(0, 9))
})

test('returns the counts of each project with include=summary', async () => {
  const expected = all.map((project) => ({
    ...project,
    summary: projectSummary(
      risks.filter(({ project_id }) => project_id === project.id),
      issues.filter(({ project_id }) => project_id === project.id),
    ),
  }))
  const every = `/v1/projects?status=${projectStatuses.join(',')}&include=summary`
  assert.deepEqual((await read(every)).data, expected)
  assert.deepEqual((await read(`${every}&limit=5`)).data, expected.slice(0, 5))
  const kept = expected.filter(({ status }) => status !== 'archived')
  assert.deepEqual((await read('/v1/projects?include=summary')).data, kept)
  const gone = expected.filter(({ status }) => status === 'archived')
  assert.ok(gone.every(({ summary }) => summary.live_risks === 0 && summary.open_issues === 0))
  assert.ok(risks.some((risk) => !isLive(risk) && gone.some(({ id }) => id === risk.project_id)))
})

test('finds no drift', async () => {
  const today = fixture.clock.now.toISOString().slice(0, 10)
  assert.deepEqual(await findDrift(host.sql, { today }), [])
})

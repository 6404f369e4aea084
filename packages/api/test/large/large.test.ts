import assert from 'node:assert/strict'
import { test } from 'node:test'

import { limits } from '@muster/contract'
import { atEnd } from '@muster/testing/at-end'

import { Authenticator, readCredential } from '#domain/auth/authenticate'
import { RefusalLog } from '#domain/auth/refusal-log'
import { SessionManager } from '#domain/auth/sessions'
import { issueToken } from '#domain/auth/token'
import { administrator } from '#domain/engine/caller'
import { RowTexts } from '#domain/engine/row-texts'
import { WorkspaceMemory } from '#domain/engine/workspace-memory'
import { addPerson, viewPerson } from '#domain/people/personnel'
import { addIssue, closeIssue, updateIssue } from '#domain/projects/issues'
import {
  listOpenIssues,
  type OpenIssuesQuery,
  summarizeOpenIssues,
} from '#domain/projects/open-issues'
import { archiveProject } from '#domain/projects/project-archive'
import { addProject, listProjects, updateProject } from '#domain/projects/projects'
import { listRegister, summarizeRegister } from '#domain/projects/register'
import { batchRisks } from '#domain/projects/risk-batch'
import { reviewRisk } from '#domain/projects/risk-lifecycle'
import { addRisk, updateRisk } from '#domain/projects/risks'
import { addTask, summarizeTasks, updateTask } from '#domain/projects/tasks'
import { createPool } from '#storage/connection/pool'
import { Database } from '#storage/transaction/database'
import { listVariants, type ListVariant } from '#test/contract/lists'
import { type Statement, sentDuring } from '#test/support/statements'

import { testAudit } from './audit.ts'
import { testDocuments } from './documents.ts'
import { testEvents } from './events.ts'
import { knownIds, openLarge } from './large.ts'
import { testLookups } from './lookups.ts'
import { intendedPlanOf } from './plan.ts'
import {
  assertBound,
  assertByKey,
  assertPages,
  besides,
  buffersMax,
  distinct,
  isChange,
  isRead,
  modes,
  openPlans,
  probe,
  rowsOf,
} from './plans.ts'
import { testRoster } from './roster.ts'
import { assertSearchPlan, describeReads } from './search-bound.ts'
import { isSorted, testSorted } from './sorted.ts'
import { full, scale } from './spread.ts'
import { testTrend } from './trend.ts'
import { testViews } from './views.ts'

const { host, home, small } = await openLarge()
const { id: keyId } = await home.issue()
// The test counts buffers, not time: a busy machine must not cause a timeout.
const pool = { url: host.url, role: 'muster_app', max: 2, hasLongTimeouts: true } as const
const database = new Database(createPool(pool))
atEnd(() => database[Symbol.asyncDispose]())
const authenticator = new Authenticator(database)
const caller = {
  ...administrator(database, home.id),
  actor: { type: 'key', id: keyId, user_id: null } as const,
}

const newTexts = () => new RowTexts(new WorkspaceMemory(64 * 1024 ** 2))

const plansOf = await openPlans(host.url, home.uuid)
const ids = await knownIds(host.sql, home.uuid)
const { prj: projects = [], usr: people = [] } = ids

/** The page size of the console. */
const pageRows = 50

/**
 * The tasks of one assignee in a project are filtered while scanning: no index covers both. The
 * bound is the number of tasks of one project. No index has the health of projects: the bound is
 * their number.
 */
const isFiltered = ({ name, parameter }: ListVariant) =>
  (name.startsWith('tasks.list_in_project') && parameter === 'assignee_user_id') ||
  (name.startsWith('projects.list ') && parameter === 'health')
const filteredMax = 10_000 * scale + 200

/**
 * Days of a review and due days are in the index of the sort orders: a page reads its entries in
 * rank order until it is full, then each row by its id. An entry has at most 270 bytes.
 */
const dayLists = { 'risks.list': full.risks, 'issues.list': full.issues }
const isByDay = ({ parameter }: ListVariant) => /^(?:review|due)_(?:from|before)$/.test(parameter)
const byDayMax = pageRows * probe + 2 * besides

const page = { after: null, limit: pageRows, countMax: null }

const variants = listVariants(ids)

const readsFewBuffers = (variant: ListVariant) => variant.parameter !== 'q' && !isSorted(variant)

for (const variant of variants.filter(readsFewBuffers)) {
  test(`${variant.name}: a page reads few buffers, first and deep`, async (t) => {
    const { name, query } = variant
    const most = (indexRanges: number) => {
      if (isFiltered(variant)) return filteredMax
      return isByDay(variant) ? byDayMax : buffersMax(name, query, indexRanges)
    }
    const bound = { rows: rowsOf(name), most }
    const list = variant.listing({ ...caller, rowTexts: newTexts() })
    t.diagnostic(await assertPages(plansOf, list, bound))
  })
}

for (const [list, entries] of Object.entries(dayLists)) {
  test(`${list}: a day that no item has costs the index of the sort orders`, async (t) => {
    const query =
      list === 'risks.list' ? { review_before: '1990-01-01' } : { due_before: '1990-01-01' }
    const listing =
      list === 'risks.list' ? listRegister(caller, query) : listOpenIssues(caller, query)
    const bound = { rows: pageRows, most: () => entries / 30 + besides }
    t.diagnostic(await assertPages(plansOf, listing, bound))
  })
}

/** The issues were opened in the twelve months before June. */
const april = { opened_from: '2026-04-01', opened_before: '2026-05-01' }
const spans: Readonly<Record<string, OpenIssuesQuery>> = {
  'from a day on': { opened_from: '2026-04-01' },
  'before a day': { opened_before: '2026-04-01' },
  'before the first one': { opened_before: '2025-06-01' },
  'of a month': april,
  'of a month and one severity': { ...april, severity: [3] },
  'of a month and three severities': { ...april, severity: [1, 3, 5] },
  'of a month and three projects': { ...april, project_id: projects.slice(0, 3) },
  'of a month and three people': { ...april, assignee_user_id: people.slice(0, 3) },
  'of a month and one status': { ...april, status: ['blocked'] },
  'of a month and one tag': { ...april, tag: ['flood'] },
}

for (const [span, query] of Object.entries(spans)) {
  test(`open issues ${span}: a page reads few buffers, first and deep`, async (t) => {
    const list = listOpenIssues({ ...caller, rowTexts: newTexts() }, query)
    const most = (indexRanges: number) => buffersMax('issues.list', query, indexRanges)
    t.diagnostic(await assertPages(plansOf, list, { rows: pageRows, most }))
  })
}

const large = { host, home, caller, plansOf, variants }
for (const addTests of [testRoster, testSorted, testAudit, testLookups]) addTests(large)
for (const addTests of [testEvents, testViews, testTrend]) await addTests(large)
await testDocuments(large, small)

test('q is answered by an index-only scan of one workspace', async (t) => {
  const rows = { ...full, personnel: full.people }
  for (const { name, listing } of variants.filter(({ parameter }) => parameter === 'q')) {
    const [noun = ''] = name.split('.')
    // The cast holds because every list with q is one of these; another has no bound and fails.
    const most = rows[noun as keyof typeof rows]
    const bound = { own: most, page: pageRows, heapFetches: Math.max(200, most / 100) }
    const sent = await sentDuring(() => listing(caller).page(page))
    const plans = await plansOf(sent.filter(({ sql }) => sql.includes('search_key')))
    assert.ok(plans.length > 0, name)
    for (const plan of plans) assertSearchPlan(plan, bound)
    t.diagnostic(`${name}: ${describeReads(plans, bound)}`)
  }
})

test('the names of the people on a page are looked up one by one', async () => {
  for (const list of [
    listRegister(caller, { include: ['people'] }),
    listOpenIssues(caller, { include: ['people'] }),
  ]) {
    const sent = await sentDuring(() => list.page(page))
    const asked = sent.filter(({ sql }) => sql.includes('from "people"'))
    assert.equal(asked.length, 1)
    for (const plan of await plansOf(asked)) assertBound(plan, pageRows * probe)
  }
})

test('a total is counted up to its limit', async (t) => {
  const countMax = limits.totalCountMax * scale
  const counted = new Set(['level', 'category', 'status', 'severity'])
  for (const { name, parameter, query, listing } of variants) {
    const isOne = Object.values(query).flat().length === 1
    if (!counted.has(parameter) || !isOne) continue
    const ask = { ...page, limit: 1, countMax }
    const sent = await sentDuring(() => listing(caller).page(ask))
    const counting = sent.filter(({ sql }) => sql.includes('count(*)'))
    assert.equal(counting.length, 1, name)
    const plans = await plansOf(counting)
    for (const plan of plans) assertBound(plan, countMax + 200)
    t.diagnostic(`${name}: ${Math.max(...plans.map(({ buffers }) => buffers))} buffers`)
  }
})

/** A summary reads eight dimensions of each project, and the largest counts. */
const summaryMax = (of: number) => of * 8 * probe + 50

for (const [what, count] of [
  ['everything', 0],
  ['one project', 1],
  ['twenty projects', 20],
] as const) {
  test(`a summary of ${what} reads stored counts and counts no rows`, async (t) => {
    const query = count > 0 ? { project_id: projects.slice(0, count) } : {}
    await summarizeRegister(caller, query)
    for (const summarize of [summarizeRegister, summarizeOpenIssues]) {
      const sent = await sentDuring(() => summarize(caller, query))
      const plans = await plansOf(sent.filter(isRead))
      for (const plan of plans) assertBound(plan, summaryMax(Math.max(1, count)))
      const sum = plans.reduce((total, { buffers }) => total + buffers, 0) / modes.length
      t.diagnostic(`${summarize.name}: ${sum} buffers in ${sent.filter(isRead).length} statements`)
    }
  })
}

/** An index page has more than 50 entries, and each project and status has an index range. */
const overdueMax = (overdue: number, projectCount: number) =>
  overdue / 50 + 3 * Math.max(1, projectCount) * probe + 50

for (const [what, count] of [
  ['all projects', 0],
  ['one project', 1],
  ['twenty projects', 20],
] as const) {
  test(`a summary of the tasks of ${what} reads stored counts and the overdue entries`, async (t) => {
    const query = count > 0 ? { project_id: projects.slice(0, count) } : {}
    const { overdue } = await summarizeTasks(caller, query)
    assert.ok(overdue > 0)
    const sent = (await sentDuring(() => summarizeTasks(caller, query))).filter(isRead)
    const isOverdue = ({ sql }: Statement) => sql.includes('due_key')
    assert.equal(sent.filter(isOverdue).length, 1)
    for (const plan of await plansOf(sent)) {
      const most = isOverdue(plan.statement)
        ? overdueMax(overdue, count)
        : summaryMax(Math.max(1, count))
      assertBound(plan, most)
    }
    t.diagnostic(`${overdue} overdue tasks in ${sent.length} statements`)
  })
}

test('a summary with a filter reads only the matching rows', async (t) => {
  const [someone = ''] = people
  for (const [summarize, query] of [
    [summarizeRegister, { owner_user_id: [someone] }],
    [summarizeOpenIssues, { assignee_user_id: [someone] }],
    [summarizeTasks, { assignee_user_id: [someone] }],
    [summarizeOpenIssues, april],
    [summarizeOpenIssues, { ...april, severity: [4] }],
  ] as const) {
    const { count } = await summarize(caller, query)
    assert.ok(count > 0)
    const sent = await sentDuring(() => summarize(caller, query))
    const plans = await plansOf(sent.filter(isRead))
    for (const plan of plans) assertBound(plan, 50 + 2 * count)
    t.diagnostic(`${summarize.name}: ${Math.max(...plans.map(({ buffers }) => buffers))} buffers`)
  }
})

test('the summaries on a page of projects are looked up project by project', async () => {
  const list = listProjects(caller, { include: ['summary'] })
  const sent = await sentDuring(() => list.page(page))
  const asked = sent.filter(({ sql }) => sql.includes('summary_counts'))
  assert.equal(asked.length, 1)
  for (const plan of await plansOf(asked)) assertBound(plan, pageRows * 2 * (probe + 1))
})

const stamp = process.hrtime.bigint().toString(36).toUpperCase().slice(-8)

/** The statements of every kind of write, in a new project. */
async function sentByWrites(): Promise<Statement[]> {
  const [owner = ''] = people
  const rated = { likelihood: 1, impact: 1, owner_user_id: owner, tags: ['flood'] }
  return sentDuring(async () => {
    const { id } = await addProject(caller, { code: `L${stamp}`, name: 'Late' })
    const at = (item: { id: string }) => ({ projectId: id, id: item.id })
    await updateProject(caller, id, { risk_appetite: 12, health: 'on_track' })
    const risk = await addRisk(caller, id, { title: 'Late', ...rated })
    await updateRisk(caller, at(risk), { tags: ['gates'], category: 'legal' })
    await reviewRisk(caller, at(risk), { likelihood: 5, impact: 5, note: 'Worse.' })
    await batchRisks(caller, {
      projectId: id,
      data: [
        { id: risk.id, title: 'Later' },
        { title: 'Last', ...rated },
      ],
    })
    const issue = await addIssue(caller, id, { title: 'Late', severity: 5, tags: ['flood'] })
    await updateIssue(caller, at(issue), { severity: 1, assignee_user_id: owner })
    await closeIssue(caller, at(issue), { close_reason: 'resolved' })
    const task = await addTask(caller, id, { title: 'Late', risk_id: risk.id })
    await updateTask(caller, at(task), { status: 'done' })
    await archiveProject(caller, id, { if_live_items: 'close' })
  })
}

test('a write reads and locks rows by key', async (t) => {
  const [manager = ''] = people
  const { workspaceId } = caller
  const origin = { network: null, userAgent: null }
  const session = await new SessionManager(database, new RefusalLog(database)).start(
    { workspaceId, keyId },
    origin,
  )
  assert.ok(session)
  const roomier = ['people', 'projects', 'live_risks', 'open_issues', 'open_tasks']
  await host.sql.query(
    `update workspace_counters set ${roomier.map((name) => `${name}_max = ${name}_max + 10`).join()}
     where workspace_id = $1`,
    [home.uuid],
  )
  const sent = await sentDuring(async () => {
    await viewPerson(caller, manager)
    const unknown = readCredential(issueToken(home.id).token, 'key')
    await authenticator.authenticate(unknown, '127.0.0.1').catch(() => {})
    await authenticator.authenticate(readCredential(session.token, 'session'), '127.0.0.1')
    const idempotentRequest = {
      digest: Buffer.alloc(32),
      fingerprint: Buffer.alloc(32),
      isReplay: false,
    }
    const input = {
      name: 'Late',
      email: `late-${stamp}@example.com`,
      external_id: `late-${stamp}`,
      manager_user_id: manager,
    }
    await addPerson({ ...caller, idempotentRequest }, input)
  })
  const writes = await sentByWrites()
  const reads = [...sent, ...writes].filter(isRead).filter(({ sql }) => !sql.includes('advisory'))
  assert.ok(reads.length > 40)
  for (const plan of await plansOf(reads)) {
    // A function plans its own statements, which reads the system catalogs.
    assertBound(plan, plan.statement.sql.includes('from authenticate_') ? 3 * besides : besides)
  }
  const changes = distinct(writes.filter(isChange))
  assert.ok(changes.length > 20)
  for (const plan of await plansOf(changes, intendedPlanOf)) assertByKey(plan)
  t.diagnostic(`${reads.length} statements, ${changes.length} changes`)
})

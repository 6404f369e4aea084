import assert from 'node:assert/strict'
import { test } from 'node:test'

import { limits } from '@muster/contract'

import { batchRisks } from '#domain/batch'
import type { Caller } from '#domain/caller'
import { Door } from '#domain/door'
import { addIssue, closeIssue, updateIssue } from '#domain/issues'
import { whoami } from '#domain/keys'
import type { Listing } from '#domain/listing'
import { listOpenIssues, summarizeOpenIssues } from '#domain/open-issues'
import { addPerson, viewPerson } from '#domain/personnel'
import { archiveProject } from '#domain/project-archive'
import { addProject, listProjects, updateProject } from '#domain/projects'
import { listRegister, summarizeRegister } from '#domain/register'
import { reviewRisk } from '#domain/risk-life'
import { addRisk, updateRisk } from '#domain/risks'
import { addTask, updateTask } from '#domain/tasks'
import { issueToken } from '#domain/token'
import { Database } from '#storage/database'
import { createPool, planning } from '#storage/pool'

import { atEnd } from './at-end.ts'
import { connect } from './database.ts'
import { knownIds, openLarge } from './large.ts'
import { listVariants, type ListVariant } from './lists.ts'
import { intendedPlanOf, type Plan, planOf } from './plan.ts'
import { type Statement, sentDuring } from './statements.ts'

const { host, home } = await openLarge()
const { id: keyId } = await home.issue()
const database = new Database(createPool({ url: host.url, role: 'muster_app', max: 2 }))
atEnd(() => database[Symbol.asyncDispose]())
const door = new Door(database)
const occasion = { requestId: null, repeatable: null, onlyIf: null }
const caller = door.caller(
  { workspaceId: home.id, keyId },
  occasion,
) as Caller<'personnel.manage'> & Caller<'projects.manage'>

/**
 * Plans as the service gets them: its role, its row level security, the statistics of the tables.
 */
const service = await connect(host.url)
atEnd(() => service.end())
await service.query(`set role muster_app; set timezone = 'UTC'`)
for (const [name, value] of Object.entries(planning)) await service.query(`set ${name} = ${value}`)
await service.query(`select set_config('app.ws', $1, false)`, [home.uuid])

const ids = await knownIds(host.sql, home.uuid)
const { prj: projects = [], usr: people = [] } = ids

/** A page as the console asks for it. */
const pageRows = 50

/** A look-up by a key goes down one index, of four levels at most, and to the row. */
const probe = 5

/** What is asked beside the list: who is there, whether the project is, a thousand names. */
const besides = 20

/**
 * The most buffers that a page may read. Its rows lie on as many pages of the heap as there are
 * rows, and a lane of a filter may fill the page by itself. Marks lead to each row by its id. A
 * step of a history looks up what was before and what was told; of a batch, all that was told.
 */
function buffersMax({ name, query }: ListVariant, lanes: number): number {
  if (name.includes('.history')) return pageRows * 3 * probe
  if ('tag' in query || 'flag' in query) return lanes * (pageRows + 1) * (probe + 1)
  return 100 + (lanes - 1) * (pageRows + 6)
}

/**
 * Of a project's tasks those of one assignee are picked on the way: no index has both. It is bound
 * by the tasks of one project.
 */
const isPicked = ({ name, parameter }: ListVariant) =>
  name.startsWith('tasks.list_in_project') && parameter === 'assignee_user_id'
const pickedMax = 10_000

/** The statement of a list begins with its lanes: as many as its first parameter has values. */
const lanesOf = ({ sql, parameters: [first] }: Statement) =>
  sql.includes('as lane') && Array.isArray(first) ? first.length : null

/** What reads; `set_config` only says in which workspace. */
const isRead = ({ sql }: Statement) => /^\s*(select|with)/.test(sql) && !sql.includes('set_config')

const modes = ['force_custom_plan', 'force_generic_plan']

/** Every plan of these statements: made for their values, and for any. */
async function plansOf(sent: Statement[], plan = planOf) {
  const plans: (Plan & { mode: string; statement: Statement })[] = []
  for (const mode of modes) {
    await service.query(`set plan_cache_mode = ${mode}`)
    for (const statement of sent) {
      plans.push({ ...(await plan(service, statement)), mode, statement })
    }
  }
  return plans
}

function assertBound({ buffers, scanned, text, mode }: Plan & { mode: string }, most: number) {
  assert.ok(buffers <= most, `${buffers} buffers of ${most}, ${mode}\n${text}`)
  assertNoScan({ scanned, text })
}

/** The table of a single row is read as it is. */
function assertNoScan({ scanned, text }: Pick<Plan, 'scanned' | 'text'>): void {
  const large = scanned.filter((table) => table !== 'cluster')
  assert.deepEqual(large, [], text)
}

const page = { after: null, limit: pageRows, countMax: null }

/** Where the second half begins; of a long list, where ten thousand rows have been passed. */
async function middleOf(list: Listing<object>) {
  const first = await list.page({ ...page, limit: 10_000 })
  if (first.next !== null || first.items.length < 2) return first.next
  return (await list.page({ ...page, limit: Math.floor(first.items.length / 2) })).next
}

const variants = listVariants(ids)

for (const variant of variants.filter(({ parameter }) => parameter !== 'q')) {
  test(`${variant.name}: a page reads few buffers, first and deep`, async (t) => {
    const list = variant.listing(caller)
    const seen: string[] = []
    for (const after of [null, await middleOf(list)]) {
      const sent = await sentDuring(() => list.page({ ...page, after }))
      for (const plan of await plansOf(sent.filter(isRead))) {
        const lanes = lanesOf(plan.statement)
        const isList = lanes !== null || /\bhistory\b/.test(plan.statement.sql)
        const most = isPicked(variant) ? pickedMax : buffersMax(variant, lanes ?? 1)
        assertBound(plan, isList ? most : besides)
        if (isList) seen.push(`${plan.buffers} of ${most}`)
      }
    }
    t.diagnostic(`${seen.join(', ')} buffers`)
  })
}

test('q reads only the range of its own workspace', async (t) => {
  for (const { name, listing } of variants.filter(({ parameter }) => parameter === 'q')) {
    const sent = await sentDuring(() => listing(caller).page(page))
    const plans = await plansOf(sent.filter(isRead))
    for (const plan of plans) assertNoScan(plan)
    t.diagnostic(`${name}: ${Math.max(...plans.map(({ buffers }) => buffers))} buffers`)
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

test('a total is counted no further than it is told', async (t) => {
  const counted = new Set(['level', 'category', 'status', 'severity'])
  for (const { name, parameter, query, listing } of variants) {
    const isOne = Object.values(query).flat().length === 1
    if (!counted.has(parameter) || !isOne) continue
    const ask = { ...page, limit: 1, countMax: limits.totalCountMax }
    const sent = await sentDuring(() => listing(caller).page(ask))
    const counting = sent.filter(({ sql }) => sql.includes('count(*)'))
    assert.equal(counting.length, 1, name)
    const plans = await plansOf(counting)
    for (const plan of plans) assertBound(plan, limits.totalCountMax + 200)
    t.diagnostic(`${name}: ${Math.max(...plans.map(({ buffers }) => buffers))} buffers`)
  }
})

/** A summary looks into seven dimensions of each project, and for those that count most. */
const summaryMax = (of: number) => of * 7 * probe + 50

for (const [what, count] of [
  ['everything', 0],
  ['one project', 1],
  ['twenty projects', 20],
] as const) {
  test(`a summary of ${what} reads what is kept, and counts nothing`, async (t) => {
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

test('a summary of a filter reads no more than the filter leaves', async (t) => {
  const [someone = ''] = people
  for (const [summarize, name] of [
    [summarizeRegister, 'owner_user_id'],
    [summarizeOpenIssues, 'assignee_user_id'],
  ] as const) {
    const { count } = await summarize(caller, { [name]: [someone] })
    const sent = await sentDuring(() => summarize(caller, { [name]: [someone] }))
    const plans = await plansOf(sent.filter(isRead))
    for (const plan of plans) assertBound(plan, 50 + 2 * count)
    t.diagnostic(`${summarize.name}: ${Math.max(...plans.map(({ buffers }) => buffers))} buffers`)
  }
})

test('the summaries on a page of projects are looked up project by project', async () => {
  const list = listProjects(caller, { include: ['summary'] })
  const sent = await sentDuring(() => list.page(page))
  const asked = sent.filter(({ sql }) => sql.includes('tallies'))
  assert.equal(asked.length, 1)
  for (const plan of await plansOf(asked)) assertBound(plan, pageRows * 2 * (probe + 1))
})

const stamp = process.hrtime.bigint().toString(36).toUpperCase().slice(-8)

/** Everything that is sent by writes of every kind, in a project of their own. */
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
    await batchRisks(caller, id, [
      { id: risk.id, title: 'Later' },
      { title: 'Last', ...rated },
    ])
    const issue = await addIssue(caller, id, { title: 'Late', severity: 5, tags: ['flood'] })
    await updateIssue(caller, at(issue), { severity: 1, assignee_user_id: owner })
    await closeIssue(caller, at(issue), { close_reason: 'resolved' })
    const task = await addTask(caller, id, { title: 'Late', risk_id: risk.id })
    await updateTask(caller, at(task), { status: 'done' })
    await archiveProject(caller, id, { if_live_items: 'close' })
  })
}

test('what a write looks at and locks is found by key', async (t) => {
  const [manager = ''] = people
  const { workspaceId, actor, ...rest } = caller
  const roomier = ['people', 'projects', 'live_risks', 'open_issues', 'open_tasks']
  await host.sql.query(
    `update workspace_counters set ${roomier.map((name) => `${name}_max = ${name}_max + 10`).join()}
     where workspace_id = $1`,
    [home.uuid],
  )
  const sent = await sentDuring(async () => {
    await viewPerson(caller, manager)
    await whoami({ workspaceId, actor, ...rest })
    await door.open(issueToken(home.id).token).catch(() => {})
    const repeatable = { digest: Buffer.alloc(32), fingerprint: Buffer.alloc(32), isReplay: false }
    const input = {
      name: 'Late',
      email: `late-${stamp}@example.com`,
      external_id: `late-${stamp}`,
      manager_user_id: manager,
    }
    await addPerson({ ...caller, repeatable }, input)
  })
  const writes = await sentByWrites()
  const reads = [...sent, ...writes].filter(isRead).filter(({ sql }) => !sql.includes('advisory'))
  assert.ok(reads.length > 50)
  for (const plan of await plansOf(reads)) {
    // A function makes the plans of its own statements, which reads the catalogue.
    const isFunction = plan.statement.sql.includes('from open_door')
    assertBound(plan, isFunction ? 3 * besides : besides)
  }
  t.diagnostic(`${reads.length} statements`)

  const changes = distinct(writes.filter(({ sql }) => /^\s*(insert|update|delete)\b/.test(sql)))
  assert.ok(changes.length > 20)
  for (const { entered, ...plan } of await plansOf(changes, intendedPlanOf)) {
    assertNoScan(plan)
    for (const { table, condition } of entered) {
      if (ofOneRow.has(table)) continue
      assert.match(condition, /\b(id|value) = /, `${table} is not entered by its key\n${plan.text}`)
    }
  }
  t.diagnostic(`${changes.length} changes`)
})

/** One row for each workspace: the workspace is the key. */
const ofOneRow = new Set(['workspace_counters', 'workspaces', 'sweeps'])

const distinct = (sent: Statement[]) => [...new Map(sent.map((each) => [each.sql, each])).values()]

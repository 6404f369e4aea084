import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Project, Risk } from '@muster/contract'

import { findDrift } from '#test/drift/drift'
import { randomFrom } from '#test/support/bulk'
import { connect } from '#test/support/database'
import { seed, size } from '#test/support/size'
import { sweepDue } from '#test/support/sweep'
import { startHost } from '#test/support/workspace'

import { type Call, runConcurrently } from './concurrent.ts'
import {
  assertMatchesModel,
  applyAndAssert,
  newModelRun,
  type ModelRun,
  send,
  startFixture,
  sweep,
  advanceClock,
} from './model-run.ts'
import type { Command } from './model.ts'

const rounds = Number(process.env['RUNS'] ?? size(50, 1000))
const random = randomFrom(seed)

const host = await startHost()
const fixture = await startFixture(host)
await using run = await newModelRun(fixture, 'UTC')
const { state, people } = run

const command = (name: string, at: Record<string, string>, body: object = {}): Command => ({
  name,
  at,
  body: { ...body },
  ifMatch: null,
})

async function ask(one: Command): Promise<string> {
  advanceClock(run, 1)
  const reply = await send(run, one)
  applyAndAssert(run, one, reply)
  return reply.body.id
}

const create = (project_id: string) =>
  command(
    'risks.create',
    { project_id },
    {
      title: 'Uplift',
      likelihood: 1 + random.below(5),
      impact: 1 + random.below(5),
      tags: random.pick([[], ['flood']]),
    },
  )
const of = ({ id, project_id }: Risk) => ({ project_id, risk_id: id })
const merge = (from: Project, to: Project) =>
  command(
    'projects.archive',
    { project_id: from.id },
    {
      if_live_items: 'transfer',
      to_project_id: to.id,
    },
  )
const restore = ({ id }: Project) => command('projects.restore', { project_id: id })

/** The allowed responses to each operation under concurrent requests. */
const allowedResponses: Record<string, readonly string[]> = {
  'risks.create': ['201', '409 project_archived'],
  'risks.update': ['200', '404 not_found', '409 project_archived'],
  'risks.close': ['200', '404 not_found', '409 project_archived'],
  'risks.reopen': ['200', '404 not_found', '409 project_archived'],
  'risks.occur': ['200', '404 not_found', '409 project_archived', '409 invalid_transition'],
  'projects.archive': ['200', '409 project_archived'],
  'projects.restore': ['200'],
}

const seen = new Map<string, number>()

function assertAllowed(calls: readonly Call[], round: number): void {
  for (const {
    command: { name },
    reply,
  } of calls) {
    const outcome = [reply.status, ...(reply.status < 400 ? [] : [reply.body.code])].join(' ')
    const shown = `round ${round}: ${name} was answered ${reply.text}`
    assert.ok(allowedResponses[name]?.includes(outcome), shown)
    seen.set(`${name} ${outcome}`, (seen.get(`${name} ${outcome}`) ?? 0) + 1)
  }
}

const current = () => [...state.project.values()].filter(({ status }) => status !== 'archived')

/** Closes all items of a project, to bound the number of items to transfer. */
async function clear(project: Project): Promise<void> {
  const at = { project_id: project.id }
  await ask(command('projects.archive', at, { if_live_items: 'close' }))
  await ask(restore(project))
}

/** Two projects to merge, and a risk in one of them for conflicting requests. */
async function pickConflict() {
  while (current().length < 3) {
    const archived = [...state.project.values()].filter(({ status }) => status === 'archived')
    await ask(restore(random.pick(archived)))
  }
  const here = random.pick(current())
  const there = random.pick(current().filter(({ id }) => id !== here.id))
  const { risks } = state.in(here.id)
  const open = risks.filter(({ status }) => status !== 'closed')
  const risk = random.below(4) > 0 ? open.at(-1) : random.pick(risks)
  return { here, there, risk: risk ?? state.risk.get(await ask(create(here.id))) }
}

/** Four conflicting requests. */
async function fourConflicting(): Promise<Command[]> {
  const { here, there, risk } = await pickConflict()
  assert.ok(risk)
  const choices = [
    () => command('risks.occur', of(risk), { note: 'It lifted.' }),
    () => command('risks.close', of(risk), { close_reason: 'treated' }),
    () => command('risks.reopen', of(risk)),
    () => command('risks.update', of(risk), { owner_user_id: random.pick(people.slice(0, 2)) }),
    () => create(here.id),
    () => create(there.id),
    () => merge(here, there),
    () => merge(there, here),
    () => restore(random.pick([here, there, random.pick([...state.project.values()])])),
  ]
  return Array.from({ length: 4 }, () => random.pick(choices)())
}

for (const code of ['DAM', 'BAY', 'LOCK', 'WEIR', 'PIER']) {
  const body = { code, name: code, risk_appetite: random.pick([null, 6, 12]) }
  const id = await ask(command('projects.create', {}, body))
  for (let count = 0; count < 4; count++) await ask(create(id))
}

test(`${rounds} rounds of four concurrent requests are serializable, with allowed responses (seed ${seed})`, async () => {
  for (let round = 0; round < rounds; round++) {
    if (round % 20 === 19) for (const project of current()) await clear(project)
    advanceClock(run, 1)
    assertAllowed(await runConcurrently(run, await fourConflicting()), round)
  }
  const wanted = Object.entries(allowedResponses).flatMap(([name, all]) =>
    all.map((one) => `${name} ${one}`),
  )
  const unseen = rounds < 500 ? [] : wanted.filter((outcome) => !seen.has(outcome))
  assert.deepEqual(unseen, [], 'each allowed response occurs at least once')
})

test('keeps exactly one of two projects that are merged into each other concurrently', async () => {
  for (let round = 0; round < size(10, 50); round++) {
    const { here, there } = await pickConflict()
    await ask(create(here.id))
    advanceClock(run, 1)
    const calls = await runConcurrently(run, [merge(here, there), merge(there, here)])
    assertAllowed(calls, round)
    const done = calls.filter(({ reply }) => reply.status === 200)
    assert.equal(done.length, 1)
    const left = [here, there].filter(({ id }) => state.project.get(id)?.status !== 'archived')
    assert.equal(left.length, 1)
  }
})

test('creates one issue when concurrent requests report the same risk as occurred', async () => {
  for (let round = 0; round < 10; round++) {
    const { here } = await pickConflict()
    const id = await ask(create(here.id))
    const risk = state.risk.get(id)
    assert.ok(risk)
    advanceClock(run, 1)
    const occurrences = Array.from({ length: 8 }, () => command('risks.occur', of(risk)))
    const calls = await runConcurrently(run, occurrences)
    const issues = new Set(calls.map(({ reply }) => reply.body.issue.id))
    assert.equal(issues.size, 1, 'all responses name the same issue')
  }
})

/** Holds a lock until released, like a slow write. */
async function hold(statement: string, ...values: string[]) {
  const other = await connect(host.url)
  await other.query('begin')
  await other.query(statement, values)
  return async () => {
    await other.query('commit')
    await other.end()
  }
}

const days = 86_400
const shortDelay = () => sleep(200)

/** On a new day, a risk that a sweep flags only after a change of the appetite. */
async function prepareSweep(code: string): Promise<Command> {
  const project_id = await ask(command('projects.create', {}, { code, name: code }))
  await ask(command('risks.create', { project_id }, severe))
  await sweep(run)
  advanceClock(run, 2 * days)
  return command('projects.update', { project_id }, { risk_appetite: 4 })
}

const severe = { title: 'Uplift', likelihood: 5, impact: 5 }

async function assertFlagged({ at }: Command): Promise<void> {
  await sweep(run)
  const [risk] = state.in(at['project_id'] ?? '').risks
  assert.deepEqual(risk?.flags, ['above_appetite'])
  await assertMatchesModel(run)
}

test('flags risks after a change of the appetite during a sweep', async () => {
  const project_id = await ask(command('projects.create', {}, { code: 'DUE', name: 'Due' }))
  const { today: review_on } = state
  await ask(command('risks.create', { project_id }, { ...severe, review_on }))
  const change = await prepareSweep('NEW1')
  const release = await hold('select from projects where code = $1 for update', 'DUE')
  const sweeping = sweepDue(fixture.sweeper)
  await shortDelay()
  await runConcurrently(run, [change], async () => {
    await shortDelay()
    await release()
    await sweeping
  })
  await assertFlagged(change)
})

test('flags risks after a change of the appetite that commits after a sweep', async () => {
  const change = await prepareSweep('NEW2')
  const release = await hold('lock table history in share mode')
  await runConcurrently(run, [change], async () => {
    await shortDelay()
    const sweeping = sweepDue(fixture.sweeper)
    await shortDelay()
    await release()
    await sweeping
  })
  await assertFlagged(change)
})

test('matches the model, and finds no drift, after all rounds', async () => {
  advanceClock(run, 1)
  await sweep(run)
  await assertMatchesModel(run)
  assert.deepEqual(await findDrift(host.sql), [])
  await assertOccurrences(run)
})

/** Asserts that every occurrence of a risk created exactly one issue in its issue_ids. */
async function assertOccurrences({ uuid }: ModelRun): Promise<void> {
  const { rows } = await host.sql.query(
    `select ref, cardinality(issue_ids) as named,
       (select count(*)::int from events as e where e.workspace_id = r.workspace_id
         and e.subject_id = r.id and e.type = 'risk.occurred') as times,
       (select count(*)::int from issues as i where i.workspace_id = r.workspace_id
         and i.risk_id = r.id and i.id = any(r.issue_ids)) as issues,
       (select count(*)::int from issues as i where i.workspace_id = r.workspace_id
         and i.risk_id = r.id) as all_issues
     from risks as r where workspace_id = $1`,
    [uuid],
  )
  const wrong = rows.filter(({ times, ...counts }) =>
    [counts.named, counts.issues, counts.all_issues].some((count) => count !== times),
  )
  assert.deepEqual(wrong, [])
  assert.ok(rows.some(({ times }) => times > 1) || rounds < 500, 'some risks occurred twice')
}

test('causes no deadlocks', async () => {
  // The server publishes its statistics with a delay.
  await sleep(1500)
  const { rows } = await host.sql.query(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  )
  assert.equal(rows[0].deadlocks, 0)
})

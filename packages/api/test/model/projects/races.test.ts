import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Project, Risk } from '@muster/contract'

import { randomFrom } from './bulk.ts'
import { connect } from './database.ts'
import { findDrift } from './drift.ts'
import { type Call, takeAtOnce } from './model-at-once.ts'
import {
  assertSame,
  follow,
  newPlay,
  type Play,
  send,
  startStage,
  sweep,
  wait,
} from './model-play.ts'
import type { Command } from './model.ts'
import { startHost } from './workspace.ts'

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const rounds = Number(process.env['RUNS'] ?? 500)
const random = randomFrom(seed)

const host = await startHost()
const stage = await startStage(host)
await using play = await newPlay(stage, 'UTC')
const { world, people } = play

const command = (name: string, at: Record<string, string>, body: object = {}): Command => ({
  name,
  at,
  body: { ...body },
  onlyIf: null,
})

async function ask(one: Command): Promise<string> {
  wait(play, 1)
  const reply = await send(play, one)
  follow(play, one, reply)
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

/** What each may be answered with while others are at it. A refusal must be one of these. */
const fitting: Record<string, readonly string[]> = {
  'risks.create': ['201', '409 project_archived'],
  'risks.update': ['200', '404 not_found', '409 project_archived'],
  'risks.close': ['200', '404 not_found', '409 project_archived'],
  'risks.reopen': ['200', '404 not_found', '409 project_archived'],
  'risks.occur': ['200', '404 not_found', '409 project_archived', '409 invalid_transition'],
  'projects.archive': ['200', '409 project_archived'],
  'projects.restore': ['200'],
}

const answers = new Map<string, number>()

function assertFitting(calls: readonly Call[], round: number): void {
  for (const {
    command: { name },
    reply,
  } of calls) {
    const answer = [reply.status, ...(reply.status < 400 ? [] : [reply.body.code])].join(' ')
    const shown = `round ${round}: ${name} was answered ${reply.text}`
    assert.ok(fitting[name]?.includes(answer), shown)
    answers.set(`${name} ${answer}`, (answers.get(`${name} ${answer}`) ?? 0) + 1)
  }
}

const current = () => [...world.project.values()].filter(({ status }) => status !== 'archived')

/** Closes all there is in a project, or there would be ever more to move. */
async function clear(project: Project): Promise<void> {
  const at = { project_id: project.id }
  await ask(command('projects.archive', at, { if_live_items: 'close' }))
  await ask(restore(project))
}

/** Two projects to merge, and a risk of one of them to quarrel over. */
async function cast() {
  while (current().length < 3) {
    const archived = [...world.project.values()].filter(({ status }) => status === 'archived')
    await ask(restore(random.pick(archived)))
  }
  const here = random.pick(current())
  const there = random.pick(current().filter(({ id }) => id !== here.id))
  const { risks } = world.in(here.id)
  const lively = risks.filter(({ status }) => status !== 'closed')
  const risk = random.below(4) > 0 ? lively.at(-1) : random.pick(risks)
  return { here, there, risk: risk ?? world.risk.get(await ask(create(here.id))) }
}

/** Four requests that are in one another's way. */
async function four(): Promise<Command[]> {
  const { here, there, risk } = await cast()
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
    () => restore(random.pick([here, there, random.pick([...world.project.values()])])),
  ]
  return Array.from({ length: 4 }, () => random.pick(choices)())
}

for (const code of ['DAM', 'BAY', 'LOCK', 'WEIR', 'PIER']) {
  const body = { code, name: code, risk_appetite: random.pick([null, 6, 12]) }
  const id = await ask(command('projects.create', {}, body))
  for (let count = 0; count < 4; count++) await ask(create(id))
}

test(`${rounds} times four at once: each answer fits, and some order explains them all (seed ${seed})`, async () => {
  for (let round = 0; round < rounds; round++) {
    if (round % 20 === 19) for (const project of current()) await clear(project)
    wait(play, 1)
    assertFitting(await takeAtOnce(play, await four()), round)
  }
  const wanted = Object.entries(fitting).flatMap(([name, all]) =>
    all.map((one) => `${name} ${one}`),
  )
  const unseen = rounds < 500 ? [] : wanted.filter((answer) => !answers.has(answer))
  assert.deepEqual(unseen, [], 'each answer was given at least once')
})

test('of two projects that are merged into one another, exactly one is left', async () => {
  for (let round = 0; round < 25; round++) {
    const { here, there } = await cast()
    await ask(create(here.id))
    wait(play, 1)
    const calls = await takeAtOnce(play, [merge(here, there), merge(there, here)])
    assertFitting(calls, round)
    const done = calls.filter(({ reply }) => reply.status === 200)
    assert.equal(done.length, 1)
    const left = [here, there].filter(({ id }) => world.project.get(id)?.status !== 'archived')
    assert.equal(left.length, 1)
  }
})

test('the same risk occurs once, however many say so at once', async () => {
  for (let round = 0; round < 10; round++) {
    const { here } = await cast()
    const id = await ask(create(here.id))
    const risk = world.risk.get(id)
    assert.ok(risk)
    wait(play, 1)
    const saying = Array.from({ length: 8 }, () => command('risks.occur', of(risk)))
    const calls = await takeAtOnce(play, saying)
    const issues = new Set(calls.map(({ reply }) => reply.body.issue.id))
    assert.equal(issues.size, 1, 'all are told of the same issue')
  }
})

/** Holds what a statement locks until it is told to let go, as a slow write would. */
async function hold(statement: string, value: string) {
  const other = await connect(host.url)
  await other.query('begin')
  await other.query(statement, [value])
  return async () => {
    await other.query('commit')
    await other.end()
  }
}

const days = 86_400
const aMoment = () => sleep(200)

/** On a new day, a risk that a sweep has to flag only when the appetite has changed. */
async function arrangeSweep(code: string): Promise<Command> {
  const project_id = await ask(command('projects.create', {}, { code, name: code }))
  await ask(command('risks.create', { project_id }, severe))
  await sweep(play)
  wait(play, 2 * days)
  return command('projects.update', { project_id }, { risk_appetite: 4 })
}

const severe = { title: 'Uplift', likelihood: 5, impact: 5 }

async function assertFlagged({ at }: Command): Promise<void> {
  await sweep(play)
  const [risk] = world.in(at['project_id'] ?? '').risks
  assert.deepEqual(risk?.flags, ['above_appetite'])
  await assertSame(play)
}

test('an appetite that is changed while a sweep is under way is swept for', async () => {
  const project_id = await ask(command('projects.create', {}, { code: 'DUE', name: 'Due' }))
  const { today: review_on } = world
  await ask(command('risks.create', { project_id }, { ...severe, review_on }))
  const change = await arrangeSweep('NEW1')
  const letGo = await hold('select from projects where code = $1 for update', 'DUE')
  const sweeping = stage.sweeper.sweep()
  await aMoment()
  await takeAtOnce(play, [change], async () => {
    await aMoment()
    await letGo()
    await sweeping
  })
  await assertFlagged(change)
})

test('an appetite that is being changed when a sweep ends is swept for', async () => {
  const change = await arrangeSweep('NEW2')
  const letGo = await hold(`select from history where data ->> 'code' = $1 for update`, 'NEW2')
  await takeAtOnce(play, [change], async () => {
    await aMoment()
    const sweeping = stage.sweeper.sweep()
    await aMoment()
    await letGo()
    await sweeping
  })
  await assertFlagged(change)
})

test('after all of it nothing has drifted, and the model is what can be read', async () => {
  wait(play, 1)
  await sweep(play)
  await assertSame(play)
  assert.deepEqual(await findDrift(host.sql), [])
  await assertOccurrences(play)
})

/** Every time that a risk occurred made exactly one issue, which is among those it led to. */
async function assertOccurrences({ uuid }: Play): Promise<void> {
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

test('nobody waited for anybody in a circle', async () => {
  // The server tells its counts a little later.
  await sleep(1500)
  const { rows } = await host.sql.query(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  )
  assert.equal(rows[0].deadlocks, 0)
})

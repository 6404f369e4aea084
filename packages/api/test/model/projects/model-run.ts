import assert from 'node:assert/strict'

import { problems, type ProblemName, projectStatuses, scopes, type Task } from '@muster/contract'
import { atEnd } from '@muster/testing/at-end'

import { Sweeper } from '#domain/workspace/sweep'
import { createPool } from '#storage/connection/pool'
import { Database } from '#storage/transaction/database'
import { encodeId } from '#storage/values/id'
import { findDrift } from '#test/drift/drift'
import {
  closedIssues,
  closedRisks,
  issueSummary,
  rankedIssues,
  rankedRisks,
  riskSummary,
  taskSummary,
  viewed,
  withProject,
} from '#test/nouns/rollup-expected'
import { Client, type Json, type Reply } from '#test/support/client'
import { longTimeouts } from '#test/support/long-timeouts'
import { throughPooler } from '#test/support/pooler'
import { sweepDue } from '#test/support/sweep'
import { type Host, listen, newWorkspace } from '#test/support/workspace'

import { requestOf, unknownPerson } from './commands.ts'
import { type Command, type Outcome, realChanges, ModelState } from './model.ts'
import { plan, expectedSweep } from './rules.ts'

/** The end of a month, at an hour when the next day has begun in some time zones. */
const startTime = new Date('2026-02-26T20:00:00Z')

/** A service with a controlled clock, and a sweeper on the same database. */
export async function startFixture(host: Host) {
  const clock = { now: startTime }
  const options = { clock: () => clock.now }
  const base = await listen(host.url, options)
  const url = throughPooler(host.url)
  const database = new Database(
    createPool({ url, role: 'muster_app', max: 2, timeouts: longTimeouts }),
    options,
  )
  atEnd(() => database[Symbol.asyncDispose]())
  return { host, clock, base, sweeper: new Sweeper(database) }
}

export type Fixture = Awaited<ReturnType<typeof startFixture>>

/** A workspace of the service, and the model of it. */
export interface ModelRun {
  readonly fixture: Fixture
  readonly uuid: string
  readonly client: Client
  readonly state: ModelState
  /** Two assignable people, a suspended one, and an unknown one. */
  readonly people: readonly string[]
  [Symbol.asyncDispose](): Promise<void>
}

export async function newModelRun(fixture: Fixture, zone: string): Promise<ModelRun> {
  const { host, base, clock } = fixture
  clock.now = startTime
  const home = await newWorkspace(host)
  const { token } = await home.issue({ scopes })
  await host.sql.query('update workspaces set time_zone = $2 where id = $1', [home.uuid, zone])
  const client = new Client(base, token)
  const people: string[] = []
  for (const name of ['Ada', 'Bo', 'Cy']) {
    people.push((await client.post('/v1/personnel', { name })).body.id)
  }
  await suspend(host, home.uuid)
  const { rows } = await host.sql.query(
    'select seq::int from workspace_counters where workspace_id = $1',
    [home.uuid],
  )
  const known = new Map(people.map((id, index) => [id, index < 2]))
  const state = new ModelState({ people: known, zone, seq: rows[0].seq })
  state.now = clock.now.toISOString()
  return {
    fixture,
    uuid: home.uuid,
    client,
    state,
    people: [...people, unknownPerson],
    // A finished workspace is excluded from sweeps, to keep them fast.
    async [Symbol.asyncDispose]() {
      await host.sql.query(`update workspaces set sweep_due_at = 'infinity' where id = $1`, [
        home.uuid,
      ])
    },
  }
}

/** Suspends a person directly in the row and in the history. */
async function suspend({ sql }: Host, workspace: string): Promise<void> {
  await sql.query(
    `with cy as (
       update people set status = 'suspended' where workspace_id = $1 and name = 'Cy' returning id
     )
     update history set data = data || '{"status": "suspended", "assignable": false}'
     where workspace_id = $1 and id = (select id from cy)`,
    [workspace],
  )
}

/** Advances the clock of the service and of the model. */
export function advanceClock({ fixture: { clock }, state }: ModelRun, seconds: number): void {
  clock.now = new Date(clock.now.getTime() + seconds * 1000)
  state.now = clock.now.toISOString()
}

export function send({ client }: ModelRun, command: Command): Promise<Reply> {
  const { method, path, sent } = requestOf(command)
  return client.send(method, path, sent)
}

/** The id of a created item in the response; empty if there is none. */
export const newIdIn = ({ body }: Reply): string => body?.issue?.id ?? body?.id ?? ''

const describe = (command: Command, { status, text }: Reply) =>
  `${JSON.stringify(command)} was answered ${status} ${text}`

/** Whether the model allows this response without a write. */
export function isValidWithoutWrite(
  { state }: ModelRun,
  outcome: Outcome,
  { status, body }: Reply,
): boolean {
  if (outcome.refusals.length > 0) return isRefusal(outcome.refusals, { status, body })
  const { changes, responseBody } = outcome as Extract<Outcome, { responseBody: unknown }>
  if (status >= 300 || realChanges(changes).length > 0) return false
  try {
    assert.deepEqual(body, responseBody(state))
    return true
  } catch {
    return false
  }
}

function isRefusal(
  refusals: readonly ProblemName[],
  { status, body }: Pick<Reply, 'status' | 'body'>,
) {
  const code = refusals.find((refusal) => refusal === body?.code)
  return code !== undefined && problems[code].status === status
}

/** Asserts that the response matches the model, and applies the command to the model. */
export function applyAndAssert({ state }: ModelRun, command: Command, reply: Reply): void {
  const outcome = plan(state, command, newIdIn(reply))
  const shown = describe(command, reply)
  if (outcome.refusals.length > 0) {
    const wanted = `${outcome.refusals.join(' or ')} was expected; ${shown}`
    assert.ok(isRefusal(outcome.refusals, reply), wanted)
    return
  }
  const { changes, responseBody } = outcome as Extract<Outcome, { responseBody: unknown }>
  assert.equal(reply.status, requestOf(command).status, shown)
  state.commit(changes)
  assert.deepEqual(reply.body, responseBody(state), shown)
}

/** Runs a sweep in the service and in the model. */
export async function sweep({ fixture, state }: ModelRun): Promise<void> {
  assert.deepEqual((await sweepDue(fixture.sweeper)).failures, [])
  for (const changes of expectedSweep(state)) state.commit(changes)
}

/** Asserts that every read matches the model. */
export async function assertMatchesModel(run: ModelRun): Promise<void> {
  await assertEvents(run)
  await assertItems(run)
  await assertRollups(run)
  const { fixture, uuid: workspace, state } = run
  const drift = await findDrift(fixture.host.sql, { workspace, today: state.today })
  assert.deepEqual(drift, [])
}

const prefixOf: Record<string, string> = { project: 'prj', risk: 'rsk', issue: 'iss', task: 'tsk' }

async function assertEvents({ fixture, uuid, state }: ModelRun): Promise<void> {
  const { rows } = await fixture.host.sql.query(
    `select seq::int, position, type, subject_id as subject, project_id as project, changed
     from events where workspace_id = $1 and project_id is not null order by seq, position`,
    [uuid],
  )
  const found = rows.map((event) => ({
    ...event,
    subject: encodeId(prefixOf[event.type.split('.')[0]] ?? '', event.subject),
    project: encodeId('prj', event.project),
    changed: event.changed.toSorted(),
  }))
  const expected = state.events.map((event) => ({ ...event, changed: event.changed.toSorted() }))
  assert.deepEqual(found, expected)
}

/** The sequence number of a list: that of the last change to its items. */
function asOf({ events }: ModelState, noun: string): number {
  const isShown = ({ type, changed }: ModelState['events'][number]) =>
    type.startsWith(`${noun}.`) ||
    (['risk', 'issue'].includes(noun) && type === 'project.updated' && changed.includes('name'))
  return events.findLast(isShown)?.seq ?? 0
}

async function assertList(
  { client, state }: ModelRun,
  path: string,
  { noun, data }: { noun: string; data: readonly unknown[] },
): Promise<void> {
  const { body } = await client.get(path)
  const as_of = asOf(state, noun)
  assert.deepEqual(body, { as_of, data, count: data.length, next_cursor: null }, path)
}

/** In order of creation, equal times by id. */
const byAge = <T extends { id: string; created_at: string }>(items: Iterable<T>): T[] =>
  [...items].toSorted((a, b) => (a.created_at + a.id < b.created_at + b.id ? -1 : 1))

/** By due date, without a date last. */
const byDay = <T extends { id: string; due_on: string | null }>(items: readonly T[]): T[] =>
  items.toSorted((a, b) => ((a.due_on ?? '~') + a.id < (b.due_on ?? '~') + b.id ? -1 : 1))

const openTasks = ({ task }: ModelState) =>
  [...task.values()].filter(
    ({ completed_at, status }) => completed_at === null && status !== 'cancelled',
  )

async function assertItems(run: ModelRun): Promise<void> {
  const { state } = run
  const projects = byAge(state.project.values())
  const kept = projects.filter(({ status }) => status !== 'archived')
  await assertList(run, '/v1/projects', { noun: 'project', data: kept })
  const every = `/v1/projects?status=${projectStatuses.join(',')}`
  await assertList(run, every, { noun: 'project', data: projects })
  for (const { id } of projects) {
    const { risks, issues, tasks } = state.in(id)
    await assertList(run, `/v1/projects/${id}/risks`, { noun: 'risk', data: risks })
    await assertList(run, `/v1/projects/${id}/issues`, { noun: 'issue', data: issues })
    await assertList(run, `/v1/projects/${id}/tasks`, { noun: 'task', data: byDay(tasks) })
  }
  await assertList(run, '/v1/tasks', { noun: 'task', data: byDay(openTasks(state)) })
}

async function assertRollups(run: ModelRun): Promise<void> {
  const { client, state } = run
  const { project: projects } = state
  const risks = rankedRisks(state.risk.values())
  const issues = rankedIssues(state.issue.values())
  await assertList(run, '/v1/risks', { noun: 'risk', data: viewed(risks, projects) })
  await assertList(run, '/v1/issues', { noun: 'issue', data: viewed(issues, projects) })
  const gone = withProject(closedRisks(state.risk.values()), projects)
  await assertList(run, '/v1/risks/closed', { noun: 'risk', data: gone })
  const solved = withProject(closedIssues(state.issue.values()), projects)
  await assertList(run, '/v1/issues/closed', { noun: 'issue', data: solved })
  for (const basis of ['current', 'inherent', 'target'] as const) {
    const { body }: Json = await client.get(`/v1/risks/summary?basis=${basis}`)
    const summary = riskSummary(risks, { projects, basis })
    assert.deepEqual(body, { as_of: asOf(state, 'risk'), ...summary })
  }
  const { body } = await client.get('/v1/issues/summary')
  assert.deepEqual(body, { as_of: asOf(state, 'issue'), ...issueSummary(issues, projects) })
  await assertTaskSummaries(run)
}

/** Of all tasks, of each project, and of each assignee. */
async function assertTaskSummaries({ client, state, people }: ModelRun): Promise<void> {
  const { project: projects, today } = state
  const open = openTasks(state)
  const filters: [string, (task: Task) => boolean][] = [
    ['', () => true],
    ...[...projects.keys()].map((id): [string, (task: Task) => boolean] => [
      `project_id=${id}`,
      (task) => task.project_id === id,
    ]),
    ...people.map((id): [string, (task: Task) => boolean] => [
      `assignee_user_id=${id}`,
      (task) => task.assignee_user_id === id,
    ]),
    ['assignee_user_id=none', (task) => task.assignee_user_id === null],
  ]
  for (const [query, isLeft] of filters) {
    const { body } = await client.get(`/v1/tasks/summary?${query}`)
    const summary = taskSummary(open.filter(isLeft), { projects, today })
    assert.deepEqual(body, { as_of: asOf(state, 'task'), ...summary }, query)
  }
}

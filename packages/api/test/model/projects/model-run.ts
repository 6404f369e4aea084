import assert from 'node:assert/strict'

import { problems, type ProblemName, projectStatuses, scopes } from '@muster/contract'

import { Sweeper } from '#domain/sweep'
import { startService } from '#service'
import { Database } from '#storage/database'
import { encodeId } from '#storage/id'
import { createPool } from '#storage/pool'

import { atEnd } from './at-end.ts'
import { Client, type Json, type Reply } from './client.ts'
import { findDrift } from './drift.ts'
import { requestOf, unknownPerson } from './model-commands.ts'
import { plan, sweepOf } from './model-rules.ts'
import { type Command, type Outcome, realChanges, World } from './model.ts'
import { issueSummary, rankedIssues, rankedRisks, riskSummary, viewed } from './rollup-truth.ts'
import { type Host, newWorkspace, unlimited } from './workspace.ts'

/** The end of a month, and the evening of a day that has begun elsewhere. */
const beginning = new Date('2026-02-26T20:00:00Z')

/** A service whose time is what it is told, and the sweeper of the same database. */
export async function startStage(host: Host) {
  const clock = { now: beginning }
  const options = { clock: () => clock.now }
  const service = await startService({
    url: host.url,
    logLevel: null,
    rates: unlimited,
    ...options,
  })
  atEnd(() => service[Symbol.asyncDispose]())
  const database = new Database(createPool({ url: host.url, role: 'muster_app', max: 2 }), options)
  atEnd(() => database[Symbol.asyncDispose]())
  const base = await service.app.listen({ host: '127.0.0.1', port: 0 })
  return { host, clock, base, sweeper: new Sweeper(database) }
}

export type Stage = Awaited<ReturnType<typeof startStage>>

/** A workspace of the service, and the model of it. */
export interface Play {
  readonly stage: Stage
  readonly uuid: string
  readonly client: Client
  readonly world: World
  /** Two who can be given work, one who cannot, and one whom nobody knows. */
  readonly people: readonly string[]
  [Symbol.asyncDispose](): Promise<void>
}

export async function newPlay(stage: Stage, zone: string): Promise<Play> {
  const { host, base, clock } = stage
  clock.now = beginning
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
  const world = new World({ people: known, zone, seq: rows[0].seq })
  world.now = clock.now.toISOString()
  return {
    stage,
    uuid: home.uuid,
    client,
    world,
    people: [...people, unknownPerson],
    // A workspace that is done with is not swept any more, or each sweep would take longer.
    async [Symbol.asyncDispose]() {
      await host.sql.query(
        `insert into sweeps values ($1, '9999-12-31')
         on conflict (workspace_id) do update set swept_on = excluded.swept_on`,
        [home.uuid],
      )
    },
  }
}

/** Nothing suspends people yet, so it is done by hand: in the row and in its history alike. */
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

/** Lets time pass, in the service and in the model. */
export function wait({ stage: { clock }, world }: Play, seconds: number): void {
  clock.now = new Date(clock.now.getTime() + seconds * 1000)
  world.now = clock.now.toISOString()
}

export function send({ client }: Play, command: Command): Promise<Reply> {
  const { method, path, sent } = requestOf(command)
  return client.send(method, path, sent)
}

/** The id that something new was given, as far as the answer tells. */
export const newIdIn = ({ body }: Reply): string => body?.issue?.id ?? body?.id ?? ''

const told = (command: Command, { status, text }: Reply) =>
  `${JSON.stringify(command)} was answered ${status} ${text}`

/** Whether the model allows this answer, with nothing changed beside it. */
export function isIdleAnswer({ world }: Play, outcome: Outcome, { status, body }: Reply): boolean {
  if (outcome.refusals.length > 0) return isRefusal(outcome.refusals, { status, body })
  const { changes, answer } = outcome as Extract<Outcome, { answer: unknown }>
  if (status >= 300 || realChanges(changes).length > 0) return false
  try {
    assert.deepEqual(body, answer(world))
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

/** The answer must be what the model makes of the command; then the model goes on from there. */
export function follow({ world }: Play, command: Command, reply: Reply): void {
  const outcome = plan(world, command, newIdIn(reply))
  const shown = told(command, reply)
  if (outcome.refusals.length > 0) {
    const wanted = `${outcome.refusals.join(' or ')} was expected; ${shown}`
    assert.ok(isRefusal(outcome.refusals, reply), wanted)
    return
  }
  const { changes, answer } = outcome as Extract<Outcome, { answer: unknown }>
  assert.equal(reply.status, requestOf(command).status, shown)
  world.commit(changes)
  assert.deepEqual(reply.body, answer(world), shown)
}

/** Sweeps the service, and the model of it. */
export async function sweep({ stage, world }: Play): Promise<void> {
  assert.ok(await stage.sweeper.sweep(), 'nobody else sweeps this database')
  for (const changes of sweepOf(world)) world.commit(changes)
}

/** Everything that can be read must be what the model holds. */
export async function assertSame(play: Play): Promise<void> {
  await assertEvents(play)
  await assertItems(play)
  await assertRollups(play)
  const { stage, uuid: workspace, world } = play
  const drift = await findDrift(stage.host.sql, { workspace, today: world.today })
  assert.deepEqual(drift, [])
}

const prefixOf: Record<string, string> = { project: 'prj', risk: 'rsk', issue: 'iss', task: 'tsk' }

async function assertEvents({ stage, uuid, world }: Play): Promise<void> {
  const { rows } = await stage.host.sql.query(
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
  const expected = world.events.map((event) => ({ ...event, changed: event.changed.toSorted() }))
  assert.deepEqual(found, expected)
}

/** The number that a list states: of the last change of what it shows. */
function asOf({ events }: World, noun: string): number {
  const isShown = ({ type, changed }: World['events'][number]) =>
    type.startsWith(`${noun}.`) ||
    (['risk', 'issue'].includes(noun) && type === 'project.updated' && changed.includes('name'))
  return events.findLast(isShown)?.seq ?? 0
}

async function assertList(
  { client, world }: Play,
  path: string,
  { noun, data }: { noun: string; data: readonly unknown[] },
): Promise<void> {
  const { body } = await client.get(path)
  const as_of = asOf(world, noun)
  assert.deepEqual(body, { as_of, data, count: data.length, next_cursor: null }, path)
}

/** The order of creation: of several in one moment, the order of their ids. */
const byAge = <T extends { id: string; created_at: string }>(items: Iterable<T>): T[] =>
  [...items].toSorted((a, b) => (a.created_at + a.id < b.created_at + b.id ? -1 : 1))

/** What is due first; what has no day last. */
const byDay = <T extends { id: string; due_on: string | null }>(items: readonly T[]): T[] =>
  items.toSorted((a, b) => ((a.due_on ?? '~') + a.id < (b.due_on ?? '~') + b.id ? -1 : 1))

async function assertItems(play: Play): Promise<void> {
  const { world } = play
  const projects = byAge(world.project.values())
  const kept = projects.filter(({ status }) => status !== 'archived')
  await assertList(play, '/v1/projects', { noun: 'project', data: kept })
  const every = `/v1/projects?status=${projectStatuses.join(',')}`
  await assertList(play, every, { noun: 'project', data: projects })
  for (const { id } of projects) {
    const { risks, issues, tasks } = world.in(id)
    await assertList(play, `/v1/projects/${id}/risks`, { noun: 'risk', data: risks })
    await assertList(play, `/v1/projects/${id}/issues`, { noun: 'issue', data: issues })
    await assertList(play, `/v1/projects/${id}/tasks`, { noun: 'task', data: byDay(tasks) })
  }
  const open = [...world.task.values()].filter(
    ({ completed_at, status }) => completed_at === null && status !== 'cancelled',
  )
  await assertList(play, '/v1/tasks', { noun: 'task', data: byDay(open) })
}

async function assertRollups(play: Play): Promise<void> {
  const { client, world } = play
  const { project: projects } = world
  const risks = rankedRisks(world.risk.values())
  const issues = rankedIssues(world.issue.values())
  await assertList(play, '/v1/risks', { noun: 'risk', data: viewed(risks, projects) })
  await assertList(play, '/v1/issues', { noun: 'issue', data: viewed(issues, projects) })
  for (const basis of ['current', 'inherent', 'target'] as const) {
    const { body }: Json = await client.get(`/v1/risks/summary?basis=${basis}`)
    const summary = riskSummary(risks, { projects, basis })
    assert.deepEqual(body, { as_of: asOf(world, 'risk'), ...summary })
  }
  const { body } = await client.get('/v1/issues/summary')
  assert.deepEqual(body, { as_of: asOf(world, 'issue'), ...issueSummary(issues, projects) })
}

import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'

import { personStatuses, problems, scopes } from '@muster/contract'

import { encodeId } from '#storage/values/id'
import { findDrift } from '#test/drift/drift'
import { startFixture } from '#test/model/projects/model-run'
import { Client, type Json, type Reply } from '#test/support/client'
import { type Host, listen, newWorkspace } from '#test/support/workspace'

import { type Command, type Outcome, type Refusal, RosterState } from './model.ts'
import { assertReplayed } from './replay.ts'
import { plan, requestOf } from './rules.ts'

/** Two services on one database, with a controlled clock. */
export async function startRosterFixture(host: Host) {
  const fixture = await startFixture(host)
  const { clock, base } = fixture
  const other = await listen(host.url, { clock: () => clock.now })
  return { host, clock, bases: [base, other] }
}

export type RosterFixture = Awaited<ReturnType<typeof startRosterFixture>>

/** A workspace, the model of it, and several clients. */
export interface ModelRun {
  readonly fixture: RosterFixture
  readonly uuid: string
  readonly clients: readonly Client[]
  readonly state: RosterState
  /** Counts each operation with its outcome, and each event, over all runs. */
  readonly coverage: Map<string, number>
}

/** A command and the response to it. */
export interface Call {
  readonly command: Command
  readonly reply: Reply
}

/** Small enough to be reached. */
const quota = { people: 6, groups: 3 }

export async function newModelRun(
  fixture: RosterFixture,
  coverage: ModelRun['coverage'],
): Promise<ModelRun> {
  const { host, clock, bases } = fixture
  const home = await newWorkspace(host)
  const tokens = [(await home.issue({ scopes })).token, (await home.issue({ scopes })).token]
  const { rows } = await host.sql.query(
    `update workspace_counters set people_max = $2, groups_max = $3 where workspace_id = $1
     returning seq::int`,
    [home.uuid, quota.people, quota.groups],
  )
  const state = new RosterState({ seq: rows[0].seq, now: clock.now.toISOString(), quota })
  const clients = bases.flatMap((base) => tokens.map((token) => new Client(base, token)))
  return { fixture, uuid: home.uuid, clients, state, coverage }
}

/**
 * Advances the clock of the services and of the model, and ends the current concurrent requests.
 */
export function advanceClock({ fixture: { clock }, state }: ModelRun): void {
  clock.now = new Date(clock.now.getTime() + 1000)
  state.now = clock.now.toISOString()
  state.recentlyAssigned.clear()
}

/** Counts an occurrence. */
export const count = (coverage: ModelRun['coverage'], what: string) =>
  coverage.set(what, (coverage.get(what) ?? 0) + 1)

/** Sends a command by the client of this turn. */
export async function send(
  { clients, coverage }: ModelRun,
  command: Command,
  turn: number,
): Promise<Call> {
  const client = clients[turn % clients.length]
  assert.ok(client)
  const { method, path, sent } = requestOf(command)
  const reply = await client.send(method, path, sent)
  count(coverage, `${command.name} ${reply.status < 300 ? 'done' : reply.body?.code}`)
  return { command, reply }
}

const describe = ({ command, reply: { status, text } }: Call) =>
  `${JSON.stringify(command)} was answered ${status} ${text}`

/** Whether the problem has all members and all field errors of the refusal. */
function isRefusal({ fieldErrors, ...members }: Refusal, { status, body }: Reply): boolean {
  if (status !== problems[members.code].status) return false
  const hasMembers = Object.entries(members).every(([name, value]) =>
    isDeepStrictEqual(body[name], value),
  )
  if (fieldErrors === undefined) return hasMembers
  const errors: string[] = (body.errors ?? []).map(
    (error: Json) => `${error.pointer} ${error.code}`,
  )
  const isFound = (reasons: readonly string[]) => errors.some((error) => reasons.includes(error))
  return hasMembers && errors.length === fieldErrors.length && fieldErrors.every(isFound)
}

const isRefused = (outcome: Outcome, reply: Reply) =>
  outcome.refusals.some((refusal) => isRefusal(refusal, reply))

/** Whether the model allows this response without a write. */
export function isValidWithoutWrite({ state }: ModelRun, { command, reply }: Call): boolean {
  const outcome = plan(state, command, { body: reply.body, reassignedIds: new Set() })
  if (!('responseBody' in outcome)) return isRefused(outcome, reply)
  const isDone = reply.status === requestOf(command).status && outcome.items.length === 0
  return isDone && isDeepStrictEqual(reply.body, outcome.responseBody(state))
}

/** Asserts that the response matches the model, and applies the command to the model. */
export function applyAndAssert(
  { state }: ModelRun,
  call: Call,
  reassignedIds: ReadonlySet<string> = new Set(),
): void {
  const { command, reply } = call
  const outcome = plan(state, command, { body: reply.body, reassignedIds })
  if (!('responseBody' in outcome)) {
    const wanted = JSON.stringify(outcome.refusals)
    assert.ok(isRefused(outcome, reply), `${wanted} was expected; ${describe(call)}`)
    return
  }
  assert.equal(reply.status, requestOf(command).status, describe(call))
  state.commit(outcome)
  assert.deepEqual(reply.body, outcome.responseBody(state), describe(call))
}

const commandFor = (name: string, body: Command['body'] = {}, at: Command['at'] = {}): Command => ({
  name,
  at,
  body,
  query: {},
  ifMatch: null,
})

/**
 * Initial data: people on the roster, and two departed ones whose email and external id others
 * have; an archived group whose name another group has.
 */
export async function createInitialData(run: ModelRun): Promise<void> {
  const made = async (name: string, body: object, at: Command['at'] = {}) => {
    advanceClock(run)
    const call = await send(run, commandFor(name, { ...body }, at), 0)
    applyAndAssert(run, call)
    return call.reply.body
  }
  const added = await made('personnel.batch', {
    data: [
      { name: 'Ada Lund', email: 'ada@example.com', external_id: 'hr-2' },
      { name: 'Bo Åkesson' },
      { name: 'Eva Öst' },
      { name: 'Zoë O’Hara-Łęcka' },
      { name: 'Cy', email: 'BO@example.com' },
      { name: 'Dag', external_id: 'hr-1' },
    ],
  })
  const [ada, bo, eva, zoe, cy, dag] = added.data.map(({ id }: Json) => id)
  for (const user_id of [cy, dag]) await made('personnel.depart', {}, { user_id })
  await made('personnel.batch', {
    data: [
      { id: bo, email: 'bo@example.com', manager_user_id: ada },
      { id: eva, external_id: 'hr-1' },
      { id: zoe, manager_user_id: eva },
    ],
  })
  const crew = { name: 'Duty', member_user_ids: [ada, bo], lead_user_ids: [ada] }
  const { id: group_id } = await made('groups.create', crew)
  await made('groups.archive', {}, { group_id })
  await made('groups.create', { name: 'duty', member_user_ids: [eva, ada], lead_user_ids: [eva] })
  await made('groups.create', { name: 'Board', member_user_ids: [bo] })
  const dam = await made('projects.create', { code: 'DAM', name: 'Dam', owner_user_id: ada })
  for (const assignee_user_id of [ada, ada]) {
    const task = { title: 'Flush', due_on: null, assignee_user_id }
    await made('tasks.create', task, { project_id: dam.id })
  }
  await made('projects.create', { code: 'BAY', name: 'Bay', owner_user_id: eva })
}

/** An event as stored. */
export interface Event {
  readonly seq: number
  readonly type: string
  readonly subject: string
  readonly changed: readonly string[]
  readonly user: string | null
  readonly request: string
}

const prefixOf: Record<string, string> = {
  person: 'usr',
  group: 'grp',
  project: 'prj',
  risk: 'rsk',
  issue: 'iss',
  task: 'tsk',
}

/** All events after a sequence number, except those of keys, which are not in the model. */
export async function eventsSince({ fixture, uuid }: ModelRun, seq: number): Promise<Event[]> {
  const { rows } = await fixture.host.sql.query(
    `select seq::int, type, subject_id::text as subject, changed, data ->> 'user_id' as "user",
       request_id::text as request
     from events where workspace_id = $1 and seq > $2 and type not like 'key.%'
     order by seq, position`,
    [uuid, seq],
  )
  return rows.map(({ subject, request, changed, ...event }) => ({
    ...event,
    subject: encodeId(prefixOf[event.type.split('.')[0]] ?? '', subject),
    changed: changed.toSorted(),
    request: request === null ? '' : encodeId('req', request),
  }))
}

/** The order within one sequence number is not specified, except that creation comes first. */
function assertEvents(run: ModelRun, events: readonly Event[]): void {
  const line = (event: Omit<Event, 'request'>) =>
    JSON.stringify([event.seq, event.type, event.subject, event.user, event.changed.toSorted()])
  const expected = run.state.events.map((event) => line({ ...event, user: event.user ?? null }))
  assert.deepEqual(events.map(line).toSorted(), expected.toSorted())
}

/** Reads a list in pages, which must add up to the complete list. */
async function assertPages(run: ModelRun, { command, reply: { body } }: Call): Promise<void> {
  const pages: unknown[] = []
  let cursor = ''
  for (let turn = 0; turn === 0 || cursor !== ''; turn++) {
    const query = { ...command.query, limit: '2', ...(cursor !== '' && { cursor }) }
    const { reply } = await send(run, { ...command, query }, turn)
    const { data, as_of, total_count, next_cursor }: Json = reply.body
    assert.deepEqual([as_of, total_count], [body.as_of, body.total_count], reply.text)
    assert.ok(data.length === 2 || next_cursor === null, 'only the last page is short')
    pages.push(...data)
    cursor = next_cursor ?? ''
  }
  assert.deepEqual(pages, body.data, JSON.stringify(command))
}

/** The limit is four concurrent complete lists per key, and there are two keys. */
const concurrencyMax = 8

/** Reads all lists completely, and two of them in pages, in rotation. */
async function assertLists(run: ModelRun): Promise<void> {
  const { state } = run
  const calls: Call[] = []
  const lists = listsOf(state).map((list) => ({
    ...list,
    query: { ...list.query, include: 'total_count' },
  }))
  for (let start = 0; start < lists.length; start += concurrencyMax) {
    const some = lists.slice(start, start + concurrencyMax)
    calls.push(...(await Promise.all(some.map((list, turn) => send(run, list, turn)))))
  }
  for (const call of calls) applyAndAssert(run, call)
  const half = Math.floor(calls.length / 2)
  const turns = [state.seq % half, half + (state.seq % (calls.length - half))]
  for (const turn of turns) {
    const call = calls[turn]
    if (call) await assertPages(run, call)
  }
}

/** The lists to compare with the model. */
function listsOf({ people, groups }: RosterState): Command[] {
  const status = personStatuses.join(',')
  const personnel = (query: Record<string, string>) => ({ ...commandFor('personnel.list'), query })
  const managers = new Set(people.flatMap(({ manager_user_id }) => manager_user_id ?? []))
  const groupIds = groups.map(({ id }) => id)
  return [
    personnel({}),
    personnel({ status: 'departed' }),
    personnel({ status, sort: '-name' }),
    personnel({ manager_user_id: 'none', status }),
    personnel({ manager_user_id: ['none', ...managers].slice(-2).join(','), sort: 'updated_at' }),
    personnel({ q: 'LUND' }),
    personnel({ q: 'exam', status, sort: 'name' }),
    personnel({ user_id: people.map(({ id }) => id).join(','), status }),
    personnel({ group_id: groupIds.join(',') }),
    { ...commandFor('groups.list'), query: {} },
    { ...commandFor('groups.list'), query: { status: 'archived' } },
    { ...commandFor('groups.list'), query: { status: 'active,archived', sort: '-name' } },
    ...groupIds.map((group_id) => commandFor('groups.members', {}, { group_id })),
    ...people.slice(0, 2).map(({ id }) => commandFor('personnel.assignments', {}, { user_id: id })),
  ]
}

/** Asserts that every read matches the model and follows from the events. */
export async function assertMatchesModel(run: ModelRun): Promise<void> {
  const { fixture, uuid } = run
  const events = await eventsSince(run, 0)
  assertEvents(run, events)
  await assertLists(run)
  await assertReplayed(fixture.host.sql, uuid, events)
  assert.deepEqual(await findDrift(fixture.host.sql, { workspace: uuid }), [])
}

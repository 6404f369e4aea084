import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'

import { personStatuses, problems, scopes } from '@muster/contract'

import { encodeId } from '#storage/id'

import { Client, type Json, type Reply } from './client.ts'
import { findDrift } from './drift.ts'
import { startStage } from './model-play.ts'
import { assertReplayed } from './roster-model-replay.ts'
import { plan, requestOf } from './roster-model-rules.ts'
import { type Command, type Outcome, type Refusal, Roster } from './roster-model.ts'
import { type Host, listen, newWorkspace } from './workspace.ts'

/** Two services on one database, whose time is what they are told. */
export async function startStages(host: Host) {
  const stage = await startStage(host)
  const { clock, base } = stage
  const other = await listen(host.url, { clock: () => clock.now })
  return { host, clock, bases: [base, other] }
}

export type Stages = Awaited<ReturnType<typeof startStages>>

/** A workspace, the model of it, and several who change it. */
export interface Play {
  readonly stage: Stages
  readonly uuid: string
  readonly clients: readonly Client[]
  readonly world: Roster
  /** What was asked for and what came of it, over all plays. */
  readonly met: Map<string, number>
}

/** Who asked for what, and what came of it. */
export interface Call {
  readonly command: Command
  readonly reply: Reply
}

/** So few that the workspace is full now and then. */
const quota = { people: 6, groups: 3 }

export async function newPlay(stage: Stages, met: Play['met']): Promise<Play> {
  const { host, clock, bases } = stage
  const home = await newWorkspace(host)
  const tokens = [(await home.issue({ scopes })).token, (await home.issue({ scopes })).token]
  const { rows } = await host.sql.query(
    `update workspace_counters set people_max = $2, groups_max = $3 where workspace_id = $1
     returning seq::int`,
    [home.uuid, quota.people, quota.groups],
  )
  const world = new Roster({ seq: rows[0].seq, now: clock.now.toISOString(), quota })
  const clients = bases.flatMap((base) => tokens.map((token) => new Client(base, token)))
  return { stage, uuid: home.uuid, clients, world, met }
}

/** Lets time pass, in the services and in the model. What was new until now is not any more. */
export function wait({ stage: { clock }, world }: Play): void {
  clock.now = new Date(clock.now.getTime() + 1000)
  world.now = clock.now.toISOString()
  world.fresh.clear()
}

/** Notes that this came to pass, however often it did. */
export const meet = (met: Play['met'], what: string) => met.set(what, (met.get(what) ?? 0) + 1)

/** Whoever's turn it is asks. */
export async function send({ clients, met }: Play, command: Command, turn: number): Promise<Call> {
  const client = clients[turn % clients.length]
  assert.ok(client)
  const { method, path, sent } = requestOf(command)
  const reply = await client.send(method, path, sent)
  meet(met, `${command.name} ${reply.status < 300 ? 'done' : reply.body?.code}`)
  return { command, reply }
}

const told = ({ command, reply: { status, text } }: Call) =>
  `${JSON.stringify(command)} was answered ${status} ${text}`

/** The problem must tell all that the refusal does, and every flaw of it. */
function isRefusal({ flaws, ...members }: Refusal, { status, body }: Reply): boolean {
  if (status !== problems[members.code].status) return false
  const isTold = Object.entries(members).every(([name, value]) =>
    isDeepStrictEqual(body[name], value),
  )
  if (flaws === undefined) return isTold
  const errors: string[] = (body.errors ?? []).map(
    (error: Json) => `${error.pointer} ${error.code}`,
  )
  const isFound = (reasons: readonly string[]) => errors.some((error) => reasons.includes(error))
  return isTold && errors.length === flaws.length && flaws.every(isFound)
}

const isRefused = (outcome: Outcome, reply: Reply) =>
  outcome.refusals.some((refusal) => isRefusal(refusal, reply))

/** Whether the model allows this answer, with nothing changed by it. */
export function isIdleAnswer({ world }: Play, { command, reply }: Call): boolean {
  const outcome = plan(world, command, { body: reply.body, moved: new Set() })
  if (!('answer' in outcome)) return isRefused(outcome, reply)
  const isDone = reply.status === requestOf(command).status && outcome.things.length === 0
  return isDone && isDeepStrictEqual(reply.body, outcome.answer(world))
}

/** The answer must be what the model makes of the command; then the model goes on from there. */
export function follow({ world }: Play, call: Call, moved: ReadonlySet<string> = new Set()): void {
  const { command, reply } = call
  const outcome = plan(world, command, { body: reply.body, moved })
  if (!('answer' in outcome)) {
    const wanted = JSON.stringify(outcome.refusals)
    assert.ok(isRefused(outcome, reply), `${wanted} was expected; ${told(call)}`)
    return
  }
  assert.equal(reply.status, requestOf(command).status, told(call))
  world.commit(outcome)
  assert.deepEqual(reply.body, outcome.answer(world), told(call))
}

const ask = (name: string, body: Command['body'] = {}, at: Command['at'] = {}): Command => ({
  name,
  at,
  body,
  query: {},
  onlyIf: null,
})

/**
 * Something to ask for: people on the roster and two who left, whose email and external id others
 * have now; and an archived group whose name another has.
 */
export async function furnish(play: Play): Promise<void> {
  const made = async (name: string, body: object, at: Command['at'] = {}) => {
    wait(play)
    const call = await send(play, ask(name, { ...body }, at), 0)
    follow(play, call)
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

/** What happened, as it was told. */
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

/** Everything that was told since a number, but for keys, which the model does not know of. */
export async function eventsSince({ stage, uuid }: Play, seq: number): Promise<Event[]> {
  const { rows } = await stage.host.sql.query(
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

/** The order within one number is not promised, but that a thing is made before it is changed. */
function assertEvents(play: Play, events: readonly Event[]): void {
  const line = (event: Omit<Event, 'request'>) =>
    JSON.stringify([event.seq, event.type, event.subject, event.user, event.changed.toSorted()])
  const expected = play.world.events.map((event) => line({ ...event, user: event.user ?? null }))
  assert.deepEqual(events.map(line).toSorted(), expected.toSorted())
}

/** Asks for a list in pages: together they must be all of it. */
async function assertPages(play: Play, { command, reply: { body } }: Call): Promise<void> {
  const pages: unknown[] = []
  let cursor = ''
  for (let turn = 0; turn === 0 || cursor !== ''; turn++) {
    const query = { ...command.query, limit: '2', ...(cursor !== '' && { cursor }) }
    const { reply } = await send(play, { ...command, query }, turn)
    const { data, as_of, total_count, next_cursor }: Json = reply.body
    assert.deepEqual([as_of, total_count], [body.as_of, body.total_count], reply.text)
    assert.ok(data.length === 2 || next_cursor === null, 'only the last page is not full')
    pages.push(...data)
    cursor = next_cursor ?? ''
  }
  assert.deepEqual(pages, body.data, JSON.stringify(command))
}

/** A key may have four complete lists on their way, and there are two keys. */
const atOnceMax = 8

/** All lists, complete; and two of them, another two each time, in pages. */
async function assertLists(play: Play): Promise<void> {
  const { world } = play
  const calls: Call[] = []
  const lists = listsOf(world).map((list) => ({
    ...list,
    query: { ...list.query, include: 'total_count' },
  }))
  for (let start = 0; start < lists.length; start += atOnceMax) {
    const some = lists.slice(start, start + atOnceMax)
    calls.push(...(await Promise.all(some.map((list, turn) => send(play, list, turn)))))
  }
  for (const call of calls) follow(play, call)
  const half = Math.floor(calls.length / 2)
  const turns = [world.seq % half, half + (world.seq % (calls.length - half))]
  for (const turn of turns) {
    const call = calls[turn]
    if (call) await assertPages(play, call)
  }
}

/** The lists that there are of what the model holds. */
function listsOf({ people, groups }: Roster): Command[] {
  const status = personStatuses.join(',')
  const personnel = (query: Record<string, string>) => ({ ...ask('personnel.list'), query })
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
    { ...ask('groups.list'), query: {} },
    { ...ask('groups.list'), query: { status: 'archived' } },
    { ...ask('groups.list'), query: { status: 'active,archived', sort: '-name' } },
    ...groupIds.map((group_id) => ask('groups.members', {}, { group_id })),
    ...people.slice(0, 2).map(({ id }) => ask('personnel.assignments', {}, { user_id: id })),
  ]
}

/** Everything that can be read must be what the model holds, and follow from what was told. */
export async function assertSame(play: Play): Promise<void> {
  const { stage, uuid } = play
  const events = await eventsSince(play, 0)
  assertEvents(play, events)
  await assertLists(play)
  await assertReplayed(stage.host.sql, uuid, events)
  assert.deepEqual(await findDrift(stage.host.sql, { workspace: uuid }), [])
}

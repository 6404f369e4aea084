import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { type EventType, type Scope, scopes } from '@muster/contract'

import { nounOf } from '#storage/schema/nouns'
import { encodeId, uuidOf } from '#storage/values/id'
import { checkNumbers } from '#test/soak/checks/numbers'
import { Fleet } from '#test/soak/fleet'
import { chance, pick } from '#test/soak/length'
import { committedEvents } from '#test/soak/record'
import { assertHolds } from '#test/soak/verdict'
import { Client, type Json } from '#test/support/client'
import { seed, size } from '#test/support/size'
import { newWorkspace, startHost } from '#test/support/workspace'

import { Follower, kinds } from './mirror-followers.ts'
import { World, writeUntil } from './mirror-writers.ts'

const processes = 2
const writers = 12
const followers = size(9, 20)
const eventsLeast = size(5000, 100_000)
/** Ends of processes: every third by SIGTERM, the others by SIGKILL. */
const ends = size(3, 15)

const host = await startHost()
const fleet = await Fleet.start(host.url, processes, 'longTimeouts')
const home = await newWorkspace(host)
const manager = await home.manager()

async function made(path: string, body: object): Promise<Json> {
  const reply = await manager.post(path, body)
  assert.equal(reply.status, 201, reply.text)
  return reply.body
}

const projectIds: string[] = []
for (let index = 0; index < 10; index++) {
  projectIds.push((await made('/v1/projects', { code: `P${index}`, name: `Project ${index}` })).id)
}
await made('/v1/personnel', { name: 'Taken', email: 'taken@example.com' })
const world = new World(projectIds, size(150, 1500))

/** What a key sees. */
interface Access {
  readonly scopes: Scope[]
  /** Null for all. */
  readonly projectIds: string[] | null
}

const inProjects: Scope[] = ['personnel.read', 'projects.read']
/** Two in four are bound to projects, of which most are archived at times: the first one never. */
const accesses: readonly Access[] = [
  { scopes: inProjects, projectIds: projectIds.slice(0, 4) },
  { scopes: [...scopes], projectIds: null },
  { scopes: inProjects, projectIds: null },
  { scopes: ['projects.read'], projectIds: [0, 5, 6].map((index) => projectIds[index] ?? '') },
]

interface Mirror {
  readonly follower: Follower
  readonly access: Access
}

/** Each kind of follower has bound keys and others. */
async function newMirror(index: number): Promise<Mirror> {
  const round = Math.floor(index / kinds.length)
  const access = accesses[(index + 2 * round) % accesses.length]
  const kind = kinds[index % kinds.length]
  assert.ok(access && kind)
  const { token } = await home.issue(access)
  return { access, follower: new Follower({ kind, token, next: chance(100 + index, seed) }) }
}

async function eventCount(): Promise<number> {
  const { rows } = await host.sql.query<{ count: number }>(
    'select count(*)::int as count from events where workspace_id = $1',
    [home.uuid],
  )
  return rows[0]?.count ?? 0
}

/** Ends processes while events are written, and resolves when there are enough. */
async function endProcesses(): Promise<void> {
  for (let end = 0; end <= ends; end++) {
    while ((await eventCount()) < (eventsLeast * (end + 1)) / (ends + 1)) await sleep(100)
    if (end < ends) await fleet.kill(end % processes, end % 3 === 1 ? 'SIGTERM' : 'SIGKILL')
  }
}

interface LoggedRow {
  readonly id: string
  readonly type: EventType
  readonly project_id: string | null
}

/** The events that a key sees, by the table. */
async function eventsOf({ scopes: held, projectIds: bound }: Access): Promise<string[]> {
  const { rows } = await host.sql.query<LoggedRow>(
    `select id, type, project_id from events where workspace_id = $1 order by seq, position`,
    [home.uuid],
  )
  const isShown = ({ type, project_id }: LoggedRow) => {
    const project = project_id === null ? null : encodeId('prj', project_id)
    if (project !== null && bound !== null && !bound.includes(project)) return false
    if (['person', 'group'].includes(nounOf(type))) return held.includes('personnel.read')
    const isInProject = ['project', 'risk', 'issue', 'task'].includes(nounOf(type))
    return held.includes(isInProject ? 'projects.read' : 'keys.read')
  }
  return rows.filter(isShown).map(({ id }) => encodeId('evt', id))
}

function assertSame(found: readonly string[], wanted: readonly string[], what: string): void {
  const length = Math.max(found.length, wanted.length)
  for (let index = 0; index < length; index++) {
    const text = `${what}: event ${index} of ${wanted.length} is ${found[index]}`
    assert.equal(found[index], wanted[index], text)
  }
}

const taskStatuses = 'todo,in_progress,blocked,done,cancelled'
const projectStatuses = 'planned,active,on_hold,completed,cancelled,archived'

const listsOf = (held: readonly Scope[]) => [
  ...(held.includes('personnel.read')
    ? ['personnel?status=active,suspended,departed', 'groups?status=active,archived']
    : []),
  `projects?status=${projectStatuses}`,
  'risks',
  'risks/closed',
  'issues',
  'issues/closed',
  `tasks?status=${taskStatuses}`,
]

/** Everything that a key sees, by its complete lists. */
async function listed({ follower, access }: Mirror): Promise<Map<string, Json>> {
  const client = new Client(host.base, follower.token)
  const found = new Map<string, Json>()
  for (const list of listsOf(access.scopes)) {
    const { status, body, text } = await client.get(`/v1/${list}`)
    assert.equal(status, 200, text)
    for (const item of body.data) found.set(item.id, item)
  }
  return found
}

/** The ids and versions of everything that a key sees, by the tables. */
async function versionsOf({ scopes: held, projectIds: bound }: Access) {
  const { rows } = await host.sql.query<{ prefix: string; id: string; version: number }>(
    `select prefix, id, version::int from (
       select 'usr' as prefix, workspace_id, id, version, null::uuid as project_id from people
       union all select 'grp', workspace_id, id, version, null from groups
       union all select 'prj', workspace_id, id, version, id from projects
       union all select 'rsk', workspace_id, id, version, project_id from risks
       union all select 'iss', workspace_id, id, version, project_id from issues
       union all select 'tsk', workspace_id, id, version, project_id from tasks
     ) as item
     where workspace_id = $1 and (project_id is null or $2::uuid[] is null or project_id = any($2))
       and (project_id is not null or $3)`,
    [home.uuid, bound?.map(uuidOf) ?? null, held.includes('personnel.read')],
  )
  return new Map(rows.map(({ prefix, id, version }) => [encodeId(prefix, id), version]))
}

/** The copy has every item that the key sees, each as it is now, and no other. */
async function assertMirrors(mirror: Mirror, what: string): Promise<void> {
  const { states } = mirror.follower.copy
  const [items, versions] = [await listed(mirror), await versionsOf(mirror.access)]
  const idsOf = (of: ReadonlyMap<string, unknown>) => [...of.keys()].toSorted()
  assert.deepEqual(idsOf(items), idsOf(versions), `${what}: the lists and the tables`)
  assert.deepEqual(idsOf(states), idsOf(versions), `${what}: the copy and the tables`)
  for (const [id, { state }] of states) {
    assert.equal(state.version, versions.get(id), `${what}: ${id}`)
    // A list has more than a resource: ranks, and names of projects.
    const item = items.get(id)
    const shown = Object.fromEntries(Object.keys(state).map((name) => [name, item[name]]))
    assert.deepEqual(state, shown, `${what}: ${id}`)
  }
}

/** A run without the faults shows nothing. */
function assertFaults(t: TestContext, mirrors: readonly Mirror[]): void {
  const sent = new Map(world.outcomes)
  sent.delete('not_connected')
  const changed = sent.get('changed') ?? 0
  for (const ending of ['items moved', 'items closed']) sent.delete(ending)
  const all = [...sent.values()].reduce((sum, count) => sum + count, 0)
  t.diagnostic(JSON.stringify(Object.fromEntries(world.outcomes)))
  t.diagnostic(`${all} writes were sent, ${all - changed} of them refused or aborted`)
  assert.ok(all - changed > all / 20, 'one write in twenty is refused or aborted')
  for (const outcome of [
    'connection ended',
    'no response',
    'validation_failed',
    'version_mismatch',
    'items moved',
    'items closed',
  ]) {
    assert.ok(world.countOf(outcome) > 0, outcome)
  }
  for (const kind of kinds) {
    const those = mirrors.map(({ follower }) => follower).filter((each) => each.kind === kind)
    const continued = those.reduce((sum, each) => sum + each.continued, 0)
    t.diagnostic(`${those.length} followers by ${kind} continued ${continued} times`)
    assert.ok(continued > 0, `a follower by ${kind} continued from its position`)
  }
  const sum = (of: (follower: Follower) => number) =>
    mirrors.reduce((total, { follower }) => total + of(follower), 0)
  assert.ok(sum(({ withinWrite }) => withinWrite) > 0, 'a page ended within a write')
  assert.ok(sum(({ copy }) => copy.dropped) > 0, 'an item left the projects of a key')
}

/** Writes and follows, with processes that end meanwhile, until there are enough events. */
async function run(mirrors: readonly Mirror[], signal: AbortSignal): Promise<void> {
  const { token } = await home.issue({ scopes: [...scopes] })
  const at = { hasEnough: false, isStopped: false, isOver: false, lastId: '' }
  const baseOf = (purpose: number) => {
    const next = chance(purpose, seed)
    return () => (at.isStopped ? host.base : pick(fleet.bases, next))
  }
  const isOver = () => at.isOver || signal.aborted
  const isLast = ({ subject }: Json) => subject.id === at.lastId
  const following = mirrors.map(({ follower }, index) =>
    follower.follow({ base: baseOf(300 + index), isLast, isOver }),
  )
  const isDone = () => at.hasEnough || isOver()
  const writing = Array.from({ length: writers }, (_, index) => {
    const [base, next] = [baseOf(200 + index), chance(index, seed)]
    return writeUntil(world, { token, base, next, isOver: isDone })
  })
  try {
    await Promise.race([endProcesses(), ...writing, ...following])
    at.hasEnough = true
    await Promise.all(writing)
    at.isStopped = true
    // Writes whose connection ended have ended too.
    await fleet.stop()
    const last = { title: 'The last event', likelihood: 1, impact: 1 }
    at.lastId = (await made(`/v1/projects/${projectIds[0]}/risks`, last)).id
    await Promise.all(following)
  } finally {
    at.isOver = true
  }
}

const timeout = size(300_000, 3_600_000)

test(`a copy built from the log alone equals the tables (seed ${seed})`, { timeout }, async (t) => {
  const mirrors = await Promise.all(Array.from({ length: followers }, (_, at) => newMirror(at)))
  const began = performance.now()
  await run(mirrors, t.signal)
  const { events, counter } = await committedEvents(host.sql, home.uuid)
  const seconds = Math.round((performance.now() - began) / 1000)
  t.diagnostic(
    `${events.length} events in ${counter} writes, ${mirrors.length} followers, ${seconds} s`,
  )
  assert.ok(events.length >= eventsLeast)
  assertHolds(checkNumbers(events, counter))
  for (const [at, mirror] of mirrors.entries()) {
    const what = `follower ${at} by ${mirror.follower.kind}`
    assertSame(mirror.follower.copy.seen, await eventsOf(mirror.access), what)
    await assertMirrors(mirror, what)
  }
  assertFaults(t, mirrors)
})

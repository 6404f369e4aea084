import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

import { pick } from '#test/soak/length'
import type { Json } from '#test/support/client'

import { type Answer, attempt } from './mirror-requests.ts'

const itemNouns = ['risk', 'issue', 'task'] as const
type ItemNoun = (typeof itemNouns)[number]
type Noun = ItemNoun | 'person' | 'group'

interface Known {
  readonly id: string
  projectId: string | null
  /** The ETag after the creation. */
  readonly firstTag: string | null
  tag: string | null
}

interface KnownProject {
  readonly id: string
  isArchived: boolean
}

/** What the writers know of the workspace. A write without a response is not known. */
export class World {
  readonly projects: readonly KnownProject[]
  readonly known: Readonly<Record<Noun, Known[]>>
  /** How often each outcome was seen: `changed`, `no response`, or the code of a problem. */
  readonly outcomes = new Map<string, number>()
  /** The most items of a noun. Above it, items are changed only. */
  readonly most: number

  constructor(projectIds: readonly string[], most: number) {
    this.projects = projectIds.map((id) => ({ id, isArchived: false }))
    this.known = { person: [], group: [], risk: [], issue: [], task: [] }
    this.most = most
  }

  count(outcome: string): void {
    this.outcomes.set(outcome, this.countOf(outcome) + 1)
  }

  countOf(outcome: string): number {
    return this.outcomes.get(outcome) ?? 0
  }

  forget(noun: Noun, item: Known): void {
    const at = this.known[noun].indexOf(item)
    if (at !== -1) this.known[noun].splice(at, 1)
  }

  add(noun: Noun, { id, project_id = null }: Json, tag: string | null): void {
    this.known[noun].push({ id, projectId: project_id, firstTag: tag, tag })
  }
}

interface Write {
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly ifMatch?: string | null
  /** Learns from a success. */
  readonly done?: (body: Json, tag: string | null) => void
  /** What it changes. If it is not found, it has moved, and is forgotten. */
  readonly target?: readonly [noun: Noun, item: Known]
}

type Next = () => number

/** The world, and random numbers. */
interface Turn {
  readonly world: World
  readonly next: Next
}

const digit = (next: Next) => 1 + Math.floor(next() * 5)
const word = (next: Next) => `W${Math.floor(next() * 1e9)}`
const some = <T>(from: readonly T[], next: Next): T | null =>
  from.length === 0 ? null : pick(from, next)

const live = ({ projects }: World) => projects.filter(({ isArchived }) => !isArchived)

const collections = {
  person: '/v1/personnel',
  group: '/v1/groups',
  risk: 'risks',
  issue: 'issues',
  task: 'tasks',
} as const satisfies Record<Noun, string>

const isItem = (noun: Noun): noun is ItemNoun => itemNouns.some((each) => each === noun)

const collectionOf = (noun: Noun, projectId: string | null) =>
  isItem(noun) ? `/v1/projects/${projectId}/${collections[noun]}` : collections[noun]

const newRows: Readonly<Record<Noun, (turn: Turn, owner: string | undefined) => Json>> = {
  person: ({ next }) => ({
    name: word(next),
    ...(next() < 0.005 && { email: 'taken@example.com' }),
  }),
  group: ({ next }) => ({ name: word(next) }),
  risk: ({ next }, owner) => ({
    title: word(next),
    likelihood: digit(next),
    impact: digit(next),
    owner_user_id: owner,
  }),
  issue: ({ next }, owner) => ({
    title: word(next),
    severity: digit(next),
    assignee_user_id: owner,
  }),
  task: ({ next }, owner) => ({ title: word(next), assignee_user_id: owner }),
}

function newRow(noun: Noun, turn: Turn): Json {
  const { next, world } = turn
  const owner = next() < 0.05 ? some(world.known.person, next)?.id : undefined
  return newRows[noun](turn, owner)
}

const changes: Readonly<Record<Noun, (next: Next) => Json>> = {
  person: (next) => ({ title: word(next) }),
  group: (next) => ({ name: word(next) }),
  risk: (next) => ({ title: word(next) }),
  issue: (next) => ({ severity: digit(next) }),
  task: (next) => ({ status: pick(['todo', 'in_progress', 'done', 'cancelled'], next) }),
}

function changeOf(noun: Noun, next: Next): Json {
  const hasMetadata = noun !== 'task' && next() < 0.3
  return { ...changes[noun](next), ...(hasMetadata && { metadata: { turn: word(next) } }) }
}

type Verb = readonly [name: string, body?: object]

/** What is done to an existing one besides a change of its fields. */
const verbs: Readonly<Record<Noun, (id: string, next: Next) => readonly Verb[]>> = {
  person: (id) => [
    ['suspend', {}],
    ['resume', {}],
    ['depart', {}],
    ['rejoin', {}],
    ['erase', { confirm: id }],
  ],
  group: () => [['archive'], ['restore']],
  risk: (_, next) => [
    ['review', { likelihood: digit(next), impact: digit(next) }],
    ['close', { close_reason: 'treated' }],
    ['reopen', {}],
    ['occur', {}],
  ],
  issue: () => [
    ['close', { close_reason: 'resolved' }],
    ['reopen', {}],
  ],
  task: () => [],
}

const anyNoun = (next: Next): Noun =>
  pick(['person', 'person', 'group', 'risk', 'risk', 'risk', 'issue', 'issue', 'task'], next)

function create(turn: Turn): Write | null {
  const { world, next } = turn
  const noun = anyNoun(next)
  if (world.known[noun].length >= world.most) return null
  return {
    method: 'POST',
    path: collectionOf(noun, pick(live(world), next).id),
    body: newRow(noun, turn),
    done: (body, tag) => world.add(noun, body, tag),
  }
}

function change(turn: Turn): Write | null {
  const { world, next } = turn
  const noun = anyNoun(next)
  const item = some(world.known[noun], next)
  if (item === null) return null
  return {
    method: 'PATCH',
    path: `${collectionOf(noun, item.projectId)}/${item.id}`,
    body: changeOf(noun, next),
    target: [noun, item],
    ifMatch: next() < 0.1 ? item.tag : null,
    done: (_, tag) => (item.tag = tag),
  }
}

function act({ world, next }: Turn): Write | null {
  const noun = anyNoun(next)
  const item = some(world.known[noun], next)
  const verb = item && some(verbs[noun](item.id, next), next)
  if (!verb) return null
  const [name, body] = verb
  const path = `${collectionOf(noun, item.projectId)}/${item.id}/${name}`
  return { method: 'POST', path, ...(body && { body }), target: [noun, item] }
}

/** Creates and changes rows of one noun. */
function batch(turn: Turn): Write | null {
  const { world, next } = turn
  const noun = pick(['person', ...itemNouns] as const, next)
  const projectId = pick(live(world), next).id
  const here = world.known[noun].filter((item) => [null, projectId].includes(item.projectId))
  const changed = new Set(Array.from({ length: 25 }, () => some(here, next)?.id ?? ''))
  const old = [...changed].flatMap((id) => (id ? [{ id, ...changeOf(noun, next) }] : []))
  const isFull = world.known[noun].length >= world.most
  const created = Array.from({ length: isFull ? 0 : 25 }, () => newRow(noun, turn))
  if (old.length + created.length === 0) return null
  return {
    method: 'POST',
    path: `${collectionOf(noun, projectId)}/batch`,
    body: { data: [...old, ...created] },
    done: ({ data }) => {
      for (const row of data.slice(old.length)) world.add(noun, row, null)
    },
  }
}

function member({ world, next }: Turn): Write | null {
  const [group, person] = [some(world.known.group, next), some(world.known.person, next)]
  if (group === null || person === null) return null
  const isAdded = next() < 0.7
  const path = `/v1/groups/${group.id}/members/${person.id}`
  return { method: isAdded ? 'PUT' : 'DELETE', path }
}

/** Archives a project and moves or closes its items, restores one, or changes one. */
function changeProject({ world, next }: Turn): Write | null {
  const chosen = pick(world.projects.slice(1, 7), next)
  const path = `/v1/projects/${chosen.id}`
  if (next() < 0.3) return { method: 'PATCH', path, body: { risk_appetite: 5 * digit(next) } }
  if (chosen.isArchived) {
    const done = () => (chosen.isArchived = false)
    return { method: 'POST', path: `${path}/restore`, body: {}, done }
  }
  const target = pick(
    live(world).filter(({ id }) => id !== chosen.id),
    next,
  ).id
  const isMove = next() < 0.6
  const done = () => {
    chosen.isArchived = true
    if (isMove) moved(world, chosen.id, target)
    world.count(isMove ? 'items moved' : 'items closed')
  }
  const body = isMove
    ? { if_live_items: 'transfer', to_project_id: target }
    : { if_live_items: 'close' }
  return { method: 'POST', path: `${path}/archive`, body, done }
}

function moved({ known }: World, from: string, to: string): void {
  for (const noun of itemNouns) {
    for (const item of known[noun]) if (item.projectId === from) item.projectId = to
  }
}

/** A write that must be refused: for its values, or for its If-Match. */
function refused(turn: Turn): Write | null {
  const { world, next } = turn
  const item = some(world.known.risk, next)
  if (item === null) return null
  const path = `${collectionOf('risk', item.projectId)}/${item.id}`
  if (next() < 0.5) return { method: 'PATCH', path, body: { likelihood: 9 } }
  const isStale = item.firstTag !== null && item.firstTag !== item.tag
  return {
    method: 'PATCH',
    path,
    body: { title: word(next) },
    ifMatch: isStale ? item.firstTag : '"0"',
  }
}

const steps = [
  [16, create],
  [30, change],
  [14, act],
  [24, batch],
  [10, member],
  [5, changeProject],
  [4, refused],
] as const

function writeOf(turn: Turn): Write | null {
  let left = turn.next() * steps.reduce((sum, [weight]) => sum + weight, 0)
  const step = steps.find(([weight]) => (left -= weight) < 0)
  return step?.[1](turn) ?? null
}

interface Writer {
  readonly token: string
  /** The base URL of the next write. */
  readonly base: () => string
  readonly next: Next
  readonly isOver: () => boolean
}

/** The connection of one write in 25 ends while it is in progress. */
const endsEarly = 0.04

/** Sends one write after the other. Any response but a failure of the service is right. */
export async function writeUntil(world: World, writer: Writer): Promise<void> {
  const { token, base, next, isOver } = writer
  while (!isOver()) {
    const write = writeOf({ world, next })
    if (write === null) continue
    const { method, path, body, ifMatch } = write
    const endAfterMs = next() < endsEarly ? Math.floor(next() * 20) : undefined
    const headers = { 'if-match': ifMatch ?? undefined }
    const reply = await attempt({ base: base(), token, method, path, body, headers, endAfterMs })
    if (reply) learn(world, write, reply)
    else world.count(endAfterMs === undefined ? 'no response' : 'connection ended')
    if (reply === null || reply.status === 503) await sleep(100)
  }
}

function learn(world: World, { method, path, done, target }: Write, reply: Answer): void {
  const { status, body, etag } = reply
  assert.ok(status < 500 || status === 503, `${method} ${path}: ${JSON.stringify(body)}`)
  world.count(status < 300 ? 'changed' : body.code)
  if (status < 300) done?.(body, etag)
  if (status === 404 && target) world.forget(...target)
}

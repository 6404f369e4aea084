import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'

import type { Assignment, Group, Person, ProblemName } from '@muster/contract'

import type { Json } from './client.ts'

/** A request that somebody makes, by the name of its operation. */
export interface Command {
  readonly name: string
  readonly at: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, Json>>
  /** What If-Match says; null when it is not sent. */
  readonly onlyIf: number | null
}

/** What cannot be foretold: the ids in an answer, and which work a handover found. */
export interface Heard {
  readonly body: Json
  readonly moved: ReadonlySet<string>
}

/** Something that is in the hands of a person, and its place among its kind. */
export interface Work extends Assignment {
  readonly holder: string | null
  readonly rank: string
}

/** One thing as a request leaves it. */
type Thing =
  | { readonly noun: 'person'; readonly after: Person }
  | { readonly noun: 'group'; readonly after: Group }
  | { readonly noun: 'work'; readonly after: Work }

export interface Telling {
  readonly type: string
  readonly subject: string
  readonly changed: readonly string[]
  /** Who joined or left, when that is what is told. */
  readonly user?: string
}

/** What a request does, all of it under one number. */
export interface Effect {
  readonly things: readonly Thing[]
  readonly events: readonly Telling[]
}

/**
 * Why a request is refused. `flaws` are places with a code, and every one of them must be told;
 * where a place could be refused for several reasons, any one of these. All other members must be
 * in the problem as they are here.
 */
export interface Refusal {
  readonly code: ProblemName
  readonly flaws?: readonly (readonly string[])[]
  readonly pointer?: string
  readonly [member: string]: unknown
}

export interface Done extends Effect {
  readonly refusals: readonly []
  readonly answer: (then: Roster) => Json
}

/** What must come of a request: one of these refusals, or this effect and this answer. */
export type Outcome = { readonly refusals: readonly [Refusal, ...Refusal[]] } | Done

export type Rule = (world: Roster, command: Command, heard: Heard) => Outcome

/**
 * The people and groups of one workspace as they should be after all that has happened, kept in
 * memory and by the simplest means. Who is in a group is told by the people alone.
 */
export class Roster {
  readonly person = new Map<string, Person>()
  readonly group = new Map<string, Group>()
  readonly work = new Map<string, Work>()
  readonly events: (Telling & { readonly seq: number })[] = []
  /** The numbers of the collections. */
  readonly reached = { personnel: 0, groups: 0, work: 0 }
  /** Work that came into the hands it is in while others were asking for something too. */
  readonly fresh = new Set<string>()
  readonly quota: { readonly people: number; readonly groups: number }
  readonly #joined = new Map<string, string>()
  seq: number
  now: string

  constructor(start: { seq: number; now: string; quota: { people: number; groups: number } }) {
    this.seq = start.seq
    this.now = start.now
    this.quota = start.quota
  }

  get people(): Person[] {
    return byAge(this.person.values())
  }

  get onRoster(): Person[] {
    return this.people.filter(({ status }) => status !== 'departed')
  }

  get groups(): Group[] {
    return byAge(this.group.values())
  }

  get activeGroups(): Group[] {
    return this.groups.filter(({ status }) => status === 'active')
  }

  members(groupId: string): Person[] {
    return this.people.filter(({ group_ids }) => group_ids.includes(groupId))
  }

  joinedAt(groupId: string, userId: string): string {
    return this.#joined.get(`${groupId} ${userId}`) ?? ''
  }

  /** All that someone holds, as it is listed. */
  heldBy(userId: string): Work[] {
    const order = (work: Work) => `${kinds.indexOf(work.type)} ${work.rank} ${work.id}`
    return [...this.work.values()]
      .filter(({ holder }) => holder === userId)
      .toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
  }

  /** Makes all of it under the next number. What changes nothing takes no number. */
  commit({ things, events }: Effect): void {
    if (things.length === 0) return
    this.seq += 1
    for (const thing of things) this.#put(thing)
    for (const { noun, after } of things) {
      // Whoever joins and leaves is written with the group, so it is counted when all are.
      if (noun === 'group') this.#count(after)
    }
    for (const event of events) {
      const isNew = !this.events.some(({ subject }) => subject === event.subject)
      assert.equal(isNew, event.type.endsWith('.created'), `${event.type} of ${event.subject}`)
      this.events.push({ ...event, seq: this.seq })
    }
  }

  #put({ noun, after }: Thing): void {
    const stamped = { version: this.seq, updated_at: this.now }
    if (noun === 'person') {
      const before = this.person.get(after.id)?.group_ids ?? []
      for (const group of after.group_ids) {
        if (!before.includes(group)) this.#joined.set(`${group} ${after.id}`, this.now)
      }
      this.person.set(after.id, { ...after, ...stamped })
      this.reached.personnel = this.seq
    } else if (noun === 'group') {
      this.group.set(after.id, { ...after, ...stamped })
      this.reached.groups = this.seq
    } else {
      this.work.set(after.id, after)
      this.fresh.add(after.id)
      this.reached.work = this.seq
    }
  }

  #count({ id }: Group): void {
    const group = this.group.get(id)
    if (group) this.group.set(id, { ...group, member_count: this.members(id).length })
  }
}

export const kinds = ['project', 'risk', 'issue', 'task'] as const

/** The order of creation: of several in one moment, the order of their ids. */
const byAge = <T extends { id: string; created_at: string }>(items: Iterable<T>): T[] =>
  [...items].toSorted((a, b) => (a.created_at + a.id < b.created_at + b.id ? -1 : 1))

const untold = new Set(['version', 'updated_at'])

/** The names of the fields in which two states differ. */
export const differences = <T extends object>(before: T, after: T): string[] =>
  Object.keys(after).filter((name) => {
    // The cast holds because these are the names of the fields.
    const key = name as keyof T
    return !untold.has(name) && !isDeepStrictEqual(before[key], after[key])
  })

/** A change and how it is told; nothing when it is so already. */
export function saved(thing: Thing, before: Person | Group, type: string): Effect {
  const { after } = thing
  const changed = differences<object>(before, after)
  if (changed.length === 0) return nothing
  return { things: [thing], events: [{ type, subject: after.id, changed }] }
}

export const nothing: Effect = { things: [], events: [] }

type Refusals = readonly (Refusal | null)[]

/**
 * Done, unless something is in the way. Which of several things is told first is promised only so
 * far: what is in the way of one turn is told before what is in the way of the next.
 */
export function attempt(turns: readonly Refusals[], done: () => Omit<Done, 'refusals'>): Outcome {
  for (const turn of turns) {
    const [first, ...others] = turn.filter((refusal) => refusal !== null)
    if (first) return { refusals: [first, ...others] }
  }
  return { refusals: [], ...done() }
}

export const unless = (isFine: boolean, refusal: Refusal) => (isFine ? null : refusal)

export const invalid = (...flaws: string[]): Refusal => ({
  code: 'validation_failed',
  flaws: flaws.map((flaw) => [flaw]),
})

export const refused = (...refusals: [Refusal, ...Refusal[]]): Outcome => ({ refusals })

export const missing = refused({ code: 'not_found' })

/** The version that If-Match names, or the body, must be the present one. */
export const refuseStale = (onlyIf: number | null | undefined, { version }: { version: number }) =>
  unless((onlyIf ?? version) === version, { code: 'version_mismatch', version })

export function refuseFull(world: Roster, quota: 'people' | 'groups', more = 1): Refusal | null {
  const used = (quota === 'people' ? world.onRoster : world.activeGroups).length
  const limit = world.quota[quota]
  return unless(used + more <= limit, { code: 'quota_exceeded', quota, limit, used })
}

/** What a merge patch wants, and a refusal for each other field that it names anew. */
export function readPatch<T extends object>(
  current: T,
  body: Command['body'],
  writable: readonly string[],
): { fields: Partial<T>; refusals: Refusal[] } {
  const others = Object.entries(body).filter(([name]) => !writable.includes(name))
  return {
    // The casts hold because the contract lets no body name what is no field of the thing.
    fields: Object.fromEntries(
      Object.entries(body).filter(([name]) => writable.includes(name)),
    ) as Partial<T>,
    refusals: others
      .filter(([name, value]) => !isDeepStrictEqual(current[name as keyof T], value))
      .filter(([name]) => name !== 'version')
      .map(([name]) => ({ code: 'read_only_field', pointer: `/${name}` })),
  }
}

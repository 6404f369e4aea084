import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'

import type { Assignment, Group, Person, ProblemName } from '@muster/contract'

import type { Json } from '#test/support/client'

/** A request, by the name of its operation. */
export interface Command {
  readonly name: string
  readonly at: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, Json>>
  /** The version in If-Match; null when it is not sent. */
  readonly ifMatch: number | null
}

/** What the model cannot predict: ids in a response, and the work that a reassignment found. */
export interface Observed {
  readonly body: Json
  readonly reassignedIds: ReadonlySet<string>
}

/** An assignment, its assignee and its sort key within its type. */
export interface Work extends Assignment {
  readonly assignee: string | null
  readonly rank: string
}

/** An item after a request. */
type Item =
  | { readonly noun: 'person'; readonly after: Person }
  | { readonly noun: 'group'; readonly after: Group }
  | { readonly noun: 'work'; readonly after: Work }

export interface ModelEvent {
  readonly type: string
  readonly subject: string
  readonly changed: readonly string[]
  /** Who joined or left, for membership events. */
  readonly user?: string
}

/** The effect of a request, under one sequence number. */
export interface Effect {
  readonly items: readonly Item[]
  readonly events: readonly ModelEvent[]
}

/**
 * Why a request is refused. Every entry of `fieldErrors` must be reported; an entry lists
 * alternatives of pointer and code. All other members must equal those of the problem.
 */
export interface Refusal {
  readonly code: ProblemName
  readonly fieldErrors?: readonly (readonly string[])[]
  readonly pointer?: string
  readonly [member: string]: unknown
}

export interface Done extends Effect {
  readonly refusals: readonly []
  readonly responseBody: (then: RosterState) => Json
}

/** The expected result of a request: one of these refusals, or this effect and this response. */
export type Outcome = { readonly refusals: readonly [Refusal, ...Refusal[]] } | Done

export type Rule = (state: RosterState, command: Command, observed: Observed) => Outcome

/**
 * The expected people and groups of a workspace, kept in memory in the simplest form. Only people
 * store memberships.
 */
export class RosterState {
  readonly person = new Map<string, Person>()
  readonly group = new Map<string, Group>()
  readonly work = new Map<string, Work>()
  readonly events: (ModelEvent & { readonly seq: number })[] = []
  /** The sequence number of each collection. */
  readonly collectionSeq = { personnel: 0, groups: 0, work: 0 }
  /** Work that was assigned during the current concurrent requests. */
  readonly recentlyAssigned = new Set<string>()
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

  /** The assignments of a person, in list order. */
  assignmentsOf(userId: string): Work[] {
    const order = (work: Work) => `${kinds.indexOf(work.type)} ${work.rank} ${work.id}`
    return [...this.work.values()]
      .filter(({ assignee }) => assignee === userId)
      .toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
  }

  /** Applies the effect under the next sequence number. An empty effect takes none. */
  commit({ items, events }: Effect): void {
    if (items.length === 0) return
    this.seq += 1
    for (const item of items) this.#put(item)
    for (const { noun, after } of items) {
      // Members are counted after all items are written, because people and groups change together.
      if (noun === 'group') this.#count(after)
    }
    for (const event of events) {
      const isNew = !this.events.some(({ subject }) => subject === event.subject)
      assert.equal(isNew, event.type.endsWith('.created'), `${event.type} of ${event.subject}`)
      this.events.push({ ...event, seq: this.seq })
    }
  }

  #put({ noun, after }: Item): void {
    const stamped = { version: this.seq, updated_at: this.now }
    if (noun === 'person') {
      const before = this.person.get(after.id)?.group_ids ?? []
      for (const group of after.group_ids) {
        if (!before.includes(group)) this.#joined.set(`${group} ${after.id}`, this.now)
      }
      this.person.set(after.id, { ...after, ...stamped })
      this.collectionSeq.personnel = this.seq
    } else if (noun === 'group') {
      this.group.set(after.id, { ...after, ...stamped })
      this.collectionSeq.groups = this.seq
    } else {
      this.work.set(after.id, after)
      this.recentlyAssigned.add(after.id)
      this.collectionSeq.work = this.seq
    }
  }

  #count({ id }: Group): void {
    const group = this.group.get(id)
    if (group) this.group.set(id, { ...group, member_count: this.members(id).length })
  }
}

export const kinds = ['project', 'risk', 'issue', 'task'] as const

/** In order of creation, equal times by id. */
const byAge = <T extends { id: string; created_at: string }>(items: Iterable<T>): T[] =>
  [...items].toSorted((a, b) => (a.created_at + a.id < b.created_at + b.id ? -1 : 1))

const notInEvents = new Set(['version', 'updated_at'])

/** The names of the fields that differ. */
export const differences = <T extends object>(before: T, after: T): string[] =>
  Object.keys(after).filter((name) => {
    // The cast holds because these are the names of the fields.
    const key = name as keyof T
    return !notInEvents.has(name) && !isDeepStrictEqual(before[key], after[key])
  })

/** A change and its event; no effect when nothing differs. */
export function changeEffect(item: Item, before: Person | Group, type: string): Effect {
  const { after } = item
  const changed = differences<object>(before, after)
  if (changed.length === 0) return noEffect
  return { items: [item], events: [{ type, subject: after.id, changed }] }
}

export const noEffect: Effect = { items: [], events: [] }

type Refusals = readonly (Refusal | null)[]

/**
 * Succeeds without refusals. The first stage with a refusal decides; the order within a stage is
 * not specified.
 */
export function attempt(stages: readonly Refusals[], done: () => Omit<Done, 'refusals'>): Outcome {
  for (const stage of stages) {
    const [first, ...others] = stage.filter((refusal) => refusal !== null)
    if (first) return { refusals: [first, ...others] }
  }
  return { refusals: [], ...done() }
}

export const unless = (isFine: boolean, refusal: Refusal) => (isFine ? null : refusal)

export const invalid = (...fieldErrors: string[]): Refusal => ({
  code: 'validation_failed',
  fieldErrors: fieldErrors.map((fieldError) => [fieldError]),
})

export const refused = (...refusals: [Refusal, ...Refusal[]]): Outcome => ({ refusals })

export const notFound = refused({ code: 'not_found' })

/** The version in If-Match or in the body must be the current one. */
export const refuseStale = (ifMatch: number | null | undefined, { version }: { version: number }) =>
  unless((ifMatch ?? version) === version, { code: 'version_mismatch', version })

export function refuseFull(
  state: RosterState,
  quota: 'people' | 'groups',
  more = 1,
): Refusal | null {
  const used = (quota === 'people' ? state.onRoster : state.activeGroups).length
  const limit = state.quota[quota]
  return unless(used + more <= limit, { code: 'quota_exceeded', quota, limit, used })
}

/** The fields of a merge patch, and a refusal for each changed field that is read-only. */
export function readPatch<T extends object>(
  current: T,
  body: Command['body'],
  writable: readonly string[],
): { fields: Partial<T>; refusals: Refusal[] } {
  const others = Object.entries(body).filter(([name]) => !writable.includes(name))
  return {
    // The casts hold because the contract refuses unknown fields.
    fields: Object.fromEntries(
      Object.entries(body).filter(([name]) => writable.includes(name)),
    ) as Partial<T>,
    refusals: others
      .filter(([name, value]) => !isDeepStrictEqual(current[name as keyof T], value))
      .filter(([name]) => name !== 'version')
      .map(([name]) => ({ code: 'read_only_field', pointer: `/${name}` })),
  }
}

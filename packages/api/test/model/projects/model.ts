import { isDeepStrictEqual } from 'node:util'

import type { Issue, ProblemName, Project, Risk, Task } from '@muster/contract'

/** What a workspace holds, as the contract shows it. */
interface Things {
  project: Project
  risk: Risk
  issue: Issue
  task: Task
}
export type Noun = keyof Things

/** One thing that a request makes or changes, and how that is told. */
export type Change = {
  [N in Noun]: {
    readonly noun: N
    readonly before: Things[N] | null
    readonly after: Things[N]
    readonly type: string
    /** The names that are told; left out: those in which the two differ. */
    readonly changed?: readonly string[]
  }
}[Noun]

/** A request that somebody makes, by the name of its operation. */
export interface Command {
  readonly name: string
  readonly at: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
  /** What If-Match says; null when it is not sent. */
  readonly onlyIf: number | null
}

/** What must come of a request: one of these refusals, or these changes and this answer. */
export type Outcome = Refusal | Done
export interface Refusal {
  readonly refusals: readonly ProblemName[]
}
interface Done {
  readonly refusals: readonly []
  readonly changes: readonly Change[]
  readonly answer: (world: World) => unknown
}

export interface Told {
  readonly seq: number
  readonly position: number
  readonly type: string
  readonly subject: string
  readonly project: string
  readonly changed: readonly string[]
}

type Letter = 'R' | 'I' | 'T'

/**
 * What a workspace should be after all that has happened in it, kept in memory and by the simplest
 * means. It knows nothing of the service but its contract.
 */
export class World {
  readonly project = new Map<string, Project>()
  readonly risk = new Map<string, Risk>()
  readonly issue = new Map<string, Issue>()
  readonly task = new Map<string, Task>()
  /** Everyone on the roster, and whether they can be given work. */
  readonly people: ReadonlyMap<string, boolean>
  readonly events: Told[] = []
  readonly zone: string
  readonly #numbers = new Map<string, number>()
  seq: number
  now: string

  constructor(start: { people: ReadonlyMap<string, boolean>; zone: string; seq: number }) {
    this.people = start.people
    this.zone = start.zone
    this.seq = start.seq
    this.now = new Date(0).toISOString()
  }

  /** The day it is where the workspace is. */
  get today(): string {
    return new Date(this.now).toLocaleDateString('sv-SE', { timeZone: this.zone })
  }

  /** The reference that the next item of a project will get. */
  nextRef({ code }: Project, letter: Letter): string {
    const series = `${code}-${letter}`
    return `${series}${(this.#numbers.get(series) ?? 0) + 1}`
  }

  /** Everything of a kind, in the order in which it came to be known. */
  all(noun: Noun): Things[Noun][] {
    return [...this[noun].values()]
  }

  in(projectId: string) {
    const isHere = (item: { project_id: string }) => item.project_id === projectId
    return {
      risks: byId(this.risk).filter(isHere),
      issues: byId(this.issue).filter(isHere),
      tasks: byId(this.task).filter(isHere),
    }
  }

  /** Makes these changes under one number. What is as it was is not changed, and not told. */
  commit(changes: readonly Change[]): void {
    const real = realChanges(changes)
    if (real.length === 0) return
    this.seq += 1
    for (const [position, { noun, before, after, type, changed }] of real.entries()) {
      const { id: subject } = after
      // The cast holds because a change has a thing of its own noun.
      const map = this[noun] as Map<string, Things[Noun]>
      map.set(subject, { ...after, version: this.seq, updated_at: this.now })
      if (before === null && 'ref' in after) this.#count(after.ref)
      const project = 'project_id' in after ? after.project_id : subject
      const names = changed ?? differences(before ?? {}, after)
      this.events.push({ seq: this.seq, position, type, subject, project, changed: [...names] })
    }
  }

  #count(ref: string): void {
    const [, series = '', number = ''] = /^(.+?)(\d+)$/.exec(ref) ?? []
    this.#numbers.set(series, Number(number))
  }
}

const byId = <T extends { id: string }>(map: ReadonlyMap<string, T>) =>
  [...map.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))

export const realChanges = (changes: readonly Change[]) =>
  changes.filter(({ before, after }) => before === null || differences(before, after).length > 0)

/** The level follows from the score, and is not told beside it. */
const untold = new Set(['version', 'updated_at', 'level'])

function differences(before: object, after: object): string[] {
  return Object.keys(after).filter((name) => {
    const [old, now] = [before, after].map((each) => each[name as keyof object])
    return !untold.has(name) && !isDeepStrictEqual(old, now)
  })
}

export const refused = (...refusals: ProblemName[]): Refusal => ({ refusals })

interface Attempt {
  readonly refusals: readonly (ProblemName | null)[]
  readonly changes: () => readonly Change[]
  readonly answer: (world: World) => unknown
}

/** Done, unless something is in the way. Which of several things is told first is not promised. */
export function attempt({ refusals, changes, answer }: Attempt): Outcome {
  const real = refusals.filter((refusal) => refusal !== null)
  return real.length > 0 ? { refusals: real } : { refusals: [], changes: changes(), answer }
}

export const unless = (isFine: boolean, refusal: ProblemName) => (isFine ? null : refusal)

/** Someone who is given work must be there, and be active. */
export function refuseWork({ people }: World, userId: unknown): ProblemName | null {
  if (typeof userId !== 'string') return null
  const isAssignable = people.get(userId)
  if (isAssignable === undefined) return 'unknown_reference'
  return unless(isAssignable, 'not_assignable')
}

export const refuseStale = ({ onlyIf }: Command, { version }: { version: number }) =>
  unless(onlyIf === null || onlyIf === version, 'version_mismatch')

export const refuseArchived = (project: Project | undefined) =>
  unless(project?.status !== 'archived', 'project_archived')

/** What a merge patch wants; and a refusal for each field that it cannot change and names anew. */
export function readPatch<T extends object>(
  current: T,
  body: Command['body'],
  writable: readonly (keyof T & string)[],
): { fields: Partial<T>; refusals: (ProblemName | null)[] } {
  const fields: Partial<T> = {}
  const refusals: (ProblemName | null)[] = []
  for (const [name, value] of Object.entries(body)) {
    const key = name as keyof T & string
    if (writable.includes(key)) fields[key] = value as T[keyof T & string]
    else if (!isDeepStrictEqual(current[key], value)) {
      refusals.push(name === 'version' ? 'version_mismatch' : 'read_only_field')
    }
  }
  return { fields, refusals }
}

/** A key with null is taken away, one that is left out stays. */
export function patchedMap<V>(
  current: Readonly<Record<string, V>>,
  patch: Readonly<Record<string, V | null>> = {},
): Record<string, V> {
  const whole = Object.entries({ ...current, ...patch })
  return Object.fromEntries(whole.filter((entry): entry is [string, V] => entry[1] !== null))
}

import { isDeepStrictEqual } from 'node:util'

import type { Issue, ProblemName, Project, Risk, Task } from '@muster/contract'

/** The items of a workspace, as the contract defines them. */
interface Items {
  project: Project
  risk: Risk
  issue: Issue
  task: Task
}
export type Noun = keyof Items

/** One item that a request creates or changes, and its event. */
export type Change = {
  [N in Noun]: {
    readonly noun: N
    readonly before: Items[N] | null
    readonly after: Items[N]
    readonly type: string
    /** The changed fields in the event; by default those that differ. */
    readonly changed?: readonly string[]
  }
}[Noun]

/** A request, by the name of its operation. */
export interface Command {
  readonly name: string
  readonly at: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
  /** The version in If-Match; null when it is not sent. */
  readonly ifMatch: number | null
}

/** The expected result of a request: one of these refusals, or these changes and this response. */
export type Outcome = Refusal | Done
export interface Refusal {
  readonly refusals: readonly ProblemName[]
}
interface Done {
  readonly refusals: readonly []
  readonly changes: readonly Change[]
  readonly responseBody: (state: ModelState) => unknown
}

export interface ModelEvent {
  readonly seq: number
  readonly position: number
  readonly type: string
  readonly subject: string
  readonly project: string
  readonly changed: readonly string[]
}

type Letter = 'R' | 'I' | 'T'

/**
 * The expected state of a workspace, kept in memory in the simplest form. It depends on the
 * contract and on no code of the service.
 */
export class ModelState {
  readonly project = new Map<string, Project>()
  readonly risk = new Map<string, Risk>()
  readonly issue = new Map<string, Issue>()
  readonly task = new Map<string, Task>()
  /** People on the roster, and whether each is assignable. */
  readonly people: ReadonlyMap<string, boolean>
  readonly events: ModelEvent[] = []
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

  /** The current date in the time zone of the workspace. */
  get today(): string {
    return new Date(this.now).toLocaleDateString('sv-SE', { timeZone: this.zone })
  }

  /** The ref of the next item of a project. */
  nextRef({ code }: Project, letter: Letter): string {
    const series = `${code}-${letter}`
    return `${series}${(this.#numbers.get(series) ?? 0) + 1}`
  }

  /** All items of a type, in order of first use. */
  all(noun: Noun): Items[Noun][] {
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

  /** Applies changes under one sequence number. Unchanged items are skipped, without an event. */
  commit(changes: readonly Change[]): void {
    const real = realChanges(changes)
    if (real.length === 0) return
    this.seq += 1
    for (const [position, { noun, before, after, type, changed }] of real.entries()) {
      const { id: subject } = after
      // The cast holds because a change has an item of its own noun.
      const map = this[noun] as Map<string, Items[Noun]>
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

/** The level follows from the score, and is not listed in events. */
const notInEvents = new Set(['version', 'updated_at', 'level'])

function differences(before: object, after: object): string[] {
  return Object.keys(after).filter((name) => {
    const [old, now] = [before, after].map((each) => each[name as keyof object])
    return !notInEvents.has(name) && !isDeepStrictEqual(old, now)
  })
}

export const refused = (...refusals: ProblemName[]): Refusal => ({ refusals })

interface Attempt {
  readonly refusals: readonly (ProblemName | null)[]
  readonly changes: () => readonly Change[]
  readonly responseBody: (state: ModelState) => unknown
}

/** Succeeds without refusals. The order of several refusals is not specified. */
export function attempt({ refusals, changes, responseBody }: Attempt): Outcome {
  const real = refusals.filter((refusal) => refusal !== null)
  return real.length > 0 ? { refusals: real } : { refusals: [], changes: changes(), responseBody }
}

export const unless = (isFine: boolean, refusal: ProblemName) => (isFine ? null : refusal)

/** An assignee must exist and be active. */
export function refuseAssignee({ people }: ModelState, userId: unknown): ProblemName | null {
  if (typeof userId !== 'string') return null
  const isAssignable = people.get(userId)
  if (isAssignable === undefined) return 'unknown_reference'
  return unless(isAssignable, 'not_assignable')
}

export const refuseStale = ({ ifMatch }: Command, { version }: { version: number }) =>
  unless(ifMatch === null || ifMatch === version, 'version_mismatch')

export const refuseArchived = (project: Project | undefined) =>
  unless(project?.status !== 'archived', 'project_archived')

/** The fields of a merge patch, and a refusal for each changed field that is read-only. */
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

/** Merges a patch: null removes a key, a missing key stays. */
export function patchedMap<V>(
  current: Readonly<Record<string, V>>,
  patch: Readonly<Record<string, V | null>> = {},
): Record<string, V> {
  const whole = Object.entries({ ...current, ...patch })
  return Object.fromEntries(whole.filter((entry): entry is [string, V] => entry[1] !== null))
}

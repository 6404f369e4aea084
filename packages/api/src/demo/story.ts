import type { Day } from '@muster/demo'

import type { administrator } from '#domain/auth/caller'

export type DemoCaller = ReturnType<typeof administrator>

/** The names of the keys that make changes. */
export type KeyName = 'HR sync' | 'Risk office'

/** One write of the demo data. */
export interface StoryStep {
  readonly on: Day
  /** A key, a person by their key in the demo data, or an administrator. */
  readonly by: KeyName | 'administrator' | { readonly person: string }
  readonly run: (caller: DemoCaller) => Promise<unknown>
}

const dayMs = 86_400_000

/** What the steps share: the dates of the story, and ids by the names in the demo data. */
export class Story {
  /** Midnight UTC of the day of seeding. */
  readonly #midnight: number
  readonly #ids = new Map<string, string>()
  readonly #dates = new Set<Day>()

  constructor(now: Date) {
    this.#midnight = Math.floor(now.getTime() / dayMs) * dayMs
  }

  midnightOf(day: Day): number {
    return this.#midnight + day * dayMs
  }

  dateOf(day: Day): string
  dateOf(day: Day | undefined): string | null
  dateOf(day: Day | undefined): string | null {
    if (day === undefined) return null
    this.#dates.add(day)
    return new Date(this.midnightOf(day)).toISOString().slice(0, 10)
  }

  /** Whether the date before this day is one that the story has used, so that flags may change. */
  isFlagDay(day: Day): boolean {
    return this.#dates.has(day - 1)
  }

  /** Stores the id of a person's key, a group's name, a project's code or a reference. */
  define(name: string, id: string): void {
    this.#ids.set(name, id)
  }

  idOf(name: string): string
  idOf(name: string | undefined): string | null
  idOf(name: string | undefined): string | null {
    if (name === undefined) return null
    const id = this.#ids.get(name)
    if (id === undefined) throw new Error(`The demo data refers to ${name}, which is not defined.`)
    return id
  }

  /** The id of the project whose code a reference such as `DAM-R1` starts with. */
  projectOf(ref: string): string {
    return this.idOf(codeOf(ref))
  }

  locate(ref: string) {
    return { projectId: this.projectOf(ref), id: this.idOf(ref) }
  }
}

export const codeOf = (ref: string) => ref.split('-')[0] ?? ''

/** The service numbers items in the order of their creation, which must match the demo data. */
export function checkRef(expected: string, actual: string): void {
  if (actual !== expected) throw new Error(`The demo data says ${expected}, which is ${actual}.`)
}

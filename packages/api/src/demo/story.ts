import type { Day } from '@muster/demo'

import type { administrator } from '#domain/engine/caller'

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
/** The days before and after the day of seeding on which no one works at weekends. */
const recentDays = 14

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

  /**
   * The day on which a step happens. In the last two weeks a Saturday or Sunday is the Friday
   * before, on every weekday of seeding. Today stays: the newest issue is from this month.
   */
  workdayOf(day: Day): Day {
    if (day === 0 || day < -recentDays) return day
    const weekday = new Date(this.midnightOf(day)).getUTCDay()
    const daysSinceFriday = weekday === 6 ? 1 : weekday === 0 ? 2 : 0
    // Not beyond the first recent day, so that the steps stay in order.
    return Math.max(day - daysSinceFriday, -recentDays)
  }

  dateOf(day: Day): string
  dateOf(day: Day | undefined): string | null
  dateOf(day: Day | undefined): string | null {
    if (day === undefined) return null
    this.#dates.add(day)
    return new Date(this.midnightOf(this.#dueDayOf(day))).toISOString().slice(0, 10)
  }

  /** In the next two weeks, what would be due at a weekend is due on the Monday after. */
  #dueDayOf(day: Day): Day {
    if (day < 1 || day > recentDays) return day
    const weekday = new Date(this.midnightOf(day)).getUTCDay()
    return day + (weekday === 6 ? 2 : weekday === 0 ? 1 : 0)
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

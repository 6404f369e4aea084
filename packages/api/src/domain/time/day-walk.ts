/** The figures of one day after another, from the changes of items. */

import { endOfDay } from '#domain/engine/points'
import { addDays, later } from '#domain/rules/time'
import { type ProjectFigures, selectLastFigures } from '#storage/nouns/daily-figures'
import type { ClosedDay } from '#storage/nouns/days'
import {
  type ItemChange,
  itemChanges,
  type ItemState,
  selectDueTasks,
} from '#storage/nouns/item-changes'
import { selectNumberAt } from '#storage/numbers/points'
import type { Read } from '#storage/statements/access'
import { nil } from '#storage/statements/keyset'
import { uuidOf } from '#storage/values/id'

import {
  addFlow,
  addLevels,
  countedIn,
  isChanged,
  noFigures,
  type Totals,
  totalsFrom,
} from './day-figures.ts'

/**
 * A day ends at midnight in the time zone of the workspace, and begins where the day before ended.
 * So days stay contiguous when the time zone changes: the day after is longer or shorter, and one
 * that would end before the last closed day is empty.
 */
export async function dayAfter(
  read: Read,
  last: ClosedDay | null,
  { day, timeZone, through }: { day: string; timeZone: string; through: number },
): Promise<ClosedDay> {
  const midnight = endOfDay(day, timeZone)
  const endsAt = last !== null && last.endsAt > midnight ? last.endsAt : midnight
  const first = last?.lastSeq ?? 0
  if (first >= through) return { day, endsAt, lastSeq: first }
  const instant = later(endsAt, -1, 'milliseconds')
  const seq = await selectNumberAt(read, { instant, through })
  return { day, endsAt, lastSeq: Math.max(first, seq) }
}

interface WalkedDay {
  readonly changed: readonly ProjectFigures[]
  /** False if a task changed on this day whose state was not kept. */
  readonly hasTaskFigures: boolean
}

/** The tasks that become overdue after a day, by project. */
type DueCounts = Map<string, number>

/**
 * Counts the changes of each day on top of the day before. What becomes overdue without a change is
 * a task: it counts from the day after its due date.
 */
export class DayWalk {
  readonly #start: ClosedDay | null
  #seq: number
  /** The figures of the projects that have changed since the start. */
  readonly #totals = new Map<string, Totals>()
  /** Those that have changed on this day, as they were at its beginning. */
  readonly #opening = new Map<string, Totals>()
  readonly #due = new Map<string, DueCounts>()

  private constructor(start: ClosedDay | null) {
    this.#start = start
    this.#seq = start?.lastSeq ?? 0
  }

  /** Starts after a closed day, for the days until another one. */
  static async after(
    read: Read,
    start: ClosedDay | null,
    { until, through }: { until: string; through: number },
  ): Promise<DayWalk> {
    const walk = new DayWalk(start)
    if (start === null) return walk
    const days = { from: start.day, until, seq: start.lastSeq, through }
    for (const { project, due } of await selectDueTasks(read, days)) walk.#addDue(project, due, 1)
    return walk
  }

  /** The figures that differ from the day before, at the end of the next day. */
  async next(read: Read, { day, lastSeq }: Pick<ClosedDay, 'day' | 'lastSeq'>): Promise<WalkedDay> {
    const overdue = this.#due.get(addDays(day, -1)) ?? new Map<string, number>()
    this.#due.delete(addDays(day, -1))
    await this.#load(read, [...overdue.keys()])
    for (const [project, count] of overdue) this.#open(project).tasks_overdue += count
    let hasTaskFigures = true
    for await (const changes of itemChanges(read, { after: this.#seq, through: lastSeq })) {
      hasTaskFigures &&= changes.every(({ after }) => after !== null)
      await this.#load(read, changes.flatMap(projectsOf))
      for (const change of changes) this.#add(day, change)
    }
    this.#seq = Math.max(this.#seq, lastSeq)
    return { changed: this.#close(), hasTaskFigures }
  }

  /** Reads the figures that these projects had at the start. */
  async #load(read: Read, projects: readonly string[]): Promise<void> {
    const missing = [...new Set(projects)].filter((project) => !this.#totals.has(project))
    if (missing.length === 0) return
    for (const project of missing) this.#totals.set(project, totalsFrom(noFigures))
    if (this.#start === null) return
    const asked = { projects: missing, day: this.#start.day }
    for (const { project, figures } of await selectLastFigures(read, asked))
      this.#totals.set(project, totalsFrom(figures))
  }

  #open(project: string): Totals {
    const totals = this.#totals.get(project) ?? totalsFrom(noFigures)
    this.#totals.set(project, totals)
    if (!this.#opening.has(project)) this.#opening.set(project, totalsFrom(totals))
    return totals
  }

  #add(day: string, change: ItemChange): void {
    const { noun, before, after } = change
    // Without its state, what a change did is not known: the next state shows it.
    if (after === null) return
    for (const id of new Set([before?.project_id, after.project_id, null])) {
      if (id === undefined) continue
      const project = id === null ? nil : uuidOf(id)
      const totals = this.#open(project)
      const [was, is] = [countedIn(id, noun, before), countedIn(id, noun, after)]
      addFlow(totals, { noun, before: was, after: is, status: after.status })
      for (const [state, by] of [
        [was, -1],
        [is, 1],
      ] as const) {
        if (state === null) continue
        addLevels(totals, { noun, state }, by)
        if (noun === 'task') this.#addTask(project, { day, state, by })
      }
    }
  }

  #addTask(
    project: string,
    { day, state, by }: { day: string; state: ItemState; by: 1 | -1 },
  ): void {
    if (state.due_on === null) return
    if (state.due_on < day) this.#open(project).tasks_overdue += by
    else if (project !== nil) this.#addDue(project, state.due_on, by)
  }

  #addDue(project: string, due: string, by: number): void {
    const counts = this.#due.get(due) ?? new Map<string, number>()
    this.#due.set(due, counts)
    for (const each of [project, nil]) counts.set(each, (counts.get(each) ?? 0) + by)
  }

  /** Ends the day. The flows of the next one begin at 0. */
  #close(): ProjectFigures[] {
    const changed: ProjectFigures[] = []
    for (const [project, before] of this.#opening) {
      const totals = this.#totals.get(project) ?? before
      if (isChanged(before, totals)) changed.push({ project, figures: totals })
      this.#totals.set(project, totalsFrom(totals))
    }
    this.#opening.clear()
    return changed
  }
}

const projectsOf = ({ before, after }: ItemChange): string[] => [
  nil,
  ...[before, after].flatMap((state) => (state === null ? [] : [uuidOf(state.project_id)])),
]

/** The figures of a project, and what a change of an item adds to them. */

import { isAccepted, isLive, isOpen } from '@muster/contract'

import { type DailyCounts, flowNames, levelNames } from '#storage/nouns/daily-figures'
import type { ItemChange, ItemState } from '#storage/nouns/item-changes'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** DailyCounts that are being counted. */
export type Totals = Omit<Mutable<DailyCounts>, 'cells'> & { readonly cells: number[] }

const emptyCells: readonly number[] = Array.from({ length: 25 }, () => 0)

const zero = Object.fromEntries([...levelNames, ...flowNames].map((name) => [name, 0]))

// The cast holds because `zero` has all other names.
export const noFigures = { ...zero, cells: emptyCells } as unknown as DailyCounts

const noFlows = Object.fromEntries(flowNames.map((name) => [name, 0]))

/** A day begins with the levels of the day before, and nothing has happened. */
export const totalsFrom = (figures: DailyCounts): Totals => ({
  ...figures,
  ...noFlows,
  cells: [...figures.cells],
})

/** Whether a day has a row of its own. */
export const isChanged = (before: DailyCounts, after: DailyCounts): boolean =>
  flowNames.some((name) => after[name] !== 0) ||
  levelNames.some((name) => before[name] !== after[name]) ||
  before.cells.some((count, index) => count !== after.cells[index])

/** The figures of several projects together. */
export function sumOfFigures(all: readonly DailyCounts[]): DailyCounts {
  const sum = totalsFrom(noFigures)
  for (const figures of all) {
    for (const name of [...levelNames, ...flowNames]) sum[name] += figures[name]
    for (const [index, count] of figures.cells.entries())
      sum.cells[index] = (sum.cells[index] ?? 0) + count
  }
  return sum
}

/** The figures at the end of a later part of a period, with what happened in both parts. */
export function joined(earlier: DailyCounts | undefined, later: DailyCounts): DailyCounts {
  if (earlier === undefined) return later
  const flows = flowNames.map((name) => [name, earlier[name] + later[name]])
  return { ...later, ...Object.fromEntries(flows) }
}

type Noun = ItemChange['noun']

const openTask = new Set(['todo', 'in_progress', 'blocked'])

/** Whether an item counts: a live risk, an open issue, an open task. */
const counts: Readonly<Record<Noun, (status: string) => boolean>> = {
  risk: isLive,
  issue: isOpen,
  task: (status) => openTask.has(status),
}

/** The state of an item, if it counts and is in the project; the whole workspace has none. */
export const countedIn = (
  project: string | null,
  noun: Noun,
  state: ItemState | null,
): ItemState | null =>
  state !== null && (project === null || state.project_id === project) && counts[noun](state.status)
    ? state
    : null

interface Step {
  readonly noun: Noun
  readonly before: ItemState | null
  readonly after: ItemState | null
  /** The status after the change, also of an item that does not count any more. */
  readonly status: string | undefined
}

/** Adds what happened: an item that moves leaves one project and enters the other. */
export function addFlow(totals: Totals, { noun, before, after, status }: Step): void {
  if ((before === null) === (after === null)) return
  if (noun === 'risk') {
    totals[after === null ? 'left' : 'entered'] += 1
    if (after === null && status === 'occurred') totals.occurred += 1
  } else if (noun === 'issue') {
    totals[after === null ? 'issues_closed' : 'issues_opened'] += 1
  } else if (after === null && status === 'done') {
    totals.tasks_done += 1
  }
}

/** Adds an item that counts, or removes it. */
export function addLevels(
  totals: Totals,
  { noun, state }: { readonly noun: Noun; readonly state: ItemState },
  by: 1 | -1,
): void {
  if (noun === 'task') {
    totals.tasks_open += by
    return
  }
  const flags = state.flags ?? []
  if (noun === 'issue') {
    totals.issues_open += by
    if (flags.includes('overdue')) totals.issues_overdue += by
    return
  }
  const cell = ((state.likelihood ?? 1) - 1) * 5 + (state.impact ?? 1) - 1
  totals.cells[cell] = (totals.cells[cell] ?? 0) + by
  if (flags.includes('review_overdue')) totals.reviews_overdue += by
  if (!flags.includes('above_appetite')) return
  totals.above_appetite += by
  const response = state.response ?? ''
  if (isAccepted({ response, flags })) totals.above_appetite_accepted += by
}

import { isDeepStrictEqual } from 'node:util'

import { type Figures, isAccepted } from '@muster/contract'

import { score } from '#domain/rules/score'
import type { LiveIssue, LiveRisk } from '#storage/nouns/live-at'

/** Adds up the figures of live risks and open issues. Pure. */
export class FigureCount {
  readonly #cells = new Map<number, number>()
  #live = 0
  #exposure = 0
  #above = 0
  #aboveNotAccepted = 0
  #reviewsOverdue = 0
  #open = 0
  #overdue = 0

  addRisk(risk: LiveRisk): void {
    const { likelihood, impact, flags } = risk
    const cell = likelihood * 10 + impact
    this.#cells.set(cell, (this.#cells.get(cell) ?? 0) + 1)
    this.#live += 1
    this.#exposure += score(likelihood, impact)
    if (flags.includes('review_overdue')) this.#reviewsOverdue += 1
    if (!flags.includes('above_appetite')) return
    this.#above += 1
    if (!isAccepted(risk)) this.#aboveNotAccepted += 1
  }

  addIssue({ flags }: LiveIssue): void {
    this.#open += 1
    if (flags.includes('overdue')) this.#overdue += 1
  }

  get figures(): Figures {
    return {
      live: this.#live,
      exposure: this.#exposure,
      cells: cellsOf(this.#cells),
      above_appetite: this.#above,
      above_appetite_not_accepted: this.#aboveNotAccepted,
      reviews_overdue: this.#reviewsOverdue,
      issues_open: this.#open,
      issues_overdue: this.#overdue,
    }
  }
}

/** Highest score first, and of these the highest impact. */
const cellsOf = (cells: ReadonlyMap<number, number>) =>
  [...cells]
    .map(([cell, count]) => ({ likelihood: Math.floor(cell / 10), impact: cell % 10, count }))
    .toSorted(
      (a, b) =>
        score(b.likelihood, b.impact) - score(a.likelihood, a.impact) || b.impact - a.impact,
    )

/** What happened between the points. */
export interface Flows {
  readonly issues_opened: number
  readonly issues_closed: number
  readonly tasks_done: number
}

export const noFlows: Flows = { issues_opened: 0, issues_closed: 0, tasks_done: 0 }

export const addFlows = (a: Flows, b: Flows): Flows => ({
  issues_opened: a.issues_opened + b.issues_opened,
  issues_closed: a.issues_closed + b.issues_closed,
  tasks_done: a.tasks_done + b.tasks_done,
})

/** Whether the figures at both points are the same, and nothing happened in between. */
export const isUnchanged = (before: Figures, after: Figures, flows: Flows) =>
  isDeepStrictEqual(before, after) && isDeepStrictEqual(flows, noFlows)

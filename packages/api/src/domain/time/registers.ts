import { rankKey } from '@muster/contract'

import { score } from '#domain/rules/score'
import { type LiveIssue, type LiveRisk, liveRisksAt, openIssuesAt } from '#storage/nouns/live-at'
import type { Read } from '#storage/statements/access'

import { FigureCount } from './figures.ts'

/** What is live at a point: its figures, those of each project, and the ranks. */
export interface RegisterAt {
  readonly total: FigureCount
  readonly byProject: ReadonlyMap<string, FigureCount>
  /** The ranks of the asked risks among all that the view shows; only of live ones. */
  readonly ranks: ReadonlyMap<string, number>
}

interface RegisterQuery {
  readonly seq: number
  /** The risks whose ranks are needed. */
  readonly ranked: ReadonlyMap<string, unknown>
  /** Whether something counts in the figures. */
  readonly isCounted: (item: LiveIssue) => boolean
}

export async function readRegisterAt(
  read: Read,
  { seq, ranked, isCounted }: RegisterQuery,
): Promise<RegisterAt> {
  const total = new FigureCount()
  const byProject = new Map<string, FigureCount>()
  const countsOf = (item: LiveIssue) => {
    if (!isCounted(item)) return []
    const ofProject = byProject.get(item.project_id) ?? new FigureCount()
    byProject.set(item.project_id, ofProject)
    return [total, ofProject]
  }
  // The risks arrive by id, so those of each rank key are in the order of the register.
  const idsByKey = new Map<number, string[]>()
  for await (const risks of liveRisksAt(read, seq)) {
    for (const risk of risks) {
      for (const count of countsOf(risk)) count.addRisk(risk)
      const key = keyOf(risk)
      const ids = idsByKey.get(key)
      if (ids) ids.push(risk.id)
      else idsByKey.set(key, [risk.id])
    }
  }
  for await (const issues of openIssuesAt(read, seq)) {
    for (const issue of issues) {
      for (const count of countsOf(issue)) count.addIssue(issue)
    }
  }
  return { total, byProject, ranks: ranksIn(idsByKey, ranked) }
}

const keyOf = ({ likelihood, impact }: LiveRisk) =>
  rankKey({ score: score(likelihood, impact), impact })

function ranksIn(
  idsByKey: ReadonlyMap<number, readonly string[]>,
  ranked: ReadonlyMap<string, unknown>,
): Map<string, number> {
  const ranks = new Map<string, number>()
  let before = 0
  for (const [, ids] of [...idsByKey].toSorted(([a], [b]) => a - b)) {
    for (const [index, id] of ids.entries()) {
      if (ranked.has(id)) ranks.set(id, before + index + 1)
    }
    before += ids.length
  }
  return ranks
}

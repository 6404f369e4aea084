import type { ChangedRisk, RiskState } from '@muster/contract'

import { daysFromToday } from '#text/dates.ts'

import type { ChangeEntry, Changes } from './queries.ts'

/** How far back the lines of the scores reach, in days. */
const sparkDays = 274

/** The time that the lines of the scores show. */
export const sparkRange = () => ({ from: daysFromToday(-sparkDays), to: Date.now() })

/** The groups of risks whose exposure changed. */
export const moveGroups = ['rose', 'fell', 'entered', 'left'] as const
export type MoveGroup = (typeof moveGroups)[number]

export interface Move {
  readonly risk: ChangedRisk
  readonly group: MoveGroup
}

/** The risks that moved, by group. */
export const movesOf = (risks: Changes['risks']): readonly Move[] =>
  moveGroups.flatMap((group) => byImportance(risks[group]).map((risk) => ({ risk, group })))

/** The highest score of either end first. */
const byImportance = (risks: readonly ChangedRisk[]) =>
  risks.toSorted((a, b) => highest(b) - highest(a) || a.ref.localeCompare(b.ref))

const highest = ({ before, after }: ChangedRisk) => Math.max(scoreOf(before), scoreOf(after))

/** What the risk adds to the exposure: nothing unless it is live. */
const scoreOf = (state: RiskState | null) => (isLive(state) ? state.score : 0)

/** Only live risks have a rank. */
export const isLive = (state: RiskState | null): state is RiskState =>
  state !== null && state.rank !== null

/** By how much the exposure changed. */
export const pointsOf = ({ before, after }: Pick<ChangedRisk, 'before' | 'after'>) =>
  scoreOf(after) - scoreOf(before)

/** At most `max` moves: each group has a turn, so that none hides the others. */
export function pickMoves(moves: readonly Move[], max: number): readonly Move[] {
  const groups = moveGroups.map((each) => moves.filter(({ group }) => group === each))
  const picked = new Set<Move>()
  for (let turn = 0; picked.size < max && turn < moves.length; turn++) {
    for (const group of groups) {
      const move = group[turn]
      if (move !== undefined && picked.size < max) picked.add(move)
    }
  }
  return moves.filter((move) => picked.has(move))
}

type Step = ChangeEntry['steps'][number]

const rated = ['score', 'likelihood', 'impact', 'severity', 'health']
const moved = ['status', 'project_id']

/** The step that put the entry into its group: the last that changed what the group is about. */
export function decisiveStep({ steps }: ChangeEntry, group: string): Step | undefined {
  const isAbout = group === 'left' || group === 'closed' || group === 'entered' ? moved : rated
  return (
    steps.findLast(({ changed }) => changed.some((each) => isAbout.includes(each))) ?? steps.at(-1)
  )
}

/** When the risk left the register; null if it is live. */
export function leftAt(move: Move): number | null {
  if (isLive(move.risk.after)) return null
  return Date.parse(decisiveStep(move.risk, move.group)?.occurred_at ?? '') || null
}

/** The references of issues by the risk that occurred as them. */
export function issueRefs(issues: Changes['issues']): ReadonlyMap<string, string> {
  const became = Object.values(issues).flat()
  return new Map(became.flatMap(({ risk_id, ref }) => (risk_id === null ? [] : [[risk_id, ref]])))
}

import {
  type bases,
  levels,
  liveRiskStatuses,
  type Operations,
  type QueryOf,
  type RegisterEntry,
  type Risk,
  riskFlags,
  type RiskSummary,
} from '@muster/contract'

import type { Caller } from '#domain/engine/caller'
import type { Listing } from '#domain/engine/listing'
import { level, rankRanges, score } from '#domain/rules/score'
import type { DimensionCount } from '#storage/derived/summary-counts'
import { aggregateRollup } from '#storage/lists/rollup'
import { register } from '#storage/nouns/register'
import { countsOfRisk } from '#storage/nouns/risks'
import type { Snapshot } from '#storage/statements/access'
import type { View } from '#storage/statements/view'

import { listByNames } from './named-filters.ts'
import { hasPoints, numberAt } from './past-items.ts'
import { pastRegister } from './past-lists.ts'
import type { PastPlace } from './past-places.ts'
import { countsAtPoint, listAtPoints } from './past-rollup.ts'
import { presentRisk } from './risk-levels.ts'
import {
  countEach,
  countPeople,
  countsIn,
  type RollupAdditions,
  type RollupFields,
  rollupSource,
  summarize,
  sumOf,
} from './rollup.ts'
import { readScores } from './scores.ts'

export type RegisterQuery = QueryOf<Operations['risks']['list']>

export const registerFilter = (view: View, { accepted, ...query }: RegisterQuery) => ({
  projects: view.scope(query.project_id),
  days: { from: query.review_from, before: query.review_before },
  query: { ...query, ...(accepted !== undefined && { accepted: [String(accepted)] }) },
  ranges: rankRanges({
    levels: query.level,
    scoreMin: query.score_min,
    likelihoods: query.likelihood,
    impacts: query.impact,
  }),
})

/** Lists the live risks of all projects by rank. */
export function listRegister(
  caller: Caller<'projects.read'>,
  asked: RegisterQuery,
): Listing<RegisterEntry> {
  const additions = additionsFor(caller, asked)
  const sourceFor = (query: RegisterQuery) =>
    rollupSource(caller, {
      ...additions,
      rollup: register,
      filter: registerFilter(caller.view, query),
      counter: 'live_risks',
      query,
      item: presentRisk,
    })
  if (!hasPoints(asked)) return listByNames(caller, asked, sourceFor)
  const rollup = { past: pastRegister, query: asked, additions, comparedOf }
  return listAtPoints(caller, rollup, () => sourceFor(asked))
}

const comparedOf = ({ value, status }: PastPlace) => ({
  score: value,
  // The cast holds because the places of the list are those of risks.
  status: status as Risk['status'],
})

const additionsFor = (
  caller: Caller<'projects.read'>,
  { include, as_of }: RegisterQuery,
): RollupAdditions<Risk, RollupFields & Pick<RegisterEntry, 'owner'>> => ({
  fields: (given) => given,
  userIdOf: ({ owner_user_id }) => owner_user_id,
  withPerson: (item, nameOf) => ({ ...item, owner: nameOf(item.owner_user_id) }),
  ...(include?.includes('scores') && {
    extend: async (snapshot, risks) => {
      const seq = as_of
        ? await numberAt(caller, snapshot, { parameter: 'as_of', text: as_of })
        : (await snapshot.counters).seq
      return withScores(snapshot, risks, seq)
    },
  }),
})

/** Adds the last scores of each risk up to a number. */
async function withScores<Item extends { readonly id: string }>(
  snapshot: Snapshot,
  risks: Item[],
  seq: number,
): Promise<Item[]> {
  const scores = await readScores(snapshot, { ids: risks.map(({ id }) => id), seq })
  return risks.map((risk) => ({ ...risk, scores: scores.get(risk.id) ?? [] }))
}

type Basis = (typeof bases)[number]

/** Summarises the register. */
export function summarizeRegister(
  caller: Caller<'projects.read'>,
  { basis = 'current', ...query }: RegisterQuery & { readonly basis?: Basis },
): Promise<RiskSummary> {
  const aggregate = (snapshot: Snapshot) =>
    aggregateRollup(snapshot, register, registerFilter(caller.view, query))
  const past = countsAtPoint(caller, { past: pastRegister, query, countsOf: countsOfRisk })
  return summarize(caller, { noun: 'risk', query, aggregate, past }, (counts) => ({
    basis,
    ...matrixOf(counts, basis),
    by_status: countEach(liveRiskStatuses, countsIn(counts, 'status')),
    by_flag: countEach(riskFlags, countsIn(counts, 'flag')),
    above_appetite_not_accepted: countsIn(counts, 'above_appetite').get('not_accepted') ?? 0,
    by_owner: countPeople(counts, 'owner').map(({ userId, count }) => ({
      owner_user_id: userId,
      count,
    })),
  }))
}

function matrixOf(counts: readonly DimensionCount[], basis: Basis) {
  const cells = counts
    .filter(({ dimension }) => dimension === basis)
    .map(({ value, count }) => ({
      likelihood: Number(value[0]),
      impact: Number(value[1]),
      count,
    }))
    .toSorted((a, b) => scoreOf(b) - scoreOf(a) || b.impact - a.impact)
  const by_level = countEach(levels, new Map())
  for (const cell of cells) by_level[level(scoreOf(cell))] += cell.count
  return {
    count: sumOf(countsIn(counts, 'status')),
    rated: cells.reduce((sum, { count }) => sum + count, 0),
    by_level,
    cells,
  }
}

const scoreOf = (cell: { likelihood: number; impact: number }) =>
  score(cell.likelihood, cell.impact)

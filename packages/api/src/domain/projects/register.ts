import {
  type bases,
  type Level,
  levels,
  liveRiskStatuses,
  type RegisterEntry,
  riskFlags,
  type RiskSummary,
} from '@muster/contract'

import type { Caller } from '#domain/caller'
import { filtersIn, listing, type Listing } from '#domain/listing'
import { presentRisk } from '#domain/risks'
import {
  countEach,
  countPeople,
  countsIn,
  peopleNamed,
  ranked,
  summarize,
  sumOf,
} from '#domain/rollup'
import { level, ranksWhere, score } from '#domain/score'
import type { Snapshot } from '#storage/database'
import {
  aggregateRegister,
  countRegister,
  type RegisterFilter,
  selectRegister,
} from '#storage/register'
import type { Counted } from '#storage/tallies'

export interface RegisterQuery {
  readonly id?: readonly string[]
  readonly project_id?: readonly string[]
  /** An id, or `none`. */
  readonly owner_user_id?: readonly string[]
  readonly category?: readonly string[]
  readonly level?: readonly Level[]
  readonly score_min?: number
  readonly likelihood?: readonly number[]
  readonly impact?: readonly number[]
  readonly response?: readonly string[]
  readonly status?: readonly string[]
  readonly flag?: readonly string[]
  readonly tag?: readonly string[]
  readonly q?: string
  readonly include?: readonly string[]
}

export function registerFilter(query: RegisterQuery): RegisterFilter {
  return {
    ids: query.id ?? null,
    projectIds: query.project_id ?? null,
    ownerIds: query.owner_user_id ?? null,
    categories: query.category ?? null,
    responses: query.response ?? null,
    statuses: query.status ?? null,
    flags: query.flag ?? null,
    tags: query.tag ?? null,
    ranks: ranksWhere({
      levels: query.level,
      scoreMin: query.score_min,
      likelihoods: query.likelihood,
      impacts: query.impact,
    }),
    q: query.q ?? null,
  }
}

/** The live risks of all projects, worst first. A query can only narrow it. */
export function listRegister(
  caller: Caller<'projects.read'>,
  query: RegisterQuery,
): Listing<RegisterEntry> {
  const filter = registerFilter(query)
  const isWithPeople = query.include?.includes('people') ?? false
  return listing(caller, {
    counter: filtersIn(query).length > 0 ? null : 'live_risks',
    count: (snapshot, max) => countRegister(snapshot, filter, max),
    select: async (snapshot, page) => {
      const found = await ranked(
        caller.database,
        { snapshot, page },
        {
          select: (rows) => selectRegister(snapshot, filter, rows),
          present: (risk, viewed): RegisterEntry => ({ ...presentRisk(risk), ...viewed }),
        },
      )
      if (!isWithPeople) return found
      const owners = found.items.map(({ owner_user_id }) => owner_user_id)
      const personOf = await peopleNamed(snapshot, owners)
      const items = found.items.map((item) => ({ ...item, owner: personOf(item.owner_user_id) }))
      return { ...found, items }
    },
  })
}

type Basis = (typeof bases)[number]

/** The register in numbers. */
export function summarizeRegister(
  caller: Caller<'projects.read'>,
  { basis = 'current', ...query }: RegisterQuery & { readonly basis?: Basis },
): Promise<RiskSummary> {
  const aggregate = (snapshot: Snapshot) => aggregateRegister(snapshot, registerFilter(query))
  return summarize(caller, { noun: 'risk', query, aggregate }, (counts, { numbers }) => ({
    as_of: numbers.risks,
    basis,
    ...matrixOf(counts, basis),
    by_status: countEach(liveRiskStatuses, countsIn(counts, 'status')),
    by_flag: countEach(riskFlags, countsIn(counts, 'flag')),
    by_owner: countPeople(counts, 'owner').map(({ userId, count }) => ({
      owner_user_id: userId,
      count,
    })),
  }))
}

function matrixOf(counts: readonly Counted[], basis: Basis) {
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

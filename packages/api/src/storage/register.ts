import { type RawBuilder, sql } from 'kysely'

import { aggregate } from './aggregate.ts'
import type { Read } from './database.ts'
import { uuidOf } from './id.ts'
import type { Page } from './keyset.ts'
import {
  containsText,
  countLanes,
  isAmong,
  key,
  type LaneQuery,
  leading,
  type OrderColumn,
  overlaps,
  personKeys,
  type Range,
  selectLanes,
} from './lanes.ts'
import { presentRisk, riskColumns } from './risks.ts'
import type { Counted } from './tallies.ts'

/** What the register is narrowed to; null where nothing was asked. */
export interface RegisterFilter {
  readonly ids: readonly string[] | null
  readonly projectIds: readonly string[] | null
  /** `none` among the owners is nobody. */
  readonly ownerIds: readonly string[] | null
  readonly categories: readonly string[] | null
  readonly responses: readonly string[] | null
  readonly statuses: readonly string[] | null
  readonly flags: readonly string[] | null
  readonly tags: readonly string[] | null
  /** The stretches of `rank_key` that are asked for. */
  readonly ranks: readonly Range[]
  readonly q: string | null
}

/** Worst first: `rank_key` folds score and impact into one ascending number; then oldest first. */
const rank: readonly OrderColumn[] = [
  { name: 'rank_key', type: 'smallint' },
  { name: 'id', type: 'uuid' },
]

/** The live risks of all projects that the filter leaves, ranked. */
export function selectRegister(read: Read, filter: RegisterFilter, page: Page) {
  return selectLanes(read, registerQuery(filter), { page, present: presentRisk })
}

/** How many there are, counted no further than `max` + 1. */
export function countRegister(read: Read, filter: RegisterFilter, max: number) {
  return countLanes(read, registerQuery(filter), max)
}

/** One of the filters leads to the rows by its index; the others are tests on the way. */
function registerQuery(filter: RegisterFilter): LaneQuery {
  const led = leading('risk_marks', [
    key('id', 'uuid', filter.ids?.map(uuidOf) ?? null),
    key('project_id', 'uuid', filter.projectIds?.map(uuidOf) ?? null),
    key('owner_key', 'uuid', personKeys(filter.ownerIds)),
    key('tag', 'mark', filter.tags),
    key('flag', 'mark', filter.flags),
    key('category', 'text', filter.categories),
    key('response', 'text', filter.responses),
    key('status', 'text', filter.statuses),
  ])
  return {
    table: 'risks',
    columns: riskColumns,
    order: rank,
    ranges: filter.ranks,
    only: 'is_live',
    where: tests(filter),
    search: led.keys.length === 0 ? filter.q : null,
    ...led,
  }
}

function tests(filter: RegisterFilter): RawBuilder<unknown>[] {
  return [
    isAmong('id', filter.ids?.map(uuidOf) ?? null, 'uuid'),
    isAmong('project_id', filter.projectIds?.map(uuidOf) ?? null, 'uuid'),
    isAmong('owner_key', personKeys(filter.ownerIds), 'uuid'),
    isAmong('category', filter.categories, 'text'),
    isAmong('response', filter.responses, 'text'),
    isAmong('status', filter.statuses, 'text'),
    overlaps('flags', filter.flags),
    overlaps('tags', filter.tags),
    containsText(filter.q),
  ]
}

/** The register in numbers, under the names that risks are counted by as they are written. */
export function aggregateRegister(read: Read, filter: RegisterFilter): Promise<Counted[]> {
  return aggregate(read, {
    query: registerQuery(filter),
    dimensions: {
      current: sql`likelihood::text || impact::text`,
      inherent: sql`inherent_likelihood::text || inherent_impact::text`,
      target: sql`target_likelihood::text || target_impact::text`,
      status: sql`status`,
      owner: sql`coalesce(owner_user_id::text, 'none')`,
      project: sql`project_id::text`,
    },
  })
}

import type { FilterOf, Operations } from '@muster/contract'
import { sql } from 'kysely'

import type { NameFilter, SummarizedRollup } from '#storage/lists/rollup'
import { dayKey, numberKey, titleKey } from '#storage/lists/sort-keys'

import { presentRisk, riskColumns, type StoredRisk } from './risks.ts'

/** Filters of the rating and the level narrow the range of the rank instead. */
type RankFilter = 'level' | 'score_min' | 'likelihood' | 'impact'
type DayFilter = 'review_from' | 'review_before'
type RegisterFilterName = Exclude<
  FilterOf<Operations['risks']['list']>,
  RankFilter | DayFilter | NameFilter
>

/** The register: live risks of all projects by rank, which is score, then impact, then age. */
export const register: SummarizedRollup<StoredRisk, RegisterFilterName> = {
  table: 'risks',
  columns: riskColumns,
  present: presentRisk,
  order: [
    { name: 'rank_key', type: 'smallint' },
    { name: 'id', type: 'uuid' },
  ],
  only: 'is_live',
  indexRows: 'risk_index_rows',
  filters: {
    id: { column: 'id', kind: 'id' },
    ref: { column: 'ref', kind: 'text' },
    external_id: { column: 'external_id', kind: 'text' },
    project_id: { column: 'project_id', kind: 'id' },
    owner_user_id: { column: 'owner_key', kind: 'person' },
    tag: { column: 'tags', kind: 'label' },
    flag: { column: 'flags', kind: 'label' },
    category: { column: 'category', kind: 'text' },
    response: { column: 'response', kind: 'text' },
    status: { column: 'status', kind: 'text' },
    accepted: { column: 'is_accepted', kind: 'boolean' },
  },
  sorts: {
    score: numberKey('score'),
    title: titleKey('risks'),
    owner: { person: 'owner_key' },
    review_on: dayKey('review_on'),
    updated_at: numberKey('version'),
  },
  day: { column: 'review_on', isOfOrder: false },
  dimensions: {
    current: sql`likelihood::text || impact::text`,
    inherent: sql`inherent_likelihood::text || inherent_impact::text`,
    target: sql`target_likelihood::text || target_impact::text`,
    status: sql`status`,
    owner: sql`coalesce(owner_user_id::text, 'none')`,
    project: sql`project_id::text`,
    above_appetite: sql`case when 'above_appetite' = any(flags)
      then case when is_accepted then 'accepted' else 'not_accepted' end end`,
  },
}

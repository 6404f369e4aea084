import { Type, type Static } from 'typebox'

import { exampleOf, withExample } from '#contract/examples'
import {
  booleanField,
  closedEnum,
  id,
  integer,
  nullable,
  openEnum,
  rating,
  tag,
} from '#contract/field-schemas'
import { filtersOf } from '#contract/fields'
import {
  dayFilters,
  rollupFilters,
  searchFilter,
  sortParameter,
  valuesFilter,
} from '#contract/list-operation'
import { comparedField } from '#contract/points'
import {
  countsByProject,
  countField,
  countsByValue,
  PersonName,
  rollupFields,
} from '#contract/rollup'
import { levels } from '#contract/scale'

import { liveRiskStatuses, riskFields, riskFlags, riskStatuses } from './fields.ts'
import { Risk } from './risk.ts'
import { scoresField } from './scores.ts'

export const RegisterEntry = withExample(
  Type.Object(
    {
      ...Risk.properties,
      ...rollupFields,
      owner: Type.Optional(nullable(PersonName)),
      scores: Type.Optional(scoresField),
      compared: comparedField({
        score: integer(1, 25, { description: 'The score at the point.', example: 16 }),
        status: openEnum(riskStatuses, {
          description: 'The status at the point.',
          example: 'treating',
        }),
      }),
    },
    {
      title: 'RegisterEntry',
      description:
        'A live risk with its project and rank. `include=people` adds the owner, ' +
        '`include=scores` its last scores, and `compare` its place at another point.',
    },
  ),
  exampleOf(Risk) as object,
)
export type RegisterEntry = Static<typeof RegisterEntry>

/** The filters of the register and of its summary. */
export const registerFilters = {
  ...rollupFilters('risks', { id: 'rsk', flags: riskFlags, statuses: liveRiskStatuses }),
  ...filtersOf(riskFields),
  score_min: Type.Optional(
    integer(1, 25, { description: 'Only risks with at least this score.', example: 12 }),
  ),
  accepted: Type.Optional(
    booleanField({
      description:
        'With `true`, only risks with a valid acceptance: the response is `accept`, and the ' +
        'acceptance has not expired. With `false`, only the others.',
      example: true,
    }),
  ),
  ...dayFilters('review', 'risks', 'next review'),
  tag: Type.Optional(valuesFilter(tag, 'Only risks with one of these tags.')),
  q: Type.Optional(searchFilter('the ref or the title', 'uplift')),
}

export const registerSort = {
  sort: Type.Optional(
    sortParameter(
      ['score', 'title', 'owner', 'review_on', 'updated_at'],
      'The sort order: score, title, name of the owner, next review, or last change. Default: the ' +
        'rank. Risks without a value come last. `owner` requires the scope `personnel.read`.',
    ),
  ),
}

export const bases = ['current', 'target', 'inherent'] as const

export const RiskSummary = withExample(
  Type.Object(
    {
      as_of: integer(0, Number.MAX_SAFE_INTEGER, {
        description: 'The sequence number of the register at the time of the count.',
        example: 4711,
      }),
      basis: closedEnum(bases, {
        description: 'The ratings that were counted.',
        example: 'current',
      }),
      count: countField('The number of live risks.'),
      rated: countField('The number of live risks with ratings of this basis.'),
      by_level: countsByValue(levels, 'By level.'),
      cells: Type.Array(
        Type.Object({
          likelihood: rating({ description: 'The likelihood.', example: 4 }),
          impact: rating({ description: 'The impact.', example: 5 }),
          count: countField('The number of risks in this cell.'),
        }),
        { description: 'The non-empty cells of the 5 × 5 matrix, highest score first.' },
      ),
      by_status: countsByValue(liveRiskStatuses, 'By status.'),
      by_flag: countsByValue(riskFlags, 'By flag; a risk can have several.'),
      above_appetite_not_accepted: countField(
        'The number of risks with the flag `above_appetite` and without a valid acceptance.',
      ),
      by_project: countsByProject,
      by_owner: Type.Array(
        Type.Object({
          owner_user_id: nullable(id('usr', 'The user id of the owner, or null for none.')),
          count: countField('The number of risks of this owner.'),
        }),
        { description: 'By owner: the 50 largest counts.' },
      ),
    },
    { title: 'RiskSummary', description: 'The counts of the risk register.' },
  ),
  {
    by_level: { low: 0, medium: 1, high: 1, critical: 1 },
    cells: [
      { likelihood: 4, impact: 5, count: 1 },
      { likelihood: 3, impact: 4, count: 1 },
      { likelihood: 2, impact: 3, count: 1 },
    ],
    by_status: { identified: 1, treating: 2, monitoring: 0 },
    by_flag: { above_appetite: 1, acceptance_expired: 0, review_overdue: 0 },
    above_appetite_not_accepted: 1,
    by_owner: [
      { owner_user_id: exampleOf(PersonName.properties.user_id), count: 2 },
      { owner_user_id: null, count: 1 },
    ],
  },
)
export type RiskSummary = Static<typeof RiskSummary>

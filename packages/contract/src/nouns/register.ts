import { Type, type Static } from 'typebox'

import { exampleOf, withExample } from '#contract/examples'
import {
  booleanField,
  closedEnum,
  id,
  integer,
  nullable,
  userIdOrNone,
  rating,
  tag,
} from '#contract/field-schemas'
import { enumFilter, valuesFilter, rollupFilters, searchFilter } from '#contract/list-operation'
import {
  countsByProject,
  countField,
  countsByValue,
  PersonName,
  rollupFields,
} from '#contract/rollup'
import { levels } from '#contract/scale'

import { liveRiskStatuses, Risk, riskCategories, riskFlags, riskResponses } from './risk.ts'

export const RegisterEntry = withExample(
  Type.Object(
    { ...Risk.properties, ...rollupFields, owner: Type.Optional(nullable(PersonName)) },
    {
      title: 'RegisterEntry',
      description: 'A live risk with its project and rank. `include=people` adds the owner.',
    },
  ),
  exampleOf(Risk) as object,
)
export type RegisterEntry = Static<typeof RegisterEntry>

const ratingFilter = (what: string) =>
  Type.Optional(
    valuesFilter(
      rating({ description: `A rating of the ${what}.`, example: 5 }),
      `Only risks whose ${what} is one of these.`,
    ),
  )

/** The filters of the register and of its summary. */
export const registerFilters = {
  ...rollupFilters('risks', { id: 'rsk', flags: riskFlags, statuses: liveRiskStatuses }),
  owner_user_id: Type.Optional(
    valuesFilter(userIdOrNone, 'Only risks of these owners; `none` for risks without an owner.'),
  ),
  category: Type.Optional(
    enumFilter(riskCategories, 'Only risks with one of these categories.', 'technical'),
  ),
  level: Type.Optional(enumFilter(levels, 'Only risks with one of these levels.', 'critical')),
  score_min: Type.Optional(
    integer(1, 25, { description: 'Only risks with at least this score.', example: 12 }),
  ),
  likelihood: ratingFilter('likelihood'),
  impact: ratingFilter('impact'),
  response: Type.Optional(
    enumFilter(riskResponses, 'Only risks with one of these responses.', 'reduce'),
  ),
  accepted: Type.Optional(
    booleanField({
      description:
        'With `true`, only risks with a valid acceptance: the response is `accept`, and the ' +
        'acceptance has not expired. With `false`, only the others.',
      example: true,
    }),
  ),
  tag: Type.Optional(valuesFilter(tag, 'Only risks with one of these tags.')),
  q: Type.Optional(searchFilter('the ref or the title', 'uplift')),
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

import { Type, type Static } from 'typebox'

import { choice, id, integer, nullable, personOrNone, rating, tag } from './fields.ts'
import { anyOf, anyOfThese, filtersOf, q } from './list.ts'
import { liveRiskStatuses, Risk, riskCategories, riskFlags, riskResponses } from './risk.ts'
import { levels } from './scale.ts'
import { byProject, counted, countsOf, PersonName, viewed } from './view.ts'

export const RegisterEntry = Type.Object(
  { ...Risk.properties, ...viewed, owner: Type.Optional(nullable(PersonName)) },
  {
    title: 'RegisterEntry',
    description: 'A live risk, with its project and its rank; with `include=people`, its owner.',
  },
)
export type RegisterEntry = Static<typeof RegisterEntry>

const ratingFilter = (what: string) =>
  Type.Optional(
    anyOfThese(
      rating({ description: `A rating of the ${what}.`, example: 5 }),
      `Only risks whose ${what} is one of these.`,
    ),
  )

/** What the register and its summary can be narrowed to. */
export const registerFilters = {
  ...filtersOf('risks', { id: 'rsk', flags: riskFlags, statuses: liveRiskStatuses }),
  owner_user_id: Type.Optional(
    anyOfThese(personOrNone, 'Only risks that these people own; `none` for nobody.'),
  ),
  category: Type.Optional(anyOf(riskCategories, 'Only risks of these categories.', 'technical')),
  level: Type.Optional(anyOf(levels, 'Only risks of these levels.', 'critical')),
  score_min: Type.Optional(
    integer(1, 25, { description: 'Only risks with at least this score.', example: 12 }),
  ),
  likelihood: ratingFilter('likelihood'),
  impact: ratingFilter('impact'),
  response: Type.Optional(anyOf(riskResponses, 'Only risks with these responses.', 'reduce')),
  tag: Type.Optional(anyOfThese(tag, 'Only risks with one of these tags.')),
  q: Type.Optional(q('the ref or the title', 'uplift')),
}

export const bases = ['current', 'target', 'inherent'] as const

export const RiskSummary = Type.Object(
  {
    as_of: integer(0, Number.MAX_SAFE_INTEGER, {
      description: 'The sequence number of the register when it was counted.',
      example: 4711,
    }),
    basis: choice(bases, { description: 'Which ratings were counted.', example: 'current' }),
    count: counted('How many live risks there are.'),
    rated: counted('How many of them have ratings of this basis.'),
    by_level: countsOf(levels, 'By level of the score.'),
    cells: Type.Array(
      Type.Object({
        likelihood: rating({ description: 'The likelihood.', example: 4 }),
        impact: rating({ description: 'The impact.', example: 5 }),
        count: counted('How many are in this cell.'),
      }),
      { description: 'The cells of the 5 × 5 matrix that hold any, the worst first.' },
    ),
    by_status: countsOf(liveRiskStatuses, 'By status.'),
    by_flag: countsOf(riskFlags, 'By flag; a risk can have several.'),
    by_project: byProject,
    by_owner: Type.Array(
      Type.Object({
        owner_user_id: nullable(id('usr', 'The user id of the owner; null for nobody.')),
        count: counted('How many of them they own.'),
      }),
      { description: 'By owner: the 50 that have most.' },
    ),
  },
  { title: 'RiskSummary', description: 'The register in numbers.' },
)
export type RiskSummary = Static<typeof RiskSummary>

import { Type } from 'typebox'

import {
  date,
  id,
  integer,
  multiLine,
  nullable,
  openEnum,
  rating,
  timestamp,
} from '#contract/field-schemas'
import { levels } from '#contract/scale'

const known = 'Null if it is not known'

/** An acceptance, as its risk and the list of acceptances have it. */
export const acceptanceFields = {
  accepted_by_user_id: id('usr', 'The user id of the person who accepted the risk.'),
  accepted_at: timestamp({
    description: 'When the risk was accepted.',
    example: '2026-10-15T13:00:00.000Z',
  }),
  expires_on: date({
    description: 'The last day of the acceptance.',
    example: '2027-10-15',
  }),
  rationale: multiLine(5000, {
    description: 'The reason for the acceptance.',
    example: 'Cheaper to repair than to prevent.',
  }),
  risk_appetite: nullable(
    integer(1, 25, {
      description:
        'The risk appetite of the project at that time. Null if it had none, or if `score` is null.',
      example: 10,
    }),
  ),
  likelihood: nullable(
    rating({ description: `The likelihood at that time. ${known}.`, example: 3 }),
  ),
  impact: nullable(rating({ description: `The impact at that time. ${known}.`, example: 4 })),
  score: nullable(
    integer(1, 25, { description: `The score at that time. ${known}.`, example: 12 }),
  ),
  level: nullable(
    openEnum(levels, { description: `The level of that score. ${known}.`, example: 'high' }),
  ),
}

export const RiskAcceptance = Type.Object(acceptanceFields, {
  description: 'Who accepted the risk, why, until when, at which score and under which appetite.',
})

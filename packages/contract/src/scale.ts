import { type Static, Type } from 'typebox'

import { withExample } from './examples.ts'
import { integer, openEnum, singleLine, rating } from './field-schemas.ts'

export const levels = ['low', 'medium', 'high', 'critical'] as const
export type Level = (typeof levels)[number]

/**
 * The rating scale of all projects. It is fixed, because a roll-up over projects with different
 * scales would not be comparable.
 */
export const scale = {
  likelihood: [
    {
      rating: 1,
      label: 'Rare',
      meaning: 'Not expected; less than 5 % in the life of the project.',
    },
    { rating: 2, label: 'Unlikely', meaning: 'Could happen; 5 to 20 %.' },
    { rating: 3, label: 'Possible', meaning: 'May well happen; 20 to 50 %.' },
    { rating: 4, label: 'Likely', meaning: 'More likely than not; 50 to 80 %.' },
    { rating: 5, label: 'Almost certain', meaning: 'Expected; more than 80 %.' },
  ],
  impact: [
    { rating: 1, label: 'Negligible', meaning: 'Absorbed in the daily work.' },
    { rating: 2, label: 'Minor', meaning: 'Felt by one team; made good within the plan.' },
    { rating: 3, label: 'Moderate', meaning: 'Costs time or money that the plan did not foresee.' },
    { rating: 4, label: 'Major', meaning: 'A goal of the project is missed or must change.' },
    {
      rating: 5,
      label: 'Severe',
      meaning: 'The project fails, or someone or something is harmed.',
    },
  ],
  levels: [
    { level: 'low', score_min: 1, score_max: 5 },
    { level: 'medium', score_min: 6, score_max: 11 },
    { level: 'high', score_min: 12, score_max: 19 },
    { level: 'critical', score_min: 20, score_max: 25 },
  ],
} as const

const Rating = Type.Object({
  rating: rating({ description: 'The rating.', example: 4 }),
  label: singleLine(50, { description: 'The label of the rating.', example: 'Likely' }),
  meaning: singleLine(200, {
    description: 'The meaning of the rating.',
    example: 'More likely than not; 50 to 80 %.',
  }),
})

export const Scale = withExample(
  Type.Object(
    {
      likelihood: Type.Array(Rating, {
        description: 'How likely a risk is to occur, from 1 to 5.',
      }),
      impact: Type.Array(Rating, {
        description: 'How much harm a risk would cause, from 1 to 5. Issues use it as severity.',
      }),
      levels: Type.Array(
        Type.Object({
          level: openEnum(levels, { description: 'The level.', example: 'high' }),
          score_min: integer(1, 25, {
            description: 'The lowest score of this level.',
            example: 12,
          }),
          score_max: integer(1, 25, {
            description: 'The highest score of this level.',
            example: 19,
          }),
        }),
        { description: 'The levels of the score, which is likelihood times impact.' },
      ),
    },
    { title: 'Scale', description: 'The rating scale of risks and issues in all projects.' },
  ),
  scale,
)
export type Scale = Static<typeof Scale>

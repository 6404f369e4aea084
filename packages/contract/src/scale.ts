import { type Static, Type } from 'typebox'

import { integer, known, line, rating } from './fields.ts'

export const levels = ['low', 'medium', 'high', 'critical'] as const
export type Level = (typeof levels)[number]

/**
 * The one scale of all projects. It is fixed: a roll-up over projects that each rate in their own
 * way would mean nothing.
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
  label: line(50, { description: 'What it is called.', example: 'Likely' }),
  meaning: line(200, {
    description: 'What it means.',
    example: 'More likely than not; 50 to 80 %.',
  }),
})

export const Scale = Type.Object(
  {
    likelihood: Type.Array(Rating, {
      description: 'How likely a risk is to come true, from 1 to 5.',
    }),
    impact: Type.Array(Rating, {
      description: 'How much harm it would do, from 1 to 5. Issues use it as their severity.',
    }),
    levels: Type.Array(
      Type.Object({
        level: known(levels, { description: 'The level.', example: 'high' }),
        score_min: integer(1, 25, { description: 'The lowest score of this level.', example: 12 }),
        score_max: integer(1, 25, { description: 'The highest score of this level.', example: 19 }),
      }),
      { description: 'The level that a score, likelihood times impact, belongs to.' },
    ),
  },
  { title: 'Scale', description: 'The scale that risks and issues of all projects are rated on.' },
)
export type Scale = Static<typeof Scale>

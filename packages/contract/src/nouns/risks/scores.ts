import { Type, type Static } from 'typebox'

import { integer, timestamp } from '#contract/field-schemas'
import type { Include } from '#contract/operation'

/** The last changes of a score that `include=scores` shows, and the score before them. */
export const scoreChangesMax = 12

/** The most risks of a page with their scores. */
export const scoresPageMax = 100

const ScoreChange = Type.Object(
  {
    score: integer(1, 25, { description: 'The score.', example: 12 }),
    changed_at: timestamp({
      description: 'Since when the risk had this score.',
      example: '2026-10-15T13:00:00.000Z',
    }),
  },
  { title: 'ScoreChange', description: 'A score that a risk had.' },
)
export type ScoreChange = Static<typeof ScoreChange>

export const scoresField = Type.Array(ScoreChange, {
  maxItems: scoreChangesMax + 1,
  description:
    `The last ${scoreChangesMax} changes of the score, oldest first, after the score before ` +
    'them. Of a risk that changed often, those of its last 100 changes.',
})

/** The value of `include`: it needs nothing beyond the risks. */
export const scoresInclude = {
  scores: {
    collections: [],
    scope: 'projects.read',
    fields: ['scores'],
    limitMax: scoresPageMax,
  },
} as const satisfies Record<string, Include>

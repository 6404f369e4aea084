import { Type } from 'typebox'

import { choice, date, id, nullable, prose, rating } from './fields.ts'
import { Issue } from './issue.ts'
import { Risk, riskCloseReasons } from './risk.ts'

const note = (example: string) =>
  prose(5000, { description: 'What was said about it, kept in the history.', example })

export const ReviewRisk = Type.Object(
  {
    likelihood: Type.Optional(
      rating({ description: 'The new likelihood; unchanged when left out.', example: 2 }),
    ),
    impact: Type.Optional(
      rating({ description: 'The new impact; unchanged when left out.', example: 4 }),
    ),
    note: note('Drains inspected and found clear; likelihood down.'),
    review_on: Type.Optional(
      nullable(
        date({
          description: 'When to look again; left out: no day is set.',
          example: '2027-04-15',
        }),
      ),
    ),
  },
  {
    additionalProperties: false,
    title: 'ReviewRisk',
    description: 'What the review found. Another rating changes the score.',
    examples: [{ likelihood: 2, note: 'Drains inspected.', review_on: '2027-04-15' }],
  },
)

export const AcceptRisk = Type.Object(
  {
    accepted_by_user_id: id('usr', 'The user id of whoever accepts it.'),
    expires_on: date({
      description: 'The last day the acceptance holds, not in the past.',
      example: '2036-10-15',
    }),
    rationale: prose(5000, {
      description: 'Why it is accepted.',
      example: 'Cheaper to repair than to prevent.',
    }),
  },
  {
    additionalProperties: false,
    title: 'AcceptRisk',
    description: 'By whom, why and until when the risk is accepted as it is.',
  },
)

export const OccurRisk = Type.Object(
  { note: Type.Optional(note('The slab lifted in the night of the 14th.')) },
  {
    additionalProperties: false,
    title: 'OccurRisk',
    description: 'What happened. May be left out.',
  },
)

export const CloseRisk = Type.Object(
  {
    close_reason: choice(riskCloseReasons, {
      description: 'Why it is closed.',
      example: 'treated',
    }),
    close_note: Type.Optional(
      nullable(
        prose(5000, { description: 'What there is to say about it.', example: 'Drains renewed.' }),
      ),
    ),
  },
  {
    additionalProperties: false,
    title: 'CloseRisk',
    description: 'Why the risk leaves the register.',
  },
)

export const ReopenRisk = Type.Object(
  { note: Type.Optional(note('Seepage was measured again.')) },
  { additionalProperties: false, title: 'ReopenRisk', description: 'Why. May be left out.' },
)

export const Occurrence = Type.Object(
  { risk: Risk, issue: Issue },
  { title: 'Occurrence', description: 'The risk that came true, and the issue it became.' },
)

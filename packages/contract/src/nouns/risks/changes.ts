import { Type } from 'typebox'

import { exampleOf, withExample } from '#contract/examples'
import {
  closedEnum,
  date,
  id,
  nullable,
  multiLine,
  otherExampleId,
  rating,
} from '#contract/field-schemas'
import { Issue } from '#contract/nouns/issues/issue'

import { riskCloseReasons } from './fields.ts'
import { Risk } from './risk.ts'

const note = (example: string) =>
  multiLine(5000, { description: 'A note for the history.', example })

export const ReviewRisk = Type.Object(
  {
    likelihood: Type.Optional(
      rating({ description: 'The new likelihood. Unchanged if omitted.', example: 2 }),
    ),
    impact: Type.Optional(
      rating({ description: 'The new impact. Unchanged if omitted.', example: 4 }),
    ),
    note: note('Drains inspected and found clear; likelihood down.'),
    review_on: Type.Optional(
      nullable(
        date({
          description: 'The next review date. Cleared if omitted.',
          example: '2027-04-15',
        }),
      ),
    ),
  },
  {
    additionalProperties: false,
    title: 'ReviewRisk',
    description: 'The result of the review. A new rating changes the score.',
    examples: [{ likelihood: 2, note: 'Drains inspected.', review_on: '2027-04-15' }],
  },
)

export const AcceptRisk = Type.Object(
  {
    accepted_by_user_id: {
      ...id('usr', 'The user id of the person who accepts the risk.'),
      examples: [otherExampleId('usr')],
    },
    expires_on: date({
      description: 'The last day of the acceptance, not in the past.',
      example: '2036-10-15',
    }),
    rationale: multiLine(5000, {
      description: 'The reason for the acceptance.',
      example: 'Cheaper to repair than to prevent.',
    }),
  },
  {
    additionalProperties: false,
    title: 'AcceptRisk',
    description: 'Who accepts the risk, why and until when.',
  },
)

export const OccurRisk = Type.Object(
  { note: Type.Optional(note('The slab lifted in the night of the 14th.')) },
  {
    additionalProperties: false,
    title: 'OccurRisk',
    description: 'An optional note.',
  },
)

export const CloseRisk = Type.Object(
  {
    close_reason: closedEnum(riskCloseReasons, {
      description: 'The reason for closing.',
      example: 'treated',
    }),
    close_note: Type.Optional(
      nullable(
        multiLine(5000, {
          description: 'A note on the closing.',
          example: 'Drains renewed.',
        }),
      ),
    ),
  },
  {
    additionalProperties: false,
    title: 'CloseRisk',
    description: 'The reason for closing the risk.',
  },
)

export const ReopenRisk = Type.Object(
  { note: Type.Optional(note('Seepage was measured again.')) },
  { additionalProperties: false, title: 'ReopenRisk', description: 'An optional note.' },
)

export const Occurrence = withExample(
  Type.Object(
    { risk: Risk, issue: Issue },
    { title: 'Occurrence', description: 'The risk that occurred and the issue it became.' },
  ),
  {
    risk: {
      status: 'occurred',
      issue_ids: [exampleOf(Issue.properties.id)],
      occurred_at: '2026-11-20T07:40:00.000Z',
      updated_at: '2026-11-20T07:40:00.000Z',
    },
    issue: {
      title: 'Uplift under the stilling basin',
      description: 'Drains are clogged; at high water the slab could lift and crack.',
      due_on: null,
      status: 'open',
      risk_id: exampleOf(Risk.properties.id),
      tags: ['groundwater'],
      updated_at: '2026-11-20T07:40:00.000Z',
    },
  },
)

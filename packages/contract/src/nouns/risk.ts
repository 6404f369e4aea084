import { Type, type Static } from 'typebox'

import { exampleOf, withExample } from '#contract/examples'
import {
  closedEnum,
  date,
  id,
  timestamp,
  integer,
  openEnum,
  auditFields,
  evidenceLinks,
  evidenceLinksInput,
  singleLine,
  list,
  labelFields,
  Metadata,
  MetadataPatch,
  nullable,
  multiLine,
  rating,
  tags,
} from '#contract/field-schemas'
import { createSchema, patchSchema } from '#contract/input-schemas'
import { levels } from '#contract/scale'

/** Live risks are on the register; occurred and closed risks are not. */
export const liveRiskStatuses = ['identified', 'treating', 'monitoring'] as const
export const closedRiskStatuses = ['occurred', 'closed'] as const
export const riskStatuses = [...liveRiskStatuses, ...closedRiskStatuses] as const
export const riskCategories = [
  'technical',
  'external',
  'organizational',
  'delivery',
  'financial',
  'legal',
  'security',
  'people',
  'other',
] as const
export const riskResponses = ['undecided', 'avoid', 'reduce', 'transfer', 'accept'] as const
export const riskCloseReasons = [
  'treated',
  'no_longer_possible',
  'avoided',
  'duplicate',
  'rejected',
  'other',
] as const
export const riskFlags = ['above_appetite', 'acceptance_expired', 'review_overdue'] as const

const score = (description: string, example = 12) => integer(1, 25, { description, example })

const likelihoodAndImpact = (what: string) => ({
  likelihood: rating({ description: `The likelihood ${what}.`, example: 3 }),
  impact: rating({ description: `The impact ${what}.`, example: 4 }),
})

const ratings = (what: string) => ({
  ...likelihoodAndImpact(what),
  score: score(`The score ${what}: likelihood times impact.`),
})

/** A client may send the score as it was read; it must be the product of the ratings. */
const ratingsInput = (what: string) => ({
  ...likelihoodAndImpact(what),
  score: Type.Optional(score(`The score ${what}. Optional.`)),
})

const inherent = 'before any treatment'
const target = 'that the treatment aims for'
const dueOn = nullable(
  date({ description: 'The date by which to reach the target.', example: '2027-06-30' }),
)

const about = {
  title: singleLine(200, {
    description: 'A one-line summary of the risk.',
    example: 'Uplift under the stilling basin',
  }),
  description: nullable(
    multiLine(5000, {
      description: 'Cause, event and consequence.',
      example: 'Drains are clogged; at high water the slab could lift and crack.',
    }),
  ),
  owner_user_id: nullable(id('usr', 'The user id of the owner.')),
  review_on: nullable(date({ description: 'The date of the next review.', example: '2027-01-15' })),
}

export const Risk = withExample(
  Type.Object(
    {
      id: id('rsk', 'The id of this risk.'),
      ref: singleLine(24, {
        description: 'The reference: the project code and a number that is never reused.',
        example: 'DAM-R12',
      }),
      project_id: id('prj', 'The id of its project.'),
      ...about,
      category: openEnum(riskCategories, {
        description: 'The category of the risk.',
        example: 'technical',
      }),
      status: openEnum(riskStatuses, {
        description: 'The status of the risk. Identified, treating and monitoring are live.',
        example: 'treating',
      }),
      response: openEnum(riskResponses, {
        description: 'The risk response. An accepted risk stays live.',
        example: 'reduce',
      }),
      ...ratings('at present'),
      level: openEnum(levels, { description: 'The level of the score.', example: 'high' }),
      inherent: nullable(
        Type.Object(ratings(inherent), {
          description: 'The inherent rating, before any treatment.',
        }),
      ),
      target: nullable(
        Type.Object(
          { ...ratings(target), due_on: dueOn },
          { description: 'The target rating of the treatment.' },
        ),
      ),
      last_reviewed_at: nullable(
        timestamp({
          description: 'When the risk was last reviewed.',
          example: '2026-10-15T13:00:00.000Z',
        }),
      ),
      acceptance: nullable(
        Type.Object(
          {
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
          },
          { description: 'Who accepted the risk, why and until when.' },
        ),
      ),
      previous_score: nullable(score('The score before its last change.', 16)),
      score_changed_at: nullable(
        timestamp({
          description: 'When the score last changed.',
          example: '2026-10-15T13:00:00.000Z',
        }),
      ),
      issue_ids: list(
        id('iss', 'The id of an issue.'),
        100,
        'The ids of the issues that the risk became, sorted.',
      ),
      occurred_at: nullable(
        timestamp({
          description: 'When the risk last occurred.',
          example: '2026-11-20T07:40:00.000Z',
        }),
      ),
      closed_at: nullable(
        timestamp({
          description: 'When the risk was closed.',
          example: '2026-11-20T10:00:00.000Z',
        }),
      ),
      close_reason: nullable(
        openEnum(riskCloseReasons, { description: 'The reason for closing.', example: 'treated' }),
      ),
      close_note: nullable(
        multiLine(5000, {
          description: 'A note on the closing.',
          example: 'Drains renewed.',
        }),
      ),
      ...labelFields(riskFlags, 'review_overdue'),
      ...auditFields('the risk'),
    },
    {
      title: 'Risk',
      description: 'A risk of a project. Live risks are entries of the risk register.',
    },
  ),
  {
    inherent: { likelihood: 4, score: 16 },
    target: { likelihood: 1, score: 4 },
    acceptance: null,
    issue_ids: [],
    occurred_at: null,
    closed_at: null,
    close_reason: null,
    close_note: null,
    flags: [],
    metadata: {},
    updated_at: '2026-10-15T13:00:00.000Z',
  },
)
export type Risk = Static<typeof Risk>

/** The fields that a client sets on creation and changes with PATCH. */
const writable = {
  ...about,
  category: closedEnum(riskCategories, {
    description: 'The category of the risk.',
    example: 'technical',
  }),
  status: closedEnum(liveRiskStatuses, {
    description: 'The status. Use `occur` or `close` to remove the risk from the register.',
    example: 'treating',
  }),
  response: closedEnum(riskResponses, {
    description: 'The risk response. Use `accept` to accept the risk.',
    example: 'reduce',
  }),
  inherent: nullable(
    Type.Object(ratingsInput(inherent), {
      additionalProperties: false,
      description: 'The inherent rating, before any treatment.',
    }),
  ),
  target: nullable(
    Type.Object(
      { ...ratingsInput(target), due_on: Type.Optional(dueOn) },
      { additionalProperties: false, description: 'The target rating of the treatment.' },
    ),
  ),
  tags,
  links: evidenceLinksInput,
  metadata: Metadata,
}

const now = likelihoodAndImpact('at present')

export const NewRisk = createSchema({ title: about.title, ...now }, writable, {
  title: 'NewRisk',
  description: 'A risk to create. Default: status identified, response undecided, category other.',
  example: {
    title: 'Uplift under the stilling basin',
    likelihood: 3,
    impact: 4,
    category: 'technical',
    response: 'reduce',
    target: { likelihood: 1, impact: 4, due_on: '2027-06-30' },
    review_on: '2027-01-15',
    tags: ['groundwater'],
    links: exampleOf(evidenceLinks),
  },
})
export type NewRisk = Static<typeof NewRisk>

/** PATCH accepts a status that is not live only if the risk already has it. */
const anyStatus = closedEnum(riskStatuses, {
  description: 'Identified, treating or monitoring. Other operations set the other statuses.',
  example: 'treating',
})

const partialRatings = (what: string) => ({
  likelihood: Type.Optional(ratingsInput(what).likelihood),
  impact: Type.Optional(ratingsInput(what).impact),
  score: ratingsInput(what).score,
})

/** A merge patch may contain a part of an object; the rest is unchanged. */
const patchable = {
  ...writable,
  status: anyStatus,
  inherent: nullable(
    Type.Object(partialRatings(inherent), {
      additionalProperties: false,
      description: 'The inherent rating, before any treatment.',
    }),
  ),
  target: nullable(
    Type.Object(
      { ...partialRatings(target), due_on: Type.Optional(dueOn) },
      { additionalProperties: false, description: 'The target rating of the treatment.' },
    ),
  ),
  metadata: MetadataPatch,
}

export const RiskPatch = patchSchema(Risk, patchable, {
  title: 'RiskPatch',
  description: 'A JSON merge patch. Use `review` to change the rating.',
  example: { status: 'treating', response: 'reduce' },
})
export type RiskPatch = Static<typeof RiskPatch>

/** A row of a batch: with an `id` it updates that risk, without one it creates a risk. */
export const RiskRow = patchSchema(
  Risk,
  { ...writable, status: anyStatus, ...now },
  {
    title: 'RiskRow',
    description:
      'With `id`, the row updates that risk; a new likelihood or impact counts as a review. ' +
      'Without `id`, it creates a risk and read-only fields are ignored.',
    example: { title: 'Cofferdam overtopped', likelihood: 2, impact: 5, tags: ['flood'] },
  },
)
export type RiskRow = Static<typeof RiskRow>

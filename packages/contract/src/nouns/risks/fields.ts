import { Type } from 'typebox'

import {
  closedEnum,
  date,
  earlierTime,
  flagList,
  id,
  integer,
  list,
  multiLine,
  nullable,
  openEnum,
  rating,
  singleLine,
  timestamp,
  userIdOrNone,
} from '#contract/field-schemas'
import {
  auditedFields,
  choice,
  externalIdField,
  filtered,
  initially,
  linksField,
  metadataField,
  optional,
  readOnly,
  refField,
  required,
  tagsField,
  withDefault,
} from '#contract/fields'
import { enumFilter, valuesFilter } from '#contract/list-operation'
import { levels } from '#contract/scale'

import { RiskAcceptance } from './acceptance.ts'

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

const likelihoodOf = (what: string) =>
  rating({ description: `The likelihood ${what}.`, example: 3 })
const impactOf = (what: string) => rating({ description: `The impact ${what}.`, example: 4 })
const scoreOf = (what: string) => score(`The score ${what}: likelihood times impact.`)

const ratings = (what: string) => ({
  likelihood: likelihoodOf(what),
  impact: impactOf(what),
  score: scoreOf(what),
})

/** A client may send the score as it was read; it must be the product of the ratings. */
const ratingsInput = (what: string) => ({
  likelihood: likelihoodOf(what),
  impact: impactOf(what),
  score: Type.Optional(score(`The score ${what}. Optional.`)),
})

/** A merge patch may contain a part of an object; the rest is unchanged. */
const ratingsPatch = (what: string) => ({
  likelihood: Type.Optional(likelihoodOf(what)),
  impact: Type.Optional(impactOf(what)),
  score: ratingsInput(what).score,
})

const now = 'at present'
const before = 'before any treatment'
const aim = 'that the treatment aims for'
const dueOn = nullable(
  date({ description: 'The date by which to reach the target.', example: '2027-06-30' }),
)
const inherentAbout = { description: 'The inherent rating, before any treatment.' }
const targetAbout = { description: 'The target rating of the treatment.' }
const strict = { additionalProperties: false }

/** A review changes the rating, and so does a row of a batch. */
const reviewed = { patch: null } as const

const ratingFilter = (what: string) =>
  valuesFilter(
    rating({ description: `A rating of the ${what}.`, example: 5 }),
    `Only risks whose ${what} is one of these.`,
  )

const closeNote = multiLine(5000, {
  description: 'A note on the closing.',
  example: 'Drains renewed.',
})

/** The fields of a risk, in the order of responses. */
export const riskFields = {
  id: readOnly(id('rsk', 'The id of this risk.')),
  ref: refField('risks', 'DAM-R12'),
  project_id: readOnly(id('prj', 'The id of its project.')),
  title: required(
    singleLine(200, {
      description: 'A one-line summary of the risk.',
      example: 'Uplift under the stilling basin',
    }),
  ),
  description: optional(
    multiLine(5000, {
      description: 'Cause, event and consequence.',
      example: 'Drains are clogged; at high water the slab could lift and crack.',
    }),
  ),
  owner_user_id: filtered(
    optional(id('usr', 'The user id of the owner.')),
    valuesFilter(userIdOrNone, 'Only risks of these owners; `none` for risks without an owner.'),
  ),
  review_on: optional(date({ description: 'The date of the next review.', example: '2027-01-15' })),
  category: filtered(
    choice('other', riskCategories, {
      description: 'The category of the risk.',
      example: 'technical',
    }),
    enumFilter(riskCategories, 'Only risks with one of these categories.', 'technical'),
  ),
  status: withDefault(
    'identified',
    openEnum(riskStatuses, {
      description: 'The status of the risk. Identified, treating and monitoring are live.',
      example: 'treating',
    }),
    {
      create: closedEnum([...liveRiskStatuses, 'closed'] as const, {
        description:
          'The status. With `closed`, which needs a `close_reason`, the risk is created closed.',
        example: 'treating',
      }),
      ...anyStatus(),
    },
  ),
  response: filtered(
    withDefault(
      'undecided',
      openEnum(riskResponses, {
        description: 'The risk response. An accepted risk stays live.',
        example: 'reduce',
      }),
      {
        create: closedEnum(riskResponses, {
          description: 'The risk response. Use `accept` to accept the risk.',
          example: 'reduce',
        }),
      },
    ),
    enumFilter(riskResponses, 'Only risks with one of these responses.', 'reduce'),
  ),
  likelihood: filtered(required(likelihoodOf(now), reviewed), ratingFilter('likelihood')),
  impact: filtered(required(impactOf(now), reviewed), ratingFilter('impact')),
  score: readOnly(scoreOf(now)),
  level: filtered(
    readOnly(openEnum(levels, { description: 'The level of the score.', example: 'high' })),
    enumFilter(levels, 'Only risks with one of these levels.', 'critical'),
  ),
  inherent: withDefault(null, nullable(Type.Object(ratings(before), inherentAbout)), {
    create: nullable(Type.Object(ratingsInput(before), { ...strict, ...inherentAbout })),
    patch: nullable(Type.Object(ratingsPatch(before), { ...strict, ...inherentAbout })),
  }),
  target: withDefault(
    null,
    nullable(Type.Object({ ...ratings(aim), due_on: dueOn }, targetAbout)),
    {
      create: nullable(
        Type.Object(
          { ...ratingsInput(aim), due_on: Type.Optional(dueOn) },
          { ...strict, ...targetAbout },
        ),
      ),
      patch: nullable(
        Type.Object(
          { ...ratingsPatch(aim), due_on: Type.Optional(dueOn) },
          { ...strict, ...targetAbout },
        ),
      ),
    },
  ),
  identified_at: initially(
    timestamp({
      description:
        'When the risk was identified. Risks of equal rank are in this order. A new risk can ' +
        'state it; it cannot be corrected later.',
      example: '2026-02-12T09:30:00.000Z',
    }),
    earlierTime({
      description:
        'When the risk was identified. Default: now. It decides the order among risks of equal ' +
        'rank, and cannot be corrected later.',
      example: '2026-02-12',
    }),
  ),
  last_reviewed_at: initially(
    nullable(
      timestamp({
        description: 'When the risk was last reviewed.',
        example: '2026-10-15T13:00:00.000Z',
      }),
    ),
    nullable(
      earlierTime({
        description: 'When the risk was last reviewed. Not before `identified_at`.',
        example: '2026-10-15T15:00:00+02:00',
      }),
    ),
  ),
  acceptance: readOnly(nullable(RiskAcceptance)),
  previous_score: readOnly(nullable(score('The score before its last change.', 16))),
  score_changed_at: readOnly(
    nullable(
      timestamp({
        description: 'When the score last changed.',
        example: '2026-10-15T13:00:00.000Z',
      }),
    ),
  ),
  issue_ids: readOnly(
    list(
      id('iss', 'The id of an issue.'),
      100,
      'The ids of the issues that the risk became, sorted.',
    ),
  ),
  occurred_at: readOnly(
    nullable(
      timestamp({
        description: 'When the risk last occurred.',
        example: '2026-11-20T07:40:00.000Z',
      }),
    ),
  ),
  closed_at: initially(
    nullable(
      timestamp({ description: 'When the risk was closed.', example: '2026-11-20T10:00:00.000Z' }),
    ),
    nullable(
      earlierTime({
        description:
          'When the risk was closed, with the status `closed`. Default: now. Not before ' +
          '`identified_at` and `last_reviewed_at`.',
        example: '2026-11-20',
      }),
    ),
  ),
  close_reason: initially(
    nullable(
      openEnum(riskCloseReasons, { description: 'The reason for closing.', example: 'treated' }),
    ),
    nullable(
      closedEnum(riskCloseReasons, {
        description: 'The reason for closing. Required with the status `closed`.',
        example: 'treated',
      }),
    ),
  ),
  close_note: initially(nullable(closeNote), nullable(closeNote)),
  flags: readOnly(flagList(riskFlags, 'review_overdue')),
  external_id: externalIdField('risk', 'risks', 'RT-112'),
  tags: tagsField,
  links: linksField,
  metadata: metadataField,
  ...auditedFields('the risk'),
}

/** PATCH and a row accept a status that is not live only if the risk already has it. */
function anyStatus() {
  const status = closedEnum(riskStatuses, {
    description: 'Identified, treating or monitoring. Other operations set the other statuses.',
    example: 'treating',
  })
  return { patch: status, row: status }
}

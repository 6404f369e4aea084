import { Type, type Static } from 'typebox'

import {
  choice,
  date,
  id,
  instant,
  integer,
  known,
  lifetime,
  line,
  list,
  marks,
  Metadata,
  MetadataPatch,
  nullable,
  prose,
  rating,
  tags,
} from './fields.ts'
import { newOf, patchOf } from './patch.ts'
import { levels } from './scale.ts'

/** The live ones; a risk that occurred or was closed is off the register. */
export const liveRiskStatuses = ['identified', 'treating', 'monitoring'] as const
export const riskStatuses = [...liveRiskStatuses, 'occurred', 'closed'] as const
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

const pair = (what: string) => ({
  likelihood: rating({ description: `The likelihood ${what}.`, example: 3 }),
  impact: rating({ description: `The impact ${what}.`, example: 4 }),
})

const ratings = (what: string) => ({
  ...pair(what),
  score: score(`The score ${what}: likelihood times impact.`),
})

/** A score may be sent along with its ratings, as it was read; it must then be their product. */
const given = (what: string) => ({
  ...pair(what),
  score: Type.Optional(score(`The score ${what}; may be left out.`)),
})

const before = 'before anything was done'
const aimed = 'that is aimed for'
const dueOn = nullable(
  date({ description: 'When the target is to be reached.', example: '2025-06-30' }),
)

const about = {
  title: line(200, {
    description: 'The risk in one line.',
    example: 'Uplift under the stilling basin',
  }),
  description: nullable(
    prose(5000, {
      description: 'Cause, event and consequence.',
      example: 'Drains are clogged; at high water the slab could lift and crack.',
    }),
  ),
  owner_user_id: nullable(id('usr', 'The user id of the person who answers for it.')),
  review_on: nullable(
    date({ description: 'When it is to be reviewed next.', example: '2025-01-15' }),
  ),
}

export const Risk = Type.Object(
  {
    id: id('rsk', 'The id of this risk.'),
    ref: line(24, {
      description: 'What people call it: the project code and a number, never used again.',
      example: 'DAM-R12',
    }),
    project_id: id('prj', 'The project it belongs to.'),
    ...about,
    category: known(riskCategories, { description: 'What kind it is.', example: 'technical' }),
    status: known(riskStatuses, {
      description: 'Where the risk is in its life. Identified, treating and monitoring are live.',
      example: 'treating',
    }),
    response: known(riskResponses, {
      description: 'What was decided to do about it. An accepted risk stays live.',
      example: 'reduce',
    }),
    ...ratings('as it stands now'),
    level: known(levels, { description: 'The level of the score.', example: 'high' }),
    inherent: nullable(
      Type.Object(ratings(before), {
        description: 'How it was rated before anything was done about it.',
      }),
    ),
    target: nullable(
      Type.Object(
        { ...ratings(aimed), due_on: dueOn },
        { description: 'Where its treatment is to bring it.' },
      ),
    ),
    last_reviewed_at: nullable(
      instant({ description: 'When it was last reviewed.', example: '2024-10-15T13:00:00.000Z' }),
    ),
    acceptance: nullable(
      Type.Object(
        {
          accepted_by_user_id: id('usr', 'The user id of whoever accepted it.'),
          accepted_at: instant({
            description: 'When it was accepted.',
            example: '2024-10-15T13:00:00.000Z',
          }),
          expires_on: date({
            description: 'The last day the acceptance holds.',
            example: '2025-10-15',
          }),
          rationale: prose(5000, {
            description: 'Why it is accepted.',
            example: 'Cheaper to repair than to prevent.',
          }),
        },
        { description: 'By whom, why and until when the risk is accepted as it is.' },
      ),
    ),
    previous_score: nullable(score('The score before it last changed.', 16)),
    score_changed_at: nullable(
      instant({
        description: 'When the score last changed.',
        example: '2024-10-15T13:00:00.000Z',
      }),
    ),
    issue_ids: list(id('iss', 'The id of an issue.'), 100, 'The issues it led to, sorted.'),
    closed_at: nullable(
      instant({ description: 'When it was closed.', example: '2024-11-20T10:00:00.000Z' }),
    ),
    close_reason: nullable(
      known(riskCloseReasons, { description: 'Why it was closed.', example: 'treated' }),
    ),
    close_note: nullable(
      prose(5000, { description: 'What there is to say about it.', example: 'Drains renewed.' }),
    ),
    ...marks(riskFlags, 'review_overdue'),
    ...lifetime('the risk', 'entered'),
  },
  { title: 'Risk', description: 'An entry of the risk register.' },
)
export type Risk = Static<typeof Risk>

/** What can be said when a risk is entered, and changed by PATCH. */
const writable = {
  ...about,
  category: choice(riskCategories, { description: 'What kind it is.', example: 'technical' }),
  status: choice(liveRiskStatuses, {
    description: 'Where it is in its life. Leaving the register is an operation of its own.',
    example: 'treating',
  }),
  response: choice(riskResponses, {
    description: 'What was decided to do about it. To accept it is an operation of its own.',
    example: 'reduce',
  }),
  inherent: nullable(
    Type.Object(given(before), {
      additionalProperties: false,
      description: 'How it was rated before anything was done about it.',
    }),
  ),
  target: nullable(
    Type.Object(
      { ...given(aimed), due_on: Type.Optional(dueOn) },
      { additionalProperties: false, description: 'Where its treatment is to bring it.' },
    ),
  ),
  tags,
  metadata: Metadata,
}

const now = pair('as it stands now')

export const NewRisk = newOf({ title: about.title, ...now }, writable, {
  title: 'NewRisk',
  description: 'A risk to enter. It is identified, undecided and of category other by default.',
  example: {
    title: 'Uplift under the stilling basin',
    likelihood: 3,
    impact: 4,
    category: 'technical',
    response: 'reduce',
    target: { likelihood: 1, impact: 4, due_on: '2027-06-30' },
    review_on: '2027-01-15',
    tags: ['groundwater'],
  },
})
export type NewRisk = Static<typeof NewRisk>

/** A status that is not live is taken only as it is: leaving the register is an operation. */
const anyStatus = choice(riskStatuses, {
  description: 'Identified, treating or monitoring. Others have operations of their own.',
  example: 'treating',
})

const part = (what: string) => ({
  likelihood: Type.Optional(given(what).likelihood),
  impact: Type.Optional(given(what).impact),
  score: given(what).score,
})

/** A merge patch may name a part of an object; the rest of it stays. */
const patchable = {
  ...writable,
  status: anyStatus,
  inherent: nullable(
    Type.Object(part(before), {
      additionalProperties: false,
      description: 'How it was rated before anything was done about it.',
    }),
  ),
  target: nullable(
    Type.Object(
      { ...part(aimed), due_on: Type.Optional(dueOn) },
      { additionalProperties: false, description: 'Where its treatment is to bring it.' },
    ),
  ),
  metadata: MetadataPatch,
}

export const RiskPatch = patchOf(Risk, patchable, {
  title: 'RiskPatch',
  description: 'What to change: a JSON merge patch. To rate it anew, review it.',
  example: { status: 'treating', response: 'reduce' },
})
export type RiskPatch = Static<typeof RiskPatch>

/** A row of a batch: with an `id` a change of that risk, without one a new risk. */
export const RiskRow = patchOf(
  Risk,
  { ...writable, status: anyStatus, ...now },
  {
    title: 'RiskRow',
    description:
      'With `id`: what to change of that risk; another likelihood or impact is a review of it. ' +
      'Without: a risk to enter; what the service sets itself is then ignored.',
    example: { title: 'Cofferdam overtopped', likelihood: 2, impact: 5, tags: ['flood'] },
  },
)
export type RiskRow = Static<typeof RiskRow>

import { Type, type Static } from 'typebox'

import {
  date,
  id,
  instant,
  integer,
  known,
  lifetime,
  line,
  list,
  marks,
  nullable,
  personOrNone,
  prose,
  rating,
} from './fields.ts'
import { anyOf, anyOfThese, listOperation, q } from './list.ts'
import { operation } from './operation.ts'
import { levels, Scale } from './scale.ts'

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

const score = (description: string, example = 12) => integer(1, 25, { description, example })

const ratings = (what: string) => ({
  likelihood: rating({ description: `The likelihood ${what}.`, example: 3 }),
  impact: rating({ description: `The impact ${what}.`, example: 4 }),
  score: score(`The score ${what}: likelihood times impact.`),
})

export const ProjectName = Type.Object(
  {
    id: id('prj', 'The id of the project.'),
    code: line(10, { description: 'The code its references begin with.', example: 'DAM' }),
    name: line(200, { description: 'What it is called.', example: 'Norrfors dam renewal' }),
  },
  { title: 'ProjectName', description: 'The project, as a list that people read shows it.' },
)
export type ProjectName = Static<typeof ProjectName>

export const Risk = Type.Object(
  {
    id: id('rsk', 'The id of this risk.'),
    ref: line(24, {
      description: 'What people call it: the project code and a number, never used again.',
      example: 'DAM-R12',
    }),
    project_id: id('prj', 'The project it belongs to.'),
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
      Type.Object(ratings('before anything was done'), {
        description: 'How it was rated before anything was done about it.',
      }),
    ),
    target: nullable(
      Type.Object(
        {
          ...ratings('that is aimed for'),
          due_on: nullable(
            date({ description: 'When the target is to be reached.', example: '2025-06-30' }),
          ),
        },
        { description: 'Where its treatment is to bring it.' },
      ),
    ),
    owner_user_id: nullable(id('usr', 'The user id of the person who answers for it.')),
    review_on: nullable(
      date({ description: 'When it is to be reviewed next.', example: '2025-01-15' }),
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
            description: 'The day the acceptance ends.',
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
    ...marks('review_overdue'),
    ...lifetime('the risk', 'entered'),
  },
  { title: 'Risk', description: 'An entry of the risk register.' },
)
export type Risk = Static<typeof Risk>

export const RegisterEntry = Type.Object(
  { ...Risk.properties, project: ProjectName },
  { title: 'RegisterEntry', description: 'A live risk, with the name of its project.' },
)
export type RegisterEntry = Static<typeof RegisterEntry>

export const risks = {
  list: listOperation({
    summary: 'List the risk register across all projects, worst first.',
    description:
      'Every live risk of every project, ranked: score down, impact down, oldest first. The rank ' +
      'is part of the contract, so there is no `sort`; filters only narrow, so nothing that is ' +
      'not live ever appears.',
    path: '/v1/risks',
    scope: 'projects.read',
    collection: 'risks',
    item: RegisterEntry,
    title: 'Register',
    filters: {
      project_id: Type.Optional(
        anyOfThese(id('prj', 'The id of a project.'), 'Only risks of these projects.'),
      ),
      owner_user_id: Type.Optional(
        anyOfThese(
          personOrNone,
          'Only risks that these people own; `none` for risks that nobody owns.',
        ),
      ),
      level: Type.Optional(anyOf(levels, 'Only risks of these levels.', 'critical')),
      score_min: Type.Optional(
        integer(1, 25, { description: 'Only risks with at least this score.', example: 12 }),
      ),
      q: Type.Optional(q('the ref or the title', 'uplift')),
    },
  }),

  scale: operation({
    summary: 'View the scale that risks and issues are rated on.',
    description: 'Likelihood and impact from 1 to 5, and the level of each score. It is fixed.',
    method: 'GET',
    path: '/v1/scale',
    scope: 'any_key',
    status: 200,
    response: Scale,
    cache: 'revision',
    problems: [],
  }),
}

import { Type, type Static } from 'typebox'

import { withExample } from '#contract/examples'
import {
  booleanField,
  closedEnum,
  date,
  id,
  integer,
  nullable,
  openEnum,
  sequenceNumber,
} from '#contract/field-schemas'
import { limits } from '#contract/limits'
import { enumFilter, valuesFilter } from '#contract/list-operation'
import { Risk } from '#contract/nouns/risks/risk'
import { operation } from '#contract/operation'
import { countField, countsByValue, ProjectName } from '#contract/rollup'
import { levels } from '#contract/scale'

export const trendSteps = ['day', 'week', 'month'] as const

/** Exposure can exceed a count: it is the sum of scores. */
const exposureField = (description: string) =>
  integer(0, Number.MAX_SAFE_INTEGER, { description, example: 36 })

const taskCount = (description: string) =>
  nullable(countField(`${description} Null before the states of tasks were kept.`))

export const TrendPoint = withExample(
  Type.Object(
    {
      day: date({
        description: 'The last day of the period. Counts are of its end.',
        example: '2026-11-17',
      }),
      is_closed: booleanField({
        description: 'Whether the day has ended, and its figures do not change any more.',
        example: true,
      }),
      live_risks: countField('The number of live risks.'),
      exposure: exposureField('The sum of the scores of the live risks.'),
      by_level: countsByValue(levels, 'Live risks by the level of their score.'),
      exposure_by_level: Type.Unsafe<Record<(typeof levels)[number], number>>(
        Type.Object(
          Object.fromEntries(
            levels.map((level) => [level, exposureField(`The sum of the ${level} scores.`)]),
          ),
          { description: 'The exposure by level.' },
        ),
      ),
      above_appetite: countField('Live risks with the flag `above_appetite`.'),
      above_appetite_accepted: countField('Those of them with a valid acceptance.'),
      reviews_overdue: countField('Live risks with the flag `review_overdue`.'),
      entered: countField(
        'Risks that became live in the period: created, reopened, or moved into the project.',
      ),
      left: countField(
        'Risks that stopped being live in the period: closed, occurred, or moved to another ' +
          'project.',
      ),
      occurred: countField('Those of them that occurred.'),
      issues_open: countField('Open issues.'),
      issues_opened: countField('Issues that were opened, reopened or moved in, in the period.'),
      issues_closed: countField('Issues that were closed or moved out in the period.'),
      issues_overdue: countField('Open issues with the flag `overdue`.'),
      tasks_open: taskCount('Open tasks.'),
      tasks_overdue: taskCount('Open tasks that were due before that day.'),
      tasks_done: taskCount('Open tasks that were done in the period.'),
    },
    {
      title: 'TrendPoint',
      description:
        'The figures at the end of a period, and what happened in it. What happened is counted on ' +
        'the day of its write, not by imported dates.',
    },
  ),
  {
    by_level: { low: 0, medium: 1, high: 1, critical: 1 },
    exposure: 38,
    exposure_by_level: { low: 0, medium: 6, high: 12, critical: 20 },
    above_appetite: 2,
    above_appetite_accepted: 1,
    reviews_overdue: 1,
    entered: 2,
    left: 1,
    occurred: 1,
    issues_overdue: 1,
    issues_opened: 1,
    issues_closed: 0,
    tasks_overdue: 1,
    tasks_done: 2,
  },
)
export type TrendPoint = Static<typeof TrendPoint>

const WorstRisk = Type.Object(
  {
    id: id('rsk', 'The id of the risk.'),
    ref: Risk.properties.ref,
    title: Risk.properties.title,
    score: Risk.properties.score,
    level: Risk.properties.level,
  },
  { description: 'The live risk of the project with the highest rank now; null without any.' },
)

const ProjectTrend = Type.Object(
  {
    project: ProjectName,
    first: TrendPoint,
    last: TrendPoint,
    exposure: Type.Array(exposureField('The exposure at a point.'), {
      description: 'The exposure of the project at each of the `points`.',
      examples: [[38]],
    }),
    worst_risk: nullable(WorstRisk),
  },
  {
    title: 'ProjectTrend',
    description: 'A project at the first and the last point, and its exposure at each.',
  },
)

export const Trend = withExample(
  Type.Object(
    {
      as_of: sequenceNumber({
        description: 'The sequence number of the last change at the time of the read.',
        example: 4711,
      }),
      from: date({ description: 'The first day of the interval.', example: '2026-11-17' }),
      to: date({ description: 'The last day of the interval.', example: '2026-11-17' }),
      step: openEnum(trendSteps, { description: 'The length of a period.', example: 'day' }),
      points: Type.Array(TrendPoint, {
        description:
          'One point for each period, the earliest first, from the day of the first change of the ' +
          'workspace on. Today is counted when it is read.',
      }),
      projects: Type.Optional(
        Type.Array(ProjectTrend, {
          description:
            'Only with `include=projects`: the projects that have figures in the interval, by id.',
        }),
      ),
    },
    { title: 'Trend', description: 'The figures of past days.' },
  ),
  { projects: undefined },
)
export type Trend = Static<typeof Trend>

const someDay = (description: string, example: string) =>
  Type.Optional(date({ description, example }))

export const trend = {
  view: operation({
    summary: 'View the trend of risks, issues and tasks.',
    description:
      'Returns the figures at the end of each day, week or month of an interval: live risks by ' +
      'level and their exposure, open issues and tasks, and what entered, left, was opened, ' +
      'closed or done. Days end at midnight in the time zone of the workspace. A closed day keeps ' +
      'its figures, also when the time zone changes. Weeks begin on Monday. The figures are those ' +
      'of the projects that you may see. The response has no ETag, because the date changes it.',
    method: 'GET',
    path: '/v1/trend',
    scope: 'projects.read',
    query: Type.Object(
      {
        from: someDay('The first day. Default: 89 days before `to`.', '2026-08-20'),
        to: someDay('The last day, not in the future. Default: today.', '2026-11-17'),
        step: Type.Optional(
          closedEnum(trendSteps, {
            description:
              `The length of a period. Default: \`day\`. At most ${limits.trendPointsMax} ` +
              'periods fit in the interval.',
            example: 'week',
          }),
        ),
        project_id: Type.Optional(
          valuesFilter(id('prj', 'The id of a project.'), 'Only these projects, together.'),
        ),
        include: Type.Optional(
          enumFilter(['projects'], 'Extras to add to the response: `projects`.', 'projects'),
        ),
      },
      { additionalProperties: false },
    ),
    status: 200,
    response: Trend,
    cache: 'none',
    problems: ['unknown_point'],
  }),
}

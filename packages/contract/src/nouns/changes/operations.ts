import { Type, type Static, type TSchema } from 'typebox'

import { exampleOf } from '#contract/examples'
import {
  booleanField,
  closedEnum,
  id,
  integer,
  nullable,
  openEnum,
  rating,
  sequenceNumber,
  userIdOrNone,
} from '#contract/field-schemas'
import { limits } from '#contract/limits'
import { enumFilter, valuesFilter } from '#contract/list-operation'
import { operation } from '#contract/operation'
import { point } from '#contract/points'
import { countField, ProjectName } from '#contract/rollup'

import {
  ChangedIssue,
  type ChangedNoun,
  ChangedProject,
  ChangedRisk,
  changeGroups,
  IssueState,
  ProjectState,
  RiskState,
} from './entries.ts'

const Figures = Type.Object(
  {
    live: countField('The number of live risks.'),
    exposure: integer(0, Number.MAX_SAFE_INTEGER, {
      description: 'The sum of their scores.',
      example: 36,
    }),
    cells: Type.Array(
      Type.Object({
        likelihood: rating({ description: 'The likelihood.', example: 3 }),
        impact: rating({ description: 'The impact.', example: 4 }),
        count: countField('The number of risks in this cell.'),
      }),
      {
        maxItems: 25,
        description: 'The non-empty cells of the 5 × 5 matrix, highest score first.',
      },
    ),
    above_appetite: countField('The number of live risks with the flag `above_appetite`.'),
    above_appetite_not_accepted: countField('Those of them without a valid acceptance.'),
    reviews_overdue: countField('The number of live risks with the flag `review_overdue`.'),
    issues_open: countField('The number of open issues.'),
    issues_overdue: countField('The number of open issues with the flag `overdue`.'),
  },
  { title: 'Figures', description: 'Counts at one point.' },
)
export type Figures = Static<typeof Figures>

const flow = (description: string) =>
  nullable(countField(`${description} Null if the answer is truncated.`))

const figuresChange = {
  before: Figures,
  after: Figures,
  issues_opened: flow('How often an issue was opened or reopened between the points.'),
  issues_closed: flow('How often an issue was closed between the points.'),
  tasks_done: flow('The tasks that are done at the end and were not at the beginning.'),
}

const ProjectFigures = Type.Object(
  { project: ProjectName, ...figuresChange },
  { title: 'ProjectFiguresChange', description: 'The figures of one project at both points.' },
)

const FiguresChange = Type.Object(
  {
    ...figuresChange,
    by_project: Type.Array(ProjectFigures, {
      description: 'The projects in which one of these figures changed.',
    }),
  },
  { title: 'FiguresChange', description: 'The figures at both points.' },
)
export type FiguresChange = Static<typeof FiguresChange>

const about: Readonly<Record<string, string>> = {
  left: 'Not live at the end, and live at the beginning or in between.',
  entered: 'Live at the end, and not at the beginning.',
  rose: 'With a higher score.',
  fell: 'With a lower score.',
  handed_over: 'With another person in charge.',
  decided: 'Reviewed, accepted, with another response or status, or changed and changed back.',
  became_due: 'With a new flag for a review, an acceptance or a due date that has passed.',
  edited: 'All others with a change.',
  closed: 'Not open at the end, and open at the beginning or in between.',
  opened: 'Open at the end, and not there at the beginning.',
  reopened: 'Open at the end, and closed at the beginning or in between.',
  worsened: 'With a higher severity.',
  eased: 'With a lower severity.',
  blocked: 'With the status `blocked` since.',
  health: 'Whose health was set.',
}

function groupsOf<const N extends ChangedNoun, T extends TSchema>(noun: N, item: T) {
  const names: readonly string[] = changeGroups[noun]
  return Type.Unsafe<Record<(typeof changeGroups)[N][number], Static<T>[]>>(
    Type.Object(
      Object.fromEntries(
        names.map((name) => [
          name,
          Type.Array(item, { maxItems: limits.changesMax, description: about[name] ?? '' }),
        ]),
      ),
      { description: `The ${noun}, each in the first group that applies.` },
    ),
  )
}

const { scores: _scores, ...riskColumns } = ChangedRisk.properties
const stateColumns = {
  ...ProjectState.properties,
  ...IssueState.properties,
  ...RiskState.properties,
}

/** A row of the CSV file: an entry of any group, with the columns of all. */
const ChangeRow = Type.Object({
  noun: openEnum(['risks', 'issues', 'projects'], {
    description: 'What changed.',
    example: 'risks',
  }),
  group: openEnum([...changeGroups.risks, ...changeGroups.issues, ...changeGroups.projects], {
    description: 'The group of the entry.',
    example: 'rose',
  }),
  ...ChangedIssue.properties,
  ...riskColumns,
  before: Type.Object(stateColumns),
  after: Type.Object(stateColumns),
})

const noEntries = (noun: ChangedNoun) =>
  Object.fromEntries(changeGroups[noun].map((group) => [group, []]))

// The cast holds because the schema of an object has such an example.
const rose = exampleOf(ChangedRisk) as Readonly<Record<'before', object>>

/** A risk that rose. */
const example = {
  risks: {
    ...noEntries('risks'),
    rose: [
      {
        ...rose,
        before: { ...rose.before, likelihood: 2, score: 8, level: 'medium', rank: 3, flags: [] },
        issue_ids: [],
        scores: undefined,
      },
    ],
  },
  issues: noEntries('issues'),
  projects: noEntries('projects'),
}

export const changes = {
  view: operation({
    summary: 'View what changed between two points.',
    description:
      'Returns each risk and issue with a change between the points, in the first group of its ' +
      'noun that applies, projects whose health was set, and the figures at both points. A ' +
      'change of a task counts for the risk or issue of the task. Ranks are among all risks that ' +
      'you may see. With `project_id`, a moved item leaves one project and enters the other. The ' +
      `points are at most ${limits.changesDays} days apart.`,
    method: 'GET',
    path: '/v1/changes',
    scope: 'projects.read',
    query: Type.Object(
      {
        since: point('The first point.', 'beginning', '2024-11-01'),
        until: Type.Optional(point('The second point. Default: now.', 'end', '2024-11-30')),
        project_id: Type.Optional(
          valuesFilter(id('prj', 'The id of a project.'), 'Only these projects.'),
        ),
        owner_user_id: Type.Optional(
          valuesFilter(
            userIdOrNone,
            'Only what these people were in charge of at one of the points; `none` for items without one.',
          ),
        ),
        include: Type.Optional(
          enumFilter(
            ['scores'],
            'Extras to add to the response: `scores`, the last scores of each risk.',
            'scores',
          ),
        ),
        format: Type.Optional(
          closedEnum(['json', 'csv'], {
            description: 'The format of the response, instead of the `Accept` header.',
            example: 'json',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    status: 200,
    example,
    response: Type.Object(
      {
        since: sequenceNumber({
          description: 'The sequence number of the first point.',
          example: 4211,
        }),
        until: sequenceNumber({
          description: 'The sequence number of the second point.',
          example: 4711,
        }),
        is_truncated: booleanField({
          description:
            `Whether entries may be missing, because there are more than ${limits.changesMax}. ` +
            'Those that changed first are there. Use points that are closer, or fewer projects.',
          example: false,
        }),
        figures: FiguresChange,
        risks: groupsOf('risks', ChangedRisk),
        issues: groupsOf('issues', ChangedIssue),
        projects: groupsOf('projects', ChangedProject),
      },
      { title: 'Changes', description: 'What changed between two points.' },
    ),
    cache: 'collection',
    collection: 'risks',
    also: ['issues', 'tasks', 'projects'],
    csvRow: ChangeRow,
    problems: ['unknown_point'],
  }),
}

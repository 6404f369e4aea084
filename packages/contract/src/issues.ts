import { Type, type Static } from 'typebox'

import {
  date,
  id,
  instant,
  integer,
  known,
  lifetime,
  line,
  marks,
  nullable,
  personOrNone,
  prose,
  rating,
} from './fields.ts'
import { anyOfThese, listOperation, q } from './list.ts'
import { ProjectName } from './risks.ts'

/** Open = not closed; there is nothing in between. */
export const issueStatuses = ['open', 'in_progress', 'blocked', 'closed'] as const
export const issueTypes = ['problem', 'change_request', 'dependency', 'other'] as const
export const issueCloseReasons = [
  'resolved',
  'workaround',
  'duplicate',
  'not_an_issue',
  'cancelled',
] as const

export const Issue = Type.Object(
  {
    id: id('iss', 'The id of this issue.'),
    ref: line(24, {
      description: 'What people call it: the project code and a number, never used again.',
      example: 'DAM-I7',
    }),
    project_id: id('prj', 'The project it belongs to.'),
    title: line(200, {
      description: 'The issue in one line.',
      example: 'Crane foundation cracked',
    }),
    description: nullable(
      prose(5000, {
        description: 'What is wrong, and since when.',
        example: 'Found at the morning inspection; the crane is out of use.',
      }),
    ),
    type: known(issueTypes, { description: 'What kind it is.', example: 'problem' }),
    status: known(issueStatuses, {
      description: 'Where the issue is in its life. All but closed are open.',
      example: 'in_progress',
    }),
    severity: rating({
      description: 'How much harm it does, on the same scale as the impact of a risk.',
      example: 4,
    }),
    assignee_user_id: nullable(id('usr', 'The user id of the person who deals with it.')),
    risk_id: nullable(id('rsk', 'The risk that came true as this issue.')),
    opened_at: instant({ description: 'When it was opened.', example: '2024-11-20T07:40:00.000Z' }),
    due_on: nullable(date({ description: 'When it is to be solved.', example: '2024-12-01' })),
    blocked_reason: nullable(
      prose(500, { description: 'What holds it up.', example: 'Waiting for the supplier.' }),
    ),
    close_reason: nullable(
      known(issueCloseReasons, { description: 'How it ended.', example: 'resolved' }),
    ),
    close_note: nullable(
      prose(5000, { description: 'What there is to say about it.', example: 'New foundation.' }),
    ),
    closed_at: nullable(
      instant({ description: 'When it was closed.', example: '2024-11-29T16:00:00.000Z' }),
    ),
    reopened_count: integer(0, 1_000_000, {
      description: 'How often it was reopened.',
      example: 0,
    }),
    ...marks('overdue'),
    ...lifetime('the issue', 'entered'),
  },
  { title: 'Issue', description: 'Something that is going wrong in a project.' },
)
export type Issue = Static<typeof Issue>

export const OpenIssue = Type.Object(
  { ...Issue.properties, project: ProjectName },
  { title: 'OpenIssue', description: 'An open issue, with the name of its project.' },
)
export type OpenIssue = Static<typeof OpenIssue>

export const issues = {
  list: listOperation({
    summary: 'List the open issues across all projects, worst first.',
    description:
      'Every issue of every project that is not closed: severity down, then longest open first. ' +
      'The order is part of the contract, so there is no `sort`; filters only narrow, so a closed ' +
      'issue never appears.',
    path: '/v1/issues',
    scope: 'projects.read',
    collection: 'issues',
    item: OpenIssue,
    title: 'OpenIssueList',
    filters: {
      project_id: Type.Optional(
        anyOfThese(id('prj', 'The id of a project.'), 'Only issues of these projects.'),
      ),
      assignee_user_id: Type.Optional(
        anyOfThese(
          personOrNone,
          'Only issues that these people deal with; `none` for issues that nobody deals with.',
        ),
      ),
      severity: Type.Optional(
        anyOfThese(
          rating({ description: 'A severity.', example: 5 }),
          'Only issues of these severities.',
        ),
      ),
      q: Type.Optional(q('the ref or the title', 'crane')),
    },
  }),
}

import { Type, type Static } from 'typebox'

import { date, id, integer, line, nullable, personOrNone, rating, tag } from './fields.ts'
import { Issue, issueFlags, openIssueStatuses } from './issue.ts'
import { anyOfThese, filtersOf, q } from './list.ts'
import { byProject, counted, countsOf, PersonName, viewed } from './view.ts'

export const OpenIssue = Type.Object(
  { ...Issue.properties, ...viewed, assignee: Type.Optional(nullable(PersonName)) },
  {
    title: 'OpenIssue',
    description:
      'An open issue, with its project and its rank; with `include=people`, its assignee.',
  },
)
export type OpenIssue = Static<typeof OpenIssue>

const month = line(7, { description: 'The month they were opened in (UTC).', example: '2024-11' })

/** What the open issues and their summary can be narrowed to. */
export const openIssueFilters = {
  ...filtersOf('issues', { id: 'iss', flags: issueFlags, statuses: openIssueStatuses }),
  assignee_user_id: Type.Optional(
    anyOfThese(personOrNone, 'Only issues that these people deal with; `none` for nobody.'),
  ),
  severity: Type.Optional(
    anyOfThese(
      rating({ description: 'A severity.', example: 5 }),
      'Only issues of these severities.',
    ),
  ),
  opened_from: Type.Optional(
    date({ description: 'Only issues opened on this day (UTC) or later.', example: '2024-11-01' }),
  ),
  opened_before: Type.Optional(
    date({ description: 'Only issues opened before this day (UTC).', example: '2100-01-01' }),
  ),
  tag: Type.Optional(anyOfThese(tag, 'Only issues with one of these tags.')),
  q: Type.Optional(q('the ref or the title', 'crane')),
}

export const IssueSummary = Type.Object(
  {
    as_of: integer(0, Number.MAX_SAFE_INTEGER, {
      description: 'The sequence number of the issues when they were counted.',
      example: 4711,
    }),
    count: counted('How many open issues there are.'),
    by_severity: Type.Array(
      Type.Object({
        severity: rating({ description: 'The severity.', example: 4 }),
        count: counted('How many are of this severity.'),
      }),
      { description: 'By severity, the worst first; all five.' },
    ),
    by_status: countsOf(openIssueStatuses, 'By status.'),
    by_flag: countsOf(issueFlags, 'By flag.'),
    by_month: Type.Array(
      Type.Object({
        month,
        count: counted('How many were opened in this month, and still are.'),
      }),
      { description: 'By month of opening, the earliest first.' },
    ),
    cells: Type.Array(
      Type.Object({
        severity: rating({ description: 'The severity.', example: 4 }),
        month,
        count: counted('How many are in this cell.'),
      }),
      {
        description:
          'By severity and month of opening: the pairs that hold any, the worst severity first, ' +
          'then the earliest month.',
      },
    ),
    by_project: byProject,
    by_assignee: Type.Array(
      Type.Object({
        assignee_user_id: nullable(id('usr', 'The user id of the assignee; null for nobody.')),
        count: counted('How many of them they deal with.'),
      }),
      { description: 'By assignee: the 50 that have most.' },
    ),
  },
  { title: 'IssueSummary', description: 'The open issues in numbers.' },
)
export type IssueSummary = Static<typeof IssueSummary>

import { Type, type Static } from 'typebox'

import { exampleOf, withExample } from '#contract/examples'
import {
  date,
  id,
  integer,
  singleLine,
  nullable,
  openEnum,
  rating,
  tag,
} from '#contract/field-schemas'
import { filtersOf } from '#contract/fields'
import {
  dayFilters,
  rollupFilters,
  searchFilter,
  sortParameter,
  valuesFilter,
} from '#contract/list-operation'
import { comparedField } from '#contract/points'
import {
  countsByProject,
  countField,
  countsByValue,
  PersonName,
  rollupFields,
} from '#contract/rollup'

import { issueFields, issueFlags, issueStatuses, openIssueStatuses } from './fields.ts'
import { Issue } from './issue.ts'

export const OpenIssue = withExample(
  Type.Object(
    {
      ...Issue.properties,
      ...rollupFields,
      assignee: Type.Optional(nullable(PersonName)),
      compared: comparedField({
        severity: rating({ description: 'The severity at the point.', example: 4 }),
        status: openEnum(issueStatuses, {
          description: 'The status at the point.',
          example: 'open',
        }),
      }),
    },
    {
      title: 'OpenIssue',
      description:
        'An open issue with its project and rank. `include=people` adds the assignee, and ' +
        '`compare` its place at another point.',
    },
  ),
  exampleOf(Issue) as object,
)
export type OpenIssue = Static<typeof OpenIssue>

const month = singleLine(7, {
  description: 'The month of opening (UTC).',
  example: '2026-11',
})

/** The filters of the open issues and of their summary. */
export const openIssueFilters = {
  ...rollupFilters('issues', { id: 'iss', flags: issueFlags, statuses: openIssueStatuses }),
  ...filtersOf(issueFields),
  opened_from: Type.Optional(
    date({ description: 'Only issues opened on this day (UTC) or later.', example: '2024-11-01' }),
  ),
  opened_before: Type.Optional(
    date({ description: 'Only issues opened before this day (UTC).', example: '2100-01-01' }),
  ),
  ...dayFilters('due', 'issues', 'due date'),
  tag: Type.Optional(valuesFilter(tag, 'Only issues with one of these tags.')),
  q: Type.Optional(searchFilter('the ref or the title', 'crane')),
}

export const openIssueSort = {
  sort: Type.Optional(
    sortParameter(
      ['severity', 'title', 'assignee', 'opened_at', 'due_on', 'updated_at'],
      'The sort order: severity, title, name of the assignee, opening time, due date, or last ' +
        'change. Default: the rank. Issues without a value come last. `assignee` requires the ' +
        'scope `personnel.read`.',
    ),
  ),
}

export const IssueSummary = withExample(
  Type.Object(
    {
      as_of: integer(0, Number.MAX_SAFE_INTEGER, {
        description: 'The sequence number of the issues at the time of the count.',
        example: 4711,
      }),
      count: countField('The number of open issues.'),
      by_severity: Type.Array(
        Type.Object({
          severity: rating({ description: 'The severity.', example: 4 }),
          count: countField('The number of issues with this severity.'),
        }),
        { description: 'By severity, highest first. All five are listed.' },
      ),
      by_status: countsByValue(openIssueStatuses, 'By status.'),
      by_flag: countsByValue(issueFlags, 'By flag.'),
      by_month: Type.Array(
        Type.Object({
          month,
          count: countField('The number of open issues that were opened in this month.'),
        }),
        { description: 'By month of opening, earliest first.' },
      ),
      cells: Type.Array(
        Type.Object({
          severity: rating({ description: 'The severity.', example: 4 }),
          month,
          count: countField('The number of issues in this cell.'),
        }),
        {
          description:
            'By severity and month of opening: the non-empty cells, highest severity first, then ' +
            'earliest month.',
        },
      ),
      by_project: countsByProject,
      by_assignee: Type.Array(
        Type.Object({
          assignee_user_id: nullable(
            id('usr', 'The user id of the assignee, or null for unassigned.'),
          ),
          count: countField('The number of issues of this assignee.'),
        }),
        { description: 'By assignee: the 50 largest counts.' },
      ),
    },
    { title: 'IssueSummary', description: 'The counts of open issues.' },
  ),
  {
    by_severity: [5, 4, 3, 2, 1].map((severity) => ({
      severity,
      count: severity === 4 ? 2 : severity === 3 ? 1 : 0,
    })),
    by_status: { open: 1, in_progress: 2, blocked: 0 },
    by_flag: { overdue: 1 },
    by_month: [
      { month: '2026-10', count: 1 },
      { month: '2026-11', count: 2 },
    ],
    cells: [
      { severity: 4, month: '2026-11', count: 2 },
      { severity: 3, month: '2026-10', count: 1 },
    ],
    by_assignee: [
      { assignee_user_id: exampleOf(PersonName.properties.user_id), count: 2 },
      { assignee_user_id: null, count: 1 },
    ],
  },
)
export type IssueSummary = Static<typeof IssueSummary>

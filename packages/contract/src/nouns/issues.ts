import { Type } from 'typebox'

import { choice, id, nullable, prose } from './fields.ts'
import { historyOperation } from './history.ts'
import { Issue, issueCloseReasons, IssuePatch, IssueRow, issueStatuses, NewIssue } from './issue.ts'
import { limits } from './limits.ts'
import { anyOf, batchOf, listOperation, sort } from './list.ts'
import { openIssueFilters, OpenIssue, IssueSummary } from './open-issues.ts'
import { operation } from './operation.ts'
import { inProject } from './projects.ts'
import { viewIncludes } from './view.ts'

const params = Type.Object({ ...inProject, issue_id: id('iss', 'The id of the issue.') })
const changing = ['not_found', 'project_archived'] as const

const CloseIssue = Type.Object(
  {
    close_reason: choice(issueCloseReasons, { description: 'How it ended.', example: 'resolved' }),
    close_note: Type.Optional(
      nullable(
        prose(5000, { description: 'What there is to say about it.', example: 'New foundation.' }),
      ),
    ),
  },
  { additionalProperties: false, title: 'CloseIssue', description: 'How the issue ended.' },
)

const ReopenIssue = Type.Object(
  {
    note: Type.Optional(
      prose(5000, {
        description: 'What was said about it, kept in the history.',
        example: 'The crack is back.',
      }),
    ),
  },
  { additionalProperties: false, title: 'ReopenIssue', description: 'Why. May be left out.' },
)

const change = {
  method: 'POST',
  scope: 'projects.manage',
  params,
  status: 200,
  response: Issue,
  cache: 'version',
} as const

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
    includes: viewIncludes,
    filters: openIssueFilters,
  }),

  summary: operation({
    summary: 'View the open issues in numbers.',
    description:
      'How many there are by severity, status, flag, month of opening, project and assignee. Takes ' +
      'the filters of the list.',
    method: 'GET',
    path: '/v1/issues/summary',
    scope: 'projects.read',
    query: Type.Object(openIssueFilters, { additionalProperties: false }),
    status: 200,
    response: IssueSummary,
    cache: 'collection',
    collection: 'issues',
    problems: [],
  }),

  list_in_project: listOperation({
    summary: 'List the issues of one project, whatever their status.',
    description: 'Also those that are closed. Oldest first, unless `sort` says else.',
    path: '/v1/projects/{project_id}/issues',
    scope: 'projects.read',
    params: Type.Object(inProject),
    collection: 'issues',
    item: Issue,
    title: 'IssueList',
    filters: {
      status: Type.Optional(anyOf(issueStatuses, 'Only issues with these statuses.', 'closed')),
      sort: Type.Optional(
        sort(['created_at', 'updated_at'], 'By when they were entered, or by last change.'),
      ),
    },
    problems: ['not_found'],
  }),

  create: operation({
    ...change,
    summary: 'Open an issue.',
    description: 'It is on the list of open issues at once.',
    path: '/v1/projects/{project_id}/issues',
    params: Type.Object(inProject),
    body: NewIssue,
    status: 201,
    problems: [...changing, 'unknown_reference', 'not_assignable', 'quota_exceeded'],
    events: ['issue.created'],
  }),

  batch: operation({
    ...change,
    summary: 'Open and change many issues at once.',
    description:
      `At most ${limits.itemsMax} rows, all or none. As CSV with the header that the export of ` +
      'the issues writes: export, edit, and send it back. An unchanged row changes nothing. With ' +
      '`dry_run` all of it is tried, and nothing done.',
    path: '/v1/projects/{project_id}/issues/batch',
    params: Type.Object(inProject),
    rows: IssueRow,
    alsoColumns: OpenIssue,
    ...batchOf(IssueRow, Issue, 'Issue'),
    cache: 'none',
    problems: [...changing, 'quota_exceeded'],
    events: ['issue.created', 'issue.updated'],
  }),

  view: operation({
    summary: 'View one issue.',
    description: 'Also one that is closed.',
    method: 'GET',
    path: '/v1/projects/{project_id}/issues/{issue_id}',
    scope: 'projects.read',
    params,
    status: 200,
    response: Issue,
    cache: 'version',
    problems: ['not_found'],
  }),

  update: operation({
    ...change,
    summary: 'Change an issue.',
    description: 'What is left out stays; null clears.',
    method: 'PATCH',
    path: '/v1/projects/{project_id}/issues/{issue_id}',
    body: IssuePatch,
    problems: [
      ...changing,
      'read_only_field',
      'invalid_transition',
      'unknown_reference',
      'not_assignable',
    ],
    events: ['issue.updated'],
  }),

  close: operation({
    ...change,
    summary: 'Close an issue.',
    description: 'It leaves the list of open issues. Closing it again changes nothing.',
    path: '/v1/projects/{project_id}/issues/{issue_id}/close',
    body: CloseIssue,
    problems: changing,
    events: ['issue.closed'],
  }),

  reopen: operation({
    ...change,
    summary: 'Open an issue again.',
    description: 'It is open as before, since the day it was first opened.',
    path: '/v1/projects/{project_id}/issues/{issue_id}/reopen',
    body: ReopenIssue,
    problems: [...changing, 'quota_exceeded'],
    events: ['issue.reopened'],
  }),

  history: historyOperation({
    of: 'an issue',
    path: '/v1/projects/{project_id}/issues/{issue_id}/history',
    collection: 'issues',
    scope: 'projects.read',
    params,
  }),
}

import { Type } from 'typebox'

import { aboutBatch, aboutBatchAcross, batchSchemas, itemBatch } from '#contract/batch-operation'
import { exampleOf } from '#contract/examples'
import { closedEnum, id, nullable, multiLine } from '#contract/field-schemas'
import { historyOperation } from '#contract/history'
import { enumFilter, listOperation, nameFilters, sortParameter } from '#contract/list-operation'
import { inProject } from '#contract/nouns/projects/operations'
import { operation } from '#contract/operation'
import { asOfList, asOfQuery, compareList } from '#contract/points'
import { byPersonName, rollupIncludes } from '#contract/rollup'

import { ClosedIssue, closedIssueFilters } from './closed-issues.ts'
import { issueCloseReasons, issueStatuses } from './fields.ts'
import { CrossProjectIssueRow, Issue, IssuePatch, IssueRow, NewIssue } from './issue.ts'
import { openIssueFilters, OpenIssue, openIssueSort, IssueSummary } from './open-issues.ts'

const params = Type.Object({ ...inProject, issue_id: id('iss', 'The id of the issue.') })
const changing = ['not_found', 'project_archived'] as const

const CloseIssue = Type.Object(
  {
    close_reason: closedEnum(issueCloseReasons, {
      description: 'The reason for closing.',
      example: 'resolved',
    }),
    close_note: Type.Optional(
      nullable(
        multiLine(5000, {
          description: 'A note on the closing.',
          example: 'New foundation.',
        }),
      ),
    ),
  },
  {
    additionalProperties: false,
    title: 'CloseIssue',
    description: 'The reason for closing the issue.',
  },
)

const ReopenIssue = Type.Object(
  {
    note: Type.Optional(
      multiLine(5000, {
        description: 'A note for the history.',
        example: 'The crack is back.',
      }),
    ),
  },
  { additionalProperties: false, title: 'ReopenIssue', description: 'An optional note.' },
)

/** What the example of a closed issue shows. */
const closed = {
  ...(exampleOf(CloseIssue) as object),
  status: 'closed',
  closed_at: '2026-11-29T16:00:00.000Z',
  updated_at: '2026-11-29T16:00:00.000Z',
}

const change = {
  method: 'POST',
  scope: 'projects.manage',
  params,
  status: 200,
  response: Issue,
  cache: 'version',
} as const

/** What both batches have in common. */
const batched = {
  method: 'POST',
  scope: 'projects.manage',
  alsoColumns: OpenIssue,
  status: 200,
  cache: 'none',
  example: { status: 'open' },
  events: ['issue.created', 'issue.updated'],
} as const

export const issues = {
  list: listOperation({
    summary: 'List open issues across all projects.',
    description:
      'Returns the open issues of every project, ranked by descending severity, oldest first. ' +
      '`sort` changes the order, not the rank. Closed issues never appear.',
    path: '/v1/issues',
    scope: 'projects.read',
    collection: 'issues',
    item: OpenIssue,
    title: 'OpenIssueList',
    includes: rollupIncludes,
    sorts: { assignee: byPersonName },
    filterNeeds: { assignee_email: byPersonName },
    filters: {
      ...openIssueFilters,
      ...nameFilters('issues', 'assignee'),
      ...openIssueSort,
      ...asOfList('The list', openIssueFilters),
      ...compareList(openIssueFilters),
    },
    problems: ['unknown_point'],
  }),

  summary: operation({
    summary: 'View the summary of open issues.',
    description:
      'Returns counts by severity, status, flag, month of opening, project and assignee. Accepts ' +
      'the filters of the list.',
    method: 'GET',
    path: '/v1/issues/summary',
    scope: 'projects.read',
    query: Type.Object(
      { ...openIssueFilters, ...asOfList('The summary', openIssueFilters) },
      { additionalProperties: false },
    ),
    status: 200,
    response: IssueSummary,
    cache: 'collection',
    collection: 'issues',
    problems: ['unknown_point'],
  }),

  list_closed: listOperation({
    summary: 'List closed issues across all projects.',
    description: 'Returns the closed issues of every project by `closed_at`, the latest first.',
    path: '/v1/issues/closed',
    scope: 'projects.read',
    collection: 'issues',
    item: ClosedIssue,
    title: 'ClosedIssueList',
    includes: rollupIncludes,
    filterNeeds: { assignee_email: byPersonName },
    filters: {
      ...closedIssueFilters,
      ...nameFilters('issues', 'assignee', 'jose.nunez@northwater.example'),
      ...asOfList('The list', closedIssueFilters),
    },
    problems: ['unknown_point'],
  }),

  list_in_project: listOperation({
    summary: 'List the issues of a project.',
    description: 'Returns issues with any status, oldest first unless `sort` is set.',
    path: '/v1/projects/{project_id}/issues',
    scope: 'projects.read',
    params: Type.Object(inProject),
    collection: 'issues',
    item: Issue,
    title: 'IssueList',
    filters: {
      status: Type.Optional(
        enumFilter(issueStatuses, 'Only issues with these statuses.', 'closed'),
      ),
      sort: Type.Optional(
        sortParameter(
          ['created_at', 'updated_at'],
          'The sort order: creation time (default) or last change.',
        ),
      ),
    },
    problems: ['not_found'],
  }),

  create: operation({
    ...change,
    summary: 'Create an issue.',
    description: 'The issue appears in the list of open issues immediately.',
    path: '/v1/projects/{project_id}/issues',
    params: Type.Object(inProject),
    body: NewIssue,
    status: 201,
    example: { status: 'open' },
    problems: [
      ...changing,
      'external_id_taken',
      'unknown_reference',
      'not_assignable',
      'quota_exceeded',
    ],
    events: ['issue.created'],
  }),

  batch: operation({
    ...batched,
    rows: IssueRow,
    ...batchSchemas(IssueRow, Issue, { name: 'Issue', ...itemBatch }),
    summary: 'Create and update issues in a batch.',
    description: aboutBatch('issues'),
    path: '/v1/projects/{project_id}/issues/batch',
    params: Type.Object(inProject),
    problems: [...changing, 'quota_exceeded'],
  }),

  batch_across: operation({
    ...batched,
    rows: CrossProjectIssueRow,
    ...batchSchemas(CrossProjectIssueRow, Issue, { name: 'CrossProjectIssue', ...itemBatch }),
    summary: 'Create and update issues of several projects in a batch.',
    description: aboutBatchAcross('issues'),
    path: '/v1/projects/issues/batch',
    problems: ['too_many_items', 'quota_exceeded'],
  }),

  view: operation({
    summary: 'View an issue.',
    description:
      'Returns an open or closed issue. With `as_of`, the path has the project of the issue at ' +
      'that point.',
    method: 'GET',
    path: '/v1/projects/{project_id}/issues/{issue_id}',
    scope: 'projects.read',
    params,
    query: asOfQuery('The issue'),
    status: 200,
    response: Issue,
    cache: 'version',
    problems: ['not_found', 'unknown_point'],
  }),

  update: operation({
    ...change,
    summary: 'Update an issue.',
    description: 'Omitted fields are unchanged; null clears a field.',
    method: 'PATCH',
    path: '/v1/projects/{project_id}/issues/{issue_id}',
    isMergePatch: true,
    body: IssuePatch,
    problems: [
      ...changing,
      'read_only_field',
      'invalid_transition',
      'external_id_taken',
      'unknown_reference',
      'not_assignable',
    ],
    events: ['issue.updated'],
  }),

  close: operation({
    ...change,
    summary: 'Close an issue.',
    description: 'Removes the issue from the open issues. Closing it again has no effect.',
    path: '/v1/projects/{project_id}/issues/{issue_id}/close',
    body: CloseIssue,
    example: closed,
    problems: changing,
    events: ['issue.closed'],
  }),

  reopen: operation({
    ...change,
    summary: 'Reopen an issue.',
    description: 'The issue is open again and keeps its original `opened_at`.',
    path: '/v1/projects/{project_id}/issues/{issue_id}/reopen',
    body: ReopenIssue,
    example: { status: 'open', reopened_count: 1 },
    problems: [...changing, 'quota_exceeded'],
    events: ['issue.reopened'],
  }),

  history: historyOperation({
    resource: 'an issue',
    entry: {
      type: 'issue.updated',
      occurred_at: '2026-11-24T15:10:00.000Z',
      note: null,
      changes: [{ field: 'status', from: 'open', to: 'in_progress' }],
    },
    path: '/v1/projects/{project_id}/issues/{issue_id}/history',
    collection: 'issues',
    scope: 'projects.read',
    params,
  }),
}
